package inputtest

import "unicode/utf16"

// stringPool collects strings, each once.
type stringPool struct {
	UTF8  bool
	list  []string
	index map[string]uint32
}

func (p *stringPool) ref(s string) uint32 {
	if i, ok := p.index[s]; ok {
		return i
	}
	if p.index == nil {
		p.index = make(map[string]uint32)
	}
	i := uint32(len(p.list))
	p.index[s] = i
	p.list = append(p.list, s)
	return i
}

// bytes is the string pool chunk.
func (p *stringPool) bytes() []byte {
	var offsets []uint32
	var text []byte
	for _, s := range p.list {
		offsets = append(offsets, uint32(len(text)))
		if p.UTF8 {
			text = append(text, length8(len(utf16.Encode([]rune(s))))...)
			text = append(text, length8(len(s))...)
			text = append(append(text, s...), 0)
			continue
		}
		units := utf16.Encode([]rune(s))
		if len(units) > 0x7fff {
			text = append(text, u16s(uint16(len(units)>>16)|0x8000)...)
		}
		text = append(text, u16s(uint16(len(units)))...)
		text = append(append(text, u16s(units...)...), 0, 0)
	}
	for len(text)%4 != 0 {
		text = append(text, 0)
	}
	flags := uint32(0)
	if p.UTF8 {
		flags = 0x100
	}
	n := uint32(len(p.list))
	head := u32s(n, 0, flags, 28+4*n, 0)
	head = append(head, u32s(offsets...)...)
	return chunk(0x0001, 28, append(head, text...))
}

func length8(n int) []byte {
	if n > 0x7f {
		return []byte{byte(n>>8) | 0x80, byte(n)}
	}
	return []byte{byte(n)}
}
