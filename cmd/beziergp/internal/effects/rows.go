package effects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/explain"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/table"
)

const (
	partial     = "partial dependence"
	accumulated = "accumulated local effects"
)

// overRows returns effects over the rows of a table.
func (o *Options) overRows(ctx context.Context, s streams.Streams, file string, loaded serve.Model, data string) (*found, error) {
	e := &found{inputs: loaded.Inputs(), scale: loaded.Target().Name, rows: &over{Kind: partial}}
	if o.ALE {
		e.rows.Kind = accumulated
	}
	m, closed := loaded.(*model.Model)
	if !closed {
		e.inputs = byColumn(loaded)
	}
	asked, err := o.askedOne(e.inputs, file)
	if err != nil {
		return nil, err
	}
	asked = o.ordered(s, e.inputs, asked)
	r := &reading{Options: o, s: s, data: data, sample: newSample(o.Seed)}
	if closed {
		err = o.exactly(ctx, r, m, e, asked, file)
	} else {
		err = o.estimate(ctx, r, loaded, e, asked)
	}
	if err != nil {
		return nil, err
	}
	if len(e.effects) == 0 {
		return nil, exit.Dataf("%s: no input has an effect to tell of these rows: accumulated local effects are of numbers that the rows have", source.Name(data))
	}
	if len(o.Of) == 0 {
		e.sort()
	}
	return e, nil
}

// askedOne returns the inputs that are asked for; there are no pairs over rows.
func (o *Options) askedOne(inputs []box.Input, file string) ([]int, error) {
	all := namesOf(inputs)
	singles, pairs, err := o.asked(all)
	if err != nil {
		return nil, laws.Coded(file, err)
	}
	if len(pairs) > 0 {
		return nil, exit.Usagef("--of %s,%s: over the rows of DATA effects are of one input each; leave DATA out for that of two", all[pairs[0][0]], all[pairs[0][1]])
	}
	if !o.ALE {
		return singles, nil
	}
	for _, i := range singles {
		if len(o.Of) > 0 && inputs[i].Kind == table.Category {
			return nil, exit.Usagef("--of %s: it is a category, whose levels have no order along which effects accumulate; leave --ale out", all[i])
		}
	}
	return singles, nil
}

// ordered leaves out categories where effects accumulate, and says so.
func (o *Options) ordered(s streams.Streams, inputs []box.Input, asked []int) (kept []int) {
	var left []string
	for _, i := range asked {
		if o.ALE && inputs[i].Kind == table.Category {
			left = append(left, printable.Quoted(inputs[i].Name))
			continue
		}
		kept = append(kept, i)
	}
	if len(left) > 0 {
		s.Console.Note("categories have no order along which effects accumulate, and are left out: "+strings.Join(left, ", "), slog.String("event", "unordered"))
	}
	return kept
}

// grid returns the values of an input at which it is shown.
func (o *Options) grid(in box.Input) []float64 { return analysis.Grid(in, cmp.Or(o.Points, points)) }

// reading goes over the rows of DATA.
type reading struct {
	*Options
	s      streams.Streams
	data   string
	sample *sample
	rows   int
}

// each calls f with every block of rows, by the columns of a model, and draws the sample.
func (r *reading) each(ctx context.Context, m serve.Model, f func(columns [][]float64) error) error {
	if err := r.Source.CheckSplit(); err != nil {
		return err
	}
	from := r.Source
	if from.Missing == nil {
		from.Missing = m.Missing()
	}
	t, err := source.Open(ctx, r.data, from, true, r.s, "reading", m.Columns())
	if err != nil {
		return err
	}
	defer t.Close()
	var names []string
	for _, c := range m.Columns() {
		names = append(names, c.Name)
	}
	if err := t.Select(names...); err != nil {
		return err
	}
	block, columns := t.Block(), make([][]float64, len(names))
	for {
		n, err := t.Next(ctx, block)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		for k := range columns {
			columns[k] = block[k][:n]
		}
		r.rows += n
		r.sample.add(columns, t.Rows())
		if err := f(columns); err != nil {
			return laws.Located(ctx, t, err)
		}
	}
	r.s.Console.EndProgress()
	if r.rows == 0 {
		return exit.Dataf("%s: there are no rows", source.Name(r.data))
	}
	return nil
}

// exactly finds effects of a Bézier process.
func (o *Options) exactly(ctx context.Context, r *reading, m *model.Model, e *found, asked []int, file string) error {
	if o.seeded && o.Ice == "" {
		return exit.Usagef("--seed draws the rows of --ice, and nothing else is drawn: name a file for their curves, or leave it out")
	}
	if o.Policy == box.Extrapolate {
		return exit.Usagef("--out-of-box %s is for other methods than bezier", o.Policy)
	}
	e.scale = laws.Unit(m.Target())
	how := explain.Options{Workers: o.Workers, Policy: o.Policy}
	d, err := explain.NewDependence(m, how)
	if errors.Is(err, explain.ErrNeighbours) {
		return exit.Dataf("%s: %w", file, err)
	}
	if err != nil {
		return err
	}
	defer d.Close()
	all := make([][]float64, len(m.Columns()))
	err = r.each(ctx, m, func(columns [][]float64) error {
		if !o.ALE {
			return d.Add(ctx, columns)
		}
		for k, c := range columns {
			all[k] = append(all[k], c...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	outside := d.Outside()
	if o.ALE {
		outside, err = o.accumulate(ctx, r, m, how, all, e, asked)
	} else {
		err = o.depend(d, e, asked, r.data)
	}
	if err != nil {
		return err
	}
	warnOutside(r.s, m.Inputs(), outside, cmp.Or(o.Policy, m.Policy()))
	if t := m.Target(); t.Transform != box.Identity {
		r.s.Console.Note(fmt.Sprintf("the model learned %s: values are on that scale", laws.Unit(t)), slog.String("event", "transformed"), slog.String("scale", laws.Unit(t)))
	}
	if o.Ice == "" {
		return nil
	}
	columns, numbers := r.sample.columns()
	for _, i := range asked {
		grid := o.grid(e.inputs[i])
		values, err := d.ICEScale(ctx, columns, i, grid)
		if err != nil {
			return err
		}
		e.curves = append(e.curves, curve{i, grid, numbers, values})
	}
	r.noteSample("curves are of")
	return nil
}

// noteSample says of how many rows something is, where they are drawn.
func (r *reading) noteSample(what string) {
	if n := len(r.sample.rows); n < r.rows {
		r.s.Console.Note(fmt.Sprintf("%s %d of %d rows, drawn by --seed %d", what, n, r.rows, r.Seed),
			slog.String("event", "sampled"), slog.Int("sampled", n), slog.Int("rows", r.rows))
	}
}

func allOutside(data string) error {
	return exit.Dataf("%s: all rows lie outside what the model knows, and --out-of-box %s leaves these out", source.Name(data), box.Flag)
}

// depend tells of partial dependence.
func (o *Options) depend(d *explain.Dependence, e *found, asked []int, data string) error {
	if e.rows.Rows = d.Rows(); e.rows.Rows == 0 {
		return allOutside(data)
	}
	for _, i := range asked {
		grid := o.grid(e.inputs[i])
		e.effects = append(e.effects, analysis.Effect{Inputs: []int{i}, Grid: [][]float64{grid}, Mean: d.AtScale(i, grid)})
	}
	return nil
}

// accumulate tells of accumulated local effects over rows in memory.
func (o *Options) accumulate(ctx context.Context, r *reading, m *model.Model, how explain.Options, columns [][]float64, e *found, asked []int) ([]int, error) {
	edges, err := explain.Edges(m, columns, cmp.Or(o.Points, points)-1, how)
	if err != nil {
		return nil, err
	}
	a, err := explain.NewAccumulation(m, edges, how)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	const block = 1 << 11
	part := make([][]float64, len(columns))
	for from, n := 0, len(columns[0]); from < n; from += block {
		for k, c := range columns {
			part[k] = c[from:min(from+block, n)]
		}
		if err := a.Add(ctx, part); err != nil {
			return nil, err
		}
		r.s.Console.Update(console.State{Task: "accumulating", Done: int64(min(from+block, n)), Total: int64(n), Unit: "row"})
	}
	r.s.Console.EndProgress()
	if e.rows.Rows = a.Rows(); e.rows.Rows == 0 {
		return nil, allOutside(r.data)
	}
	for _, i := range asked {
		if len(edges[i]) == 0 {
			r.s.Console.Note(fmt.Sprintf("%s has no value in any row, and is left out", printable.Quoted(e.inputs[i].Name)), slog.String("event", "empty"))
			continue
		}
		e.effects = append(e.effects, analysis.Effect{Inputs: []int{i}, Grid: [][]float64{edges[i]}, Mean: a.Of(i)})
	}
	return a.Outside(), nil
}

// warnOutside warns of values outside what the model knows.
func warnOutside(s streams.Streams, inputs []box.Input, outside []int, policy box.Policy) {
	const most = 3
	total, blamed := 0, []string(nil)
	for i, n := range outside {
		if total += n; n > 0 && len(blamed) < most {
			blamed = append(blamed, fmt.Sprintf("%s in %d", printable.Quoted(inputs[i].Name), n))
		}
	}
	if total == 0 {
		return
	}
	become := "are moved to the nearest bound, or as unknown levels taken as rare or missing"
	if policy == box.Flag {
		become = "are left out with their rows"
	}
	s.Console.Warn(fmt.Sprintf("%d values lie outside what the model knows and %s: %s", total, become, strings.Join(blamed, ", ")),
		slog.String("event", "outside_box"), slog.Int("values", total))
}
