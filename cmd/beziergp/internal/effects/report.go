package effects

import (
	"math"

	"beziergp/analysis"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/table"
)

var nan = math.NaN()

// report is what --json prints; programs rely on the names.
type report struct {
	Scale   string            `json:"scale"`
	Base    number            `json:"base"`
	Laws    map[string]string `json:"laws"`
	Effects []effect          `json:"effects"`
}

type number struct {
	Mean float64 `json:"mean"`
	Std  float64 `json:"std"`
}

// effect has the values or the levels of every input.
type effect struct {
	Inputs []string  `json:"inputs"`
	Grid   []any     `json:"values"`
	Mean   []float64 `json:"mean"`
	Std    []float64 `json:"std"`
}

func (e *found) report() report {
	r := report{Scale: e.scale, Base: number(e.base), Laws: map[string]string{}}
	for i, in := range e.a.Inputs() {
		r.Laws[in.Name] = e.a.Law(i).String()
	}
	for _, own := range e.effects {
		r.Effects = append(r.Effects, e.effect(own))
	}
	return r
}

func (e *found) effect(own analysis.Effect) effect {
	out := effect{Mean: own.Mean, Std: own.Std}
	for n, i := range own.Inputs {
		in := e.a.Inputs()[i]
		out.Inputs = append(out.Inputs, in.Name)
		if in.Kind != table.Category {
			out.Grid = append(out.Grid, own.Grid[n])
			continue
		}
		var names []string
		for _, v := range own.Grid[n] {
			names = append(names, laws.Level(in, v))
		}
		out.Grid = append(out.Grid, names)
	}
	return out
}
