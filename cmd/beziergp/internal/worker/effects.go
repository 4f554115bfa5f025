//go:build !lean && !wasm

package worker

import (
	"cmp"
	"slices"

	"beziergp/analysis"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/table"
)

type moments struct {
	Mean number `json:"mean"`
	Std  number `json:"std"`
}

// effect is that of an input or two over grids.
type effect struct {
	Inputs []string `json:"inputs"`
	Grid   []any    `json:"values"`
	Mean   []number `json:"mean"`
	Std    []number `json:"std"`
}

// Points of a grid, as the verb effects has them.
const (
	points     = 41
	pairPoints = 21
)

// effects returns those of all inputs, or of those asked for, one or two each.
func effects(r *request) (any, []byte, error) {
	var o struct {
		inputs
		Of     [][]string `json:"of"`
		Points int        `json:"points"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	if o.Points < 0 || o.Points == 1 || o.Points > 10_000 {
		return nil, nil, exit.Usagef("points: %d; it must be from 2 to 10000", o.Points)
	}
	a, err := o.analysis(r)
	if err != nil {
		return nil, nil, err
	}
	grids := make([][]float64, len(a.Inputs()))
	if o.Of == nil {
		for _, in := range a.Inputs() {
			o.Of = append(o.Of, []string{in.Name})
		}
	}
	var asked [][]int
	for _, names := range o.Of {
		var own []int
		for _, name := range names {
			i, err := a.Input(name)
			if err != nil {
				return nil, nil, err
			}
			own = append(own, i)
		}
		if len(own) < 1 || len(own) > 2 || len(own) == 2 && own[0] == own[1] {
			return nil, nil, exit.Usagef("of: %q; an effect is of one input, or of two that differ", names)
		}
		if len(own) == 1 {
			grids[own[0]] = a.Grid(own[0], cmp.Or(o.Points, points))
		}
		asked = append(asked, own)
	}
	all := a.Effects(grids)
	found := make([]effect, len(asked))
	for k, own := range asked {
		if len(own) == 2 {
			n := cmp.Or(o.Points, pairPoints)
			found[k] = effectOf(a, a.Pair(own[0], own[1], a.Grid(own[0], n), a.Grid(own[1], n)))
			continue
		}
		at := slices.IndexFunc(all.Effects, func(e analysis.Effect) bool { return e.Inputs[0] == own[0] })
		found[k] = effectOf(a, all.Effects[at])
	}
	return struct {
		Base    moments  `json:"base"`
		Effects []effect `json:"effects"`
	}{momentsOf(all.Base), found}, nil, nil
}

func momentsOf(n analysis.Number) moments { return moments{number(n.Mean), number(n.Std)} }

func effectOf(a *analysis.Analysis, e analysis.Effect) effect {
	out := effect{Mean: numbersOf(e.Mean), Std: numbersOf(e.Std)}
	for n, i := range e.Inputs {
		in := a.Inputs()[i]
		out.Inputs = append(out.Inputs, in.Name)
		if in.Kind != table.Category {
			out.Grid = append(out.Grid, numbersOf(e.Grid[n]))
			continue
		}
		names := make([]string, len(e.Grid[n]))
		for k, v := range e.Grid[n] {
			names[k] = in.Level(v)
		}
		out.Grid = append(out.Grid, names)
	}
	return out
}
