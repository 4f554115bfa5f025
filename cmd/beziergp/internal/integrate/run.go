package integrate

import (
	"cmp"
	"context"
	"runtime"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/table"
)

// Run averages the function of a model from a file, the first of args, over the rows of a
// table, the second, or over its inputs.
func Run(ctx context.Context, s streams.Streams, args []string, o *Options) error {
	if err := o.check(args); err != nil {
		return err
	}
	file, data := args[0], source.Data(args, 1)
	files := sink.Reads("MODEL", file)
	if o.overRows(args) {
		files = append(append(files, o.Source.Reads(data)...), sink.Reads("--minus", o.Minus)...)
	}
	if err := sink.Apart(s.In, s.Out, files...); err != nil {
		return err
	}
	loaded, err := apply.LoadFunction(ctx, s, file, o.Output, o.Class, "integrate")
	if err != nil {
		return err
	}
	r := &report{Total: o.Total}
	if m, closed := loaded.(*model.Model); closed {
		err = o.exactly(ctx, s, m, args, r)
	} else {
		err = o.estimate(ctx, s, loaded, args, r)
	}
	if err != nil {
		return err
	}
	if o.JSON {
		encoder := printable.Encoder(s.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	return r.print(s.Out)
}

// exactly averages the function of a Bézier process.
func (o *Options) exactly(ctx context.Context, s streams.Streams, m *model.Model, args []string, r *report) error {
	switch {
	case o.Policy == box.Extrapolate:
		return exit.Usagef("--out-of-box %s is for other methods than bezier", o.Policy)
	case o.Samples > 0:
		return exit.Usagef("--samples is for estimates, of other methods than bezier: of %s nothing is sampled; leave it out", args[0])
	}
	if o.seeded && !o.overRows(args) {
		return exit.Usagef("--seed is for what is drawn, and the integral over inputs of %s is in closed form; leave it out", args[0])
	}
	r.LowerBound = laws.Note(s, m)
	r.Scale = laws.Unit(m.Target())
	if o.overRows(args) {
		return o.rows(ctx, s, m, source.Data(args, 1), r)
	}
	a, err := o.Laws.Analysis(s, args[0], m)
	if err != nil {
		return err
	}
	r.set(a.Integral())
	r.under(a)
	return nil
}

// overRows tells whether there are rows to average over.
func (o *Options) overRows(args []string) bool { return len(args) > 1 || o.Source.From != "" }

// check refuses flags that have no use.
func (o *Options) check(args []string) error {
	if err := o.Laws.Check(); err != nil {
		return err
	}
	if o.overRows(args) {
		if !o.Laws.None() {
			return exit.Usagef("--input, --at and --truncate say how inputs are distributed, and DATA has rows; leave either out")
		}
		return nil
	}
	own := o.Source
	if o.Total || o.Minus != "" || o.Policy != "" || own.Rows > 0 || own.Holdout > 0 || own.Mask.Path != "" || own.Query != "" || own.Group != "" || own.Time != "" || own.Missing != nil {
		return exit.Usagef("--total, --minus and the flags of rows need DATA")
	}
	return nil
}

// rows averages over the rows of a table.
func (o *Options) rows(ctx context.Context, s streams.Streams, m *model.Model, data string, r *report) error {
	rows, from, err := laws.Read(ctx, s, m, data, o.Source)
	if err != nil {
		return err
	}
	options := analysis.RowsOptions{Policy: o.Policy, Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0))}
	f, err := analysis.NewRows(ctx, m, rows, options)
	if err != nil {
		return laws.Located(ctx, from, err)
	}
	if o.Minus != "" {
		if f, err = o.joined(ctx, s, m, rows, options); err != nil {
			return err
		}
	}
	laws.Outside(s, f)
	w := make([]float64, f.Len())
	for i := range w {
		n, sign := rows.Rows(), 1.0
		if i >= n {
			n, sign = f.Len()-n, -1
		}
		w[i] = sign
		if !o.Total {
			w[i] /= float64(n)
		}
	}
	a, err := f.Weighted(ctx, w, o.Seed)
	if err != nil {
		return err
	}
	r.set(a.Number)
	r.Rows, r.Minus, r.StdError, r.Pairs = rows.Rows(), f.Len()-rows.Rows(), a.StdError, a.Pairs
	return nil
}

// joined reads the other table, and returns f at the rows of both.
func (o *Options) joined(ctx context.Context, s streams.Streams, m *model.Model, rows *table.Table, options analysis.RowsOptions) (*analysis.Rows, error) {
	other, from, err := laws.Read(ctx, s, m, o.Minus, source.Options{Missing: o.Source.Missing})
	if err != nil {
		return nil, err
	}
	if _, err := analysis.NewRows(ctx, m, other, options); err != nil {
		return nil, laws.Located(ctx, from, err)
	}
	return analysis.Joined(ctx, m, rows, other, options)
}
