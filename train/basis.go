package train

import (
	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/table"
)

// BasisOf returns the basis of an input: as many nodes as a category has functions,
// a straight line for a boolean, a constant for an input that never changes, and
// Bernstein polynomials of the order for any other.
func BasisOf(in box.Input, order int) (basis.Basis, error) {
	switch {
	case in.Kind == table.Category:
		return basis.NewIndicator(in.Functions())
	case in.Constant():
		order = 0
	case in.Kind == table.Boolean:
		order = 1
	}
	return basis.NewBernstein(order)
}

// PooledOf returns the basis of all levels of a category that has the functions of a basis in which those but the first, so many, share
// one.
func PooledOf(all box.Input, own int, of basis.Basis) (basis.Basis, error) {
	b, err := basis.NewPooled(of.Nodes(), basis.Pool{From: own, To: all.Nodes()})
	if average := of.Spec().Average; err == nil && average != nil {
		return basis.NewAveraged(b, average)
	}
	return b, err
}
