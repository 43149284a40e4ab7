package ir

func (b *Body) Check(p *Program) error { return nil }
