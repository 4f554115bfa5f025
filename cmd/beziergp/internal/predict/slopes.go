package predict

import (
	"context"
	"slices"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/explain"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/table/exact"
)

// slopes are columns of derivatives by the inputs.
type slopes struct {
	ctx      context.Context
	gradient *explain.Gradient
	columns  []int // of the model, that have some
	all      []string
	values   explain.Gradients
}

// newSlopes returns those of a model.
func (o *Options) newSlopes(ctx context.Context, m serve.Model) (*slopes, error) {
	own, ok := m.(*model.Model)
	if !ok {
		return nil, exit.Dataf("--gradient: the model is of another method than bezier, and has no derivatives; leave it out")
	}
	if o.Policy == box.Extrapolate {
		return nil, exit.Usagef("--gradient: --out-of-box %s is for other methods than bezier", o.Policy)
	}
	s := &slopes{ctx: ctx}
	fields := box.New(own.Inputs())
	for k, c := range fields.Columns() {
		if c.Kind != table.Category {
			s.columns = append(s.columns, k)
		}
	}
	for _, of := range []string{"d_mean/d_", "d_std_f/d_"} {
		for _, k := range s.columns {
			name := of + fields.Columns()[k].Name
			if slices.Contains(o.Keep, name) {
				return nil, exit.Usagef("--keep: two columns of the predictions would be called %q; do not keep it", name)
			}
			s.all = append(s.all, name)
		}
	}
	var err error
	if s.gradient, err = explain.NewGradient(own, explain.Options{Workers: o.Workers, Policy: o.Policy}); err != nil {
		return nil, exit.Dataf("--gradient: %w", err)
	}
	return s, nil
}

// names returns those of the columns; none of nil.
func (s *slopes) names() []string {
	if s == nil {
		return nil
	}
	return s.all
}

// of returns the columns of a block.
func (s *slopes) of(b *apply.Block) (all []*exact.Column, err error) {
	if err := s.gradient.Gradients(s.ctx, b.Inputs, &s.values); err != nil {
		return nil, err
	}
	width := len(s.values.Columns)
	for _, values := range [][]float64{s.values.Mean, s.values.Std} {
		for _, k := range s.columns {
			own := make([]float64, len(values)/width)
			for row := range own {
				own[row] = values[row*width+k]
			}
			all = append(all, exact.Numbers(own))
		}
	}
	return all, nil
}
