package train

import (
	"fmt"
	"maps"
	"slices"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/table"
)

// DefaultOrder is the order of the paper's experiments.
const DefaultOrder = 20

// basisOf returns the basis of an input: as many nodes as it has levels for a category,
// a straight line for a boolean, a constant for an input that never changes, and
// Bernstein polynomials of the order for any other.
func basisOf(in box.Input, order int) (basis.Basis, error) {
	switch {
	case in.Kind == table.Category:
		return basis.NewIndicator(in.Nodes())
	case in.Constant():
		order = 0
	case in.Kind == table.Boolean:
		order = 1
	}
	return basis.NewBernstein(order)
}

// Basis returns the basis that tells what kind of input it is; candidates have their own.
func (o Auto) Basis(in box.Input) (basis.Basis, error) { return basisOf(in, DefaultOrder) }

// Basis returns the basis of the order that the options give the input's column.
func (o Paper) Basis(in box.Input) (basis.Basis, error) {
	order, ok := o.Orders[in.Source()]
	if !ok {
		order = orDefault(o.Order, DefaultOrder)
	}
	if order < 1 || order > basis.MaxPriorOrder {
		return nil, &OptionError{Option: "order", Problem: fmt.Sprintf("%d for input %q; it must be from 1 to %d, above which the prior has negative variances", order, in.Source(), basis.MaxPriorOrder)}
	}
	return basisOf(in, order)
}

// checkOrders refuses an order of a column that has none.
func (o Paper) checkOrders(inputs []box.Input) error {
	var names []string
	if len(o.Orders) == 0 {
		return nil
	}
	has, without := map[string]bool{}, map[string]string{} // who has an order, and why who has none
	for _, in := range inputs {
		name := in.Source()
		names = append(names, name)
		switch {
		case in.Kind == table.Category:
			without[name] = "is a category, whose levels have a node each"
		case in.Constant():
			without[name] = "has one value in all training rows"
		case in.Kind == table.Boolean:
			without[name] = "is true or false, between which a straight line goes"
		default:
			has[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Orders)) {
		switch {
		case !slices.Contains(names, name):
			return &OptionError{Option: "orders", Problem: table.Unknown(name, slices.Compact(names)).Error()}
		case !has[name]:
			return &OptionError{Option: "orders", Problem: fmt.Sprintf("the input %q %s: it has no order to choose; leave its order out", name, without[name])}
		}
	}
	return nil
}
