package paper

import (
	"fmt"
	"maps"
	"slices"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/table"
	"beziergp/train"
)

// defaultOrder is the order of the paper's experiments.
const defaultOrder = 20

// Basis returns the basis of the order that the options give the input's column.
func (o Recipe) Basis(in box.Input) (basis.Basis, error) {
	order, ok := o.Orders[in.Source()]
	if !ok {
		order = orDefault(o.Order, defaultOrder)
	}
	if order < 1 || order > basis.MaxPriorOrder {
		return nil, &train.OptionError{Option: "order", Problem: fmt.Sprintf("%d for input %q; it must be from 1 to %d, above which the prior has negative variances", order, in.Source(), basis.MaxPriorOrder)}
	}
	return train.BasisOf(in, order)
}

// checkOrders refuses an order of a column that has none.
func (o Recipe) checkOrders(inputs []box.Input) error {
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
			return &train.OptionError{Option: "orders", Problem: table.Unknown(name, slices.Compact(names)).Error()}
		case !has[name]:
			return &train.OptionError{Option: "orders", Problem: fmt.Sprintf("the input %q %s: it has no order to choose; leave its order out", name, without[name])}
		}
	}
	return nil
}
