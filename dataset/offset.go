package dataset

import (
	"cmp"
	"context"
	"fmt"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/likelihood"
	"beziergp/table"
)

// known returns the name of the column of offsets or exposures; empty for none.
func (o Options) known() string { return cmp.Or(o.Offset, o.Exposure) }

// offsetOption returns the option that names it.
func (o Options) offsetOption() string {
	if o.Exposure != "" {
		return "exposure"
	}
	return "offset"
}

// checkOffset refuses columns that cannot be an offset or an exposure.
func (o Options) checkOffset(t *table.Table) error {
	what := o.offsetOption()
	switch {
	case o.known() == "":
		return nil
	case o.Offset != "" && o.Exposure != "":
		return &limit.OptionError{Option: "offset", Problem: "an exposure is given too: give the logarithm of the one, added to the other"}
	case o.used(nil)[0] == o.known() || o.known() == o.Weights:
		return &limit.OptionError{Option: what, Problem: fmt.Sprintf("%q is the target, or the weights; it cannot be both", o.known())}
	}
	return numeric(t, what, o.known())
}

// fitOffset checks the column of offsets, if there is one.
func (s *Set) fitOffset(ctx context.Context, o Options) error {
	if s.columns.offset < 0 {
		return nil
	}
	s.Offset = &box.OffsetColumn{Column: o.known(), Exposure: o.Exposure != ""}
	return s.offsets(ctx)(func([]float64) error { return nil })
}

// offsets visits the offsets of all rows; nil where there are none.
func (s *Set) offsets(ctx context.Context) likelihood.Values {
	if s.columns.offset < 0 {
		return nil
	}
	return func(visit func([]float64) error) error {
		row := 0
		return values(ctx, s.rows, s.columns.offset, func(part []float64) error {
			own := make([]float64, len(part))
			for i, v := range part {
				row++
				var err error
				if own[i], err = s.Offset.Of(v); err != nil {
					err.(box.RowError).At().Row = row
					return err
				}
			}
			return visit(own)
		})
	}
}

// OffsetValues returns the offsets of all rows; nil where there are none.
func (s *Set) OffsetValues(ctx context.Context) (all []float64, err error) {
	if visit := s.offsets(ctx); visit != nil {
		err = visit(func(part []float64) error {
			all = append(all, part...)
			return nil
		})
	}
	return all, err
}
