package effects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/explain"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/table"
)

// byColumn returns the inputs of a model whose predictions alone can be asked for: its columns. A
// date-time is one, in seconds.
func byColumn(m serve.Model) (all []box.Input) {
	b := box.New(m.Inputs())
	for i, in := range b.Inputs {
		if b.Column(i) < len(all) {
			continue // another part of a date-time
		}
		if in.Part != "" {
			in = box.Input{Name: in.Column, Kind: table.DateTime, Lo: math.NaN(), Hi: math.NaN()}
		}
		all = append(all, in)
	}
	return all
}

// estimator asks a model about rows with a column replaced.
type estimator struct {
	*reading
	m         serve.Model
	options   model.PredictOptions
	columns   [][]float64
	done, all int64
}

// estimate finds effects of a model of any kind from its predictions of a sample of the rows.
func (o *Options) estimate(ctx context.Context, r *reading, m serve.Model, e *found, asked []int) error {
	x := &estimator{reading: r, m: m, options: model.PredictOptions{Workers: o.Workers, Policy: cmp.Or(o.Policy, m.Policy()), MeanAlone: true}}
	if err := r.each(ctx, m, func([][]float64) error { return nil }); err != nil {
		return err
	}
	var numbers []int64
	x.columns, numbers = r.sample.columns()
	if err := x.leaveOut(ctx, &numbers); err != nil {
		return err
	}
	e.rows.Rows, e.rows.Sampled = r.rows, len(numbers)
	grids := make([][]float64, len(e.inputs))
	for _, i := range asked {
		in := &e.inputs[i]
		if in.Kind == table.DateTime && in.Part == "" {
			known := slices.DeleteFunc(slices.Clone(x.columns[i]), math.IsNaN)
			if len(known) == 0 {
				continue
			}
			in.Lo, in.Hi = slices.Min(known), slices.Max(known)
		}
		if !o.ALE || o.Ice != "" {
			grids[i] = o.grid(*in)
			x.all += int64(len(grids[i]))
		}
		if o.ALE {
			x.all += 2
		}
	}
	for _, i := range asked {
		own := analysis.Effect{Inputs: []int{i}}
		if grids[i] != nil {
			values, err := x.along(ctx, i, grids[i])
			if err != nil {
				return err
			}
			if o.Ice != "" {
				e.curves = append(e.curves, curve{i, grids[i], numbers, values})
			}
			if !o.ALE {
				own.Grid = [][]float64{grids[i]}
				own.Mean, own.Std = averages(values, len(grids[i]), r.rows)
			}
		}
		if o.ALE {
			if err := x.accumulate(ctx, i, &own); err != nil {
				return err
			}
		}
		if own.Grid != nil {
			e.effects = append(e.effects, own)
		}
	}
	r.s.Console.EndProgress()
	r.s.Console.Note(fmt.Sprintf("a model of another method than bezier has no closed forms: effects are estimates from its predictions of %d of %d rows", len(numbers), r.rows),
		slog.String("event", "estimated"), slog.Int("sampled", len(numbers)), slog.Int("rows", r.rows))
	return nil
}

// predict returns the means of the sampled rows with a column in the place of its own; nil for none.
func (x *estimator) predict(ctx context.Context, column int, values []float64) (*model.Predictions, error) {
	p, err := x.m.NewPredictor(x.options)
	if err != nil {
		return nil, exit.Dataf("%w", err)
	}
	defer p.Close()
	columns := slices.Clone(x.columns)
	if values != nil {
		columns[column] = values
	}
	var out model.Predictions
	if err := p.Predict(ctx, columns, &out); err != nil {
		return nil, err
	}
	x.done++
	if x.all > 0 {
		x.s.Console.Update(console.State{Task: "predicting", Done: x.done, Total: x.all, Unit: "step"})
	}
	return &out, nil
}

// leaveOut takes rows outside what the model knows out of the sample, where the policy does so, and
// warns of them where it does not.
func (x *estimator) leaveOut(ctx context.Context, numbers *[]int64) error {
	p, err := x.predict(ctx, 0, nil)
	var row box.RowError
	if errors.As(err, &row) {
		problem, remedy := source.FaultOf(row)
		return exit.Dataf("%s, row %d, column %s: %s; %s", source.Name(x.data), (*numbers)[row.At().Row-1], printable.Quoted(row.At().Column), problem, remedy)
	}
	if err != nil {
		return exit.Dataf("%s: %w", source.Name(x.data), err)
	}
	x.done = 0
	if x.options.Policy != box.Flag {
		outside := apply.NewOutside(x.m.Inputs())
		outside.Add(x.columns, p.InBox)
		outside.Warn(x.s, len(p.InBox), x.options.Policy)
		return nil
	}
	keep := func(i int) bool { return p.InBox[i] }
	for k := range x.columns {
		x.columns[k] = kept(x.columns[k], keep)
	}
	if *numbers = kept(*numbers, keep); len(*numbers) == 0 {
		return allOutside(x.data)
	}
	return nil
}

func kept[T any](all []T, keep func(int) bool) (some []T) {
	for i, v := range all {
		if keep(i) {
			some = append(some, v)
		}
	}
	return some
}

// along returns predictions with a column at values, [rows, values].
func (x *estimator) along(ctx context.Context, column int, grid []float64) ([]float64, error) {
	n := len(x.columns[0])
	out := make([]float64, n*len(grid))
	for k, v := range grid {
		p, err := x.predict(ctx, column, slices.Repeat([]float64{v}, n))
		if err != nil {
			return nil, err
		}
		for row, mean := range p.Mean {
			out[row*len(grid)+k] = mean
		}
	}
	return out, nil
}

// averages returns means over rows with their standard errors as estimates of those over all rows
// that these were drawn from.
func averages(values []float64, width, all int) (mean, errors []float64) {
	n := len(values) / width
	for k := range width {
		var sum, squares float64
		for row := range n {
			sum += values[row*width+k]
		}
		sum /= float64(n)
		for row := range n {
			squares += (values[row*width+k] - sum) * (values[row*width+k] - sum)
		}
		mean = append(mean, sum)
		rest := max(0, 1-float64(n)/float64(all))
		errors = append(errors, math.Sqrt(rest*squares/float64(max(1, n-1))/float64(n)))
	}
	return mean, errors
}

// accumulate fills in the accumulated local effects of a column, by the definition that
// explain.Accumulation has.
func (x *estimator) accumulate(ctx context.Context, column int, out *analysis.Effect) error {
	values := x.columns[column]
	edges := explain.Quantiles(values, cmp.Or(x.Points, points)-1)
	if len(edges) == 0 {
		return nil
	}
	bins := make([]int, len(values))
	from, to := slices.Clone(values), slices.Clone(values)
	for i, v := range values {
		if bins[i] = explain.Interval(edges, v); bins[i] >= 0 {
			from[i], to[i] = edges[bins[i]], edges[bins[i]+1]
		}
	}
	low, err := x.predict(ctx, column, from)
	if err != nil {
		return err
	}
	high, err := x.predict(ctx, column, to)
	if err != nil {
		return err
	}
	sums, counts := make([]float64, len(edges)-1), make([]int, len(edges)-1)
	for i, k := range bins {
		if k >= 0 {
			sums[k] += high.Mean[i] - low.Mean[i]
			counts[k]++
		}
	}
	out.Grid, out.Mean = [][]float64{edges}, explain.Accumulate(sums, counts)
	return nil
}
