package ir

import "errors"

// Lift turns the code of a method into a body. It is pure and safe for
// concurrent use. A method without code, or with code that cannot be valid,
// gives an error that names file, method and code unit.
func (p *Program) Lift(m MethodID) (*Body, error) {
	return nil, errors.New("not yet")
}
