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

// PooledOf returns the basis of the levels of a category, all of which are not rare, that has the functions of given, the basis of the
// most frequent ones: so many, then that of the others.
func PooledOf(all box.Input, given basis.Basis) (basis.Basis, error) {
	b, err := basis.NewPooled(given.Nodes(), basis.Pool{From: box.MaxNodes - 1, To: all.Nodes()})
	if average := given.Spec().Average; err == nil && average != nil {
		return basis.NewAveraged(b, average)
	}
	return b, err
}
