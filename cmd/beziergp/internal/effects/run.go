package effects

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"beziergp/analysis"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
)

const (
	points     = 41
	pairPoints = 21
)

// Run tells the effects of the inputs of a model from a file.
func Run(ctx context.Context, s streams.Streams, file string, o *Options) error {
	if err := o.Laws.Check(); err != nil {
		return err
	}
	if o.JSON && o.Out == sink.Stdout {
		return exit.Usagef("--json and --out - both write to standard output; give --out a file")
	}
	if err := sink.Apart(s.In, s.Out, append(sink.Reads("MODEL", file), sink.Writes("--out", o.Out), sink.Writes("--plot", o.Plot))...); err != nil {
		return err
	}
	loaded, err := apply.Load(ctx, s, file)
	if err != nil {
		return err
	}
	m, err := laws.Process(file, loaded, "effects")
	if err != nil {
		return err
	}
	a, err := o.Laws.Analysis(s, file, m)
	if err != nil {
		return err
	}
	laws.Note(s, m)
	e, err := o.find(a, file)
	if err != nil {
		return err
	}
	e.scale = laws.Unit(m.Target())
	if o.Plot != "" {
		drawn, err := e.picture().Draw()
		if err != nil {
			return err
		}
		if err := sink.Picture(ctx, o.Plot, drawn, s.Out); err != nil {
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
	case o.Out == sink.Stdout:
		return nil
	case len(o.Of) == 0:
		return e.printRanges(s.Out)
	}
	return e.print(s.Out)
}

// found is the effects that were asked for.
type found struct {
	a       *analysis.Analysis
	scale   string
	base    analysis.Number
	effects []analysis.Effect
}

// find returns the effects of all inputs, or of those asked for.
func (o *Options) find(a *analysis.Analysis, file string) (*found, error) {
	singles, pairs, err := o.asked(a)
	if err != nil {
		return nil, laws.Coded(file, err)
	}
	grids := make([][]float64, len(a.Inputs()))
	for _, i := range singles {
		grids[i] = a.Grid(i, cmp.Or(o.Points, points))
	}
	all := a.Effects(grids)
	e := &found{a: a, base: all.Base}
	if len(o.Of) == 0 {
		e.effects = all.Effects
		slices.SortStableFunc(e.effects, func(p, q analysis.Effect) int { return cmp.Compare(width(q), width(p)) })
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

// width returns how far an effect goes.
func width(e analysis.Effect) float64 { return slices.Max(e.Mean) - slices.Min(e.Mean) }

// asked returns the inputs and the pairs that are asked for: all inputs by default. A name may
// hold a comma.
func (o *Options) asked(a *analysis.Analysis) (singles []int, pairs [][2]int, err error) {
	if len(o.Of) == 0 {
		for i := range a.Inputs() {
			singles = append(singles, i)
		}
		return singles, nil, nil
	}
	for _, text := range o.Of {
		if i, err := a.Input(text); err == nil {
			if !slices.Contains(singles, i) {
				singles = append(singles, i)
			}
			continue
		}
		pair, err := pairOf(a, text)
		if err != nil {
			return nil, nil, err
		}
		pairs = append(pairs, pair)
	}
	return singles, pairs, nil
}

// pairOf reads two names with a comma between them.
func pairOf(a *analysis.Analysis, text string) (pair [2]int, err error) {
	_, err = a.Input(text)
	for at := range text {
		if text[at] != ',' {
			continue
		}
		first, bad := a.Input(text[:at])
		second, worse := a.Input(text[at+1:])
		switch {
		case bad == nil && worse == nil && first == second:
			return pair, exit.Usagef("--of %s: the effect of two inputs is of two that differ", text)
		case bad == nil && worse == nil:
			return [2]int{first, second}, nil
		case bad == nil:
			err = worse
		case strings.Count(text, ",") == 1:
			err = bad
		}
	}
	return pair, err
}
