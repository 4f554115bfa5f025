package inspect

import (
	"math"

	"beziergp/box"
	"beziergp/model"
)

// description is what inspect prints; programs rely on the names.
type description struct {
	File     string         `json:"file"`
	Bytes    int64          `json:"bytes"`
	Format   int            `json:"format"`
	Target   target         `json:"target"`
	Noise    float64        `json:"noise"`
	Policy   box.Policy     `json:"out_of_box"`
	Inputs   []input        `json:"inputs"`
	Groups   []group        `json:"groups"`
	Weights  int            `json:"weights"`
	Training model.Training `json:"training"`
}

type target struct {
	Name      string  `json:"name"`
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

type input struct {
	Name     string  `json:"name"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	Declared bool    `json:"declared"`
	Constant bool    `json:"constant"`
}

type group struct {
	Orders             []int   `json:"orders"`
	Orderings          int     `json:"orderings"`
	Log10ControlPoints float64 `json:"log10_control_points"`
}

func describe(m *model.Model, file string, bytes int64) description {
	t, q := m.Target(), m.Posterior()
	d := description{
		File: file, Bytes: bytes, Format: model.FormatVersion,
		Target: target{t.Name, t.Mean, t.SD}, Noise: m.Noise(), Policy: m.Policy(),
		Weights: len(q.Params()), Training: m.Training(),
	}
	for _, in := range m.Inputs() {
		d.Inputs = append(d.Inputs, input{in.Name, in.Lo, in.Hi, in.Declared, in.Constant()})
	}
	for g := range q.Groups() {
		own := q.Group(g)
		described := group{Orderings: own.Ensemble.Buttresses(), Log10ControlPoints: own.Ensemble.LogPaths() / math.Ln10}
		for _, b := range own.Bases {
			described.Orders = append(described.Orders, b.Nodes()-1)
		}
		d.Groups = append(d.Groups, described)
	}
	return d
}
