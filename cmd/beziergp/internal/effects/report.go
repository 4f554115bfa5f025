package effects

import (
	"math"

	"beziergp/analysis"
)

var nan = math.NaN()

// report is what --json prints; programs rely on the names.
type report struct {
	Scale string `json:"scale"`
	// Base and laws are of effects over all inputs, and Over of effects over rows.
	Base *number           `json:"base,omitempty"`
	Laws map[string]string `json:"laws,omitempty"`
	// LowerBound says that std is one, of the base and of effects.
	LowerBound bool `json:"lower_bound,omitempty"`
	*over
	Effects []effect `json:"effects"`
}

// over is the rows that effects are taken over.
type over struct {
	Kind string `json:"kind"`
	Rows int    `json:"rows"`
	// Sampled is how many of them effects are estimated from; 0 where they are exact.
	Sampled int `json:"estimated_from,omitempty"`
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
	Std    []float64 `json:"std,omitempty"`
	Error  []float64 `json:"std_error,omitempty"`
}

func (e *found) report() report {
	r := report{Scale: e.scale, LowerBound: e.lowerBound, over: e.rows, Effects: []effect{}}
	if e.rows == nil {
		r.Base, r.Laws = (*number)(&e.base), map[string]string{}
		for i, in := range e.inputs {
			r.Laws[in.Name] = e.laws[i]
		}
	}
	for _, own := range e.effects {
		r.Effects = append(r.Effects, e.effect(own))
	}
	return r
}

func (e *found) effect(own analysis.Effect) effect {
	out := effect{Mean: own.Mean, Std: own.Std}
	if e.rows != nil {
		out.Std, out.Error = nil, own.Std
	}
	for n, i := range own.Inputs {
		in := e.inputs[i]
		out.Inputs = append(out.Inputs, in.Name)
		if _, ok := e.text(in, 0); !ok {
			out.Grid = append(out.Grid, own.Grid[n])
			continue
		}
		var names []string
		for _, v := range own.Grid[n] {
			name, _ := e.text(in, v)
			names = append(names, name)
		}
		out.Grid = append(out.Grid, names)
	}
	return out
}
