package effects

import (
	"cmp"
	"context"
	"slices"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/serve"
)

const (
	points     = 41
	pairPoints = 21
)

// Run tells the effects of the inputs of a model from a file, over the rows of a table where there
// is one: a file's name, or of a query none.
func Run(ctx context.Context, s streams.Streams, file string, data *string, o *Options) error {
	files, err := o.check(file, data)
	if err != nil {
		return err
	}
	if err := sink.Apart(s.In, s.Out, files...); err != nil {
		return err
	}
	loaded, err := apply.LoadFunction(ctx, s, file, o.Output, o.Class, "effects")
	if err != nil {
		return err
	}
	var e *found
	if data == nil {
		e, err = o.overInputs(s, file, loaded)
	} else {
		e, err = o.overRows(ctx, s, file, loaded, *data)
	}
	if err != nil {
		return err
	}
	return o.tell(ctx, s, e)
}

// check refuses flags that contradict each other, and returns the files.
func (o *Options) check(file string, data *string) ([]sink.File, error) {
	files := append(sink.Reads("MODEL", file), sink.Writes("--out", o.Out), sink.Writes("--plot", o.Plot))
	switch {
	case o.JSON && o.Out == sink.Stdout:
		return nil, exit.Usagef("--json and --out - both write to standard output; give --out a file")
	case data == nil && o.Ice != "":
		return nil, exit.Usagef("--ice tells of rows, and there are none: give DATA")
	case data == nil && o.ALE:
		return nil, exit.Usagef("--ale is over rows, and there are none: give DATA")
	case data == nil && o.ofRows != "":
		return nil, exit.Usagef("--%s is about rows, and there are none: give DATA", o.ofRows)
	case data != nil && !o.Laws.None():
		return nil, exit.Usagef("DATA has rows, in which inputs are as they are: leave out --input, --at and --truncate, or DATA")
	case data != nil:
		if o.Ice == sink.Stdout && (o.JSON || o.Out == sink.Stdout) {
			return nil, exit.Usagef("--ice - and --json or --out - both write to standard output; give one a file")
		}
		return append(append(files, sink.Writes("--ice", o.Ice)), o.Source.Reads(*data)...), nil
	}
	return files, o.Laws.Check()
}

// overInputs returns effects in closed form.
func (o *Options) overInputs(s streams.Streams, file string, loaded serve.Model) (*found, error) {
	if _, ok := loaded.(*model.Model); !ok {
		return nil, exit.Dataf("%s is a model of another method than bezier, which has no closed forms: give DATA, rows to estimate effects from", file)
	}
	m, err := laws.Process(file, loaded, "effects")
	if err != nil {
		return nil, err
	}
	a, err := o.Laws.Analysis(s, file, m)
	if err != nil {
		return nil, err
	}
	lowerBound := laws.Note(s, m)
	e, err := o.find(a, file)
	if err != nil {
		return nil, err
	}
	e.lowerBound = lowerBound
	e.scale = laws.Unit(m.Target())
	return e, nil
}

// tell writes what is found to where it is asked for.
func (o *Options) tell(ctx context.Context, s streams.Streams, e *found) error {
	if o.Plot != "" {
		drawn, err := e.picture().Draw()
		if err != nil {
			return err
		}
		if err := sink.Picture(ctx, o.Plot, drawn, s.Out); err != nil {
			return err
		}
	}
	if o.Ice != "" {
		names, columns := e.curveColumns()
		if err := sink.WriteTable(ctx, o.Ice, s.Out, names, columns...); err != nil {
			return err
		}
	}
	if o.Out != "" {
		names, columns := e.columns()
		if err := sink.WriteTable(ctx, o.Out, s.Out, names, columns...); err != nil {
			return err
		}
	}
	switch {
	case o.JSON:
		encoder := printable.Encoder(s.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(e.report())
	case o.Out == sink.Stdout || o.Ice == sink.Stdout:
		return nil
	case len(o.Of) == 0:
		return e.printRanges(s.Out)
	}
	return e.print(s.Out)
}

// found is the effects that were asked for.
type found struct {
	inputs     []box.Input
	scale      string
	lowerBound bool            // whether deviations are
	base       analysis.Number // of effects over all inputs, as laws are
	laws       []string
	rows       *over // nil for effects over all inputs
	effects    []analysis.Effect
	curves     []curve
}

// find returns the effects of all inputs, or of those asked for.
func (o *Options) find(a *analysis.Analysis, file string) (*found, error) {
	singles, pairs, err := o.asked(namesOf(a.Inputs()))
	if err != nil {
		return nil, laws.Coded(file, err)
	}
	grids := make([][]float64, len(a.Inputs()))
	for _, i := range singles {
		grids[i] = a.Grid(i, cmp.Or(o.Points, points))
	}
	all := a.Effects(grids)
	e := &found{inputs: a.Inputs(), base: all.Base}
	for i := range a.Inputs() {
		e.laws = append(e.laws, a.Law(i).String())
	}
	if len(o.Of) == 0 {
		e.effects = all.Effects
		e.sort()
		return e, nil
	}
	for _, i := range singles {
		at := slices.IndexFunc(all.Effects, func(f analysis.Effect) bool { return f.Inputs[0] == i })
		e.effects = append(e.effects, all.Effects[at])
	}
	for _, p := range pairs {
		n := cmp.Or(o.Points, pairPoints)
		e.effects = append(e.effects, a.Pair(p[0], p[1], a.Grid(p[0], n), a.Grid(p[1], n)))
	}
	return e, nil
}

// sort puts the widest first.
func (e *found) sort() {
	slices.SortStableFunc(e.effects, func(p, q analysis.Effect) int { return cmp.Compare(width(q), width(p)) })
}

// width returns how far an effect goes.
func width(e analysis.Effect) float64 { return slices.Max(e.Mean) - slices.Min(e.Mean) }
