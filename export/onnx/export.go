// Package onnx writes what a model predicts as an ONNX graph, which runs where neither this
// program nor Go is.
//
// The graph has one tensor a column, [rows, 1]: of a category int64, the number of a level,
// else float64, and the outputs mean, std and in_box. It has operators of the standard domain
// in version 17 alone. Its steps are those of package model: the scaling of inputs is exact,
// products of states and weights are float32, or float64 where a bound says that they might
// leave float32's range, and all else is float64.
//
// Metadata under the key [MetadataKey] say in JSON what the tensors hold and what of the model
// is not in the file ([Description]). A row of which the model predicts nothing, or of which
// Predict fails, has NaN.
package onnx

import (
	"encoding/json"
	"fmt"
	"io"

	"beziergp/box"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/table"
)

// MetadataKey is that of the description in a file.
const MetadataKey = "beziergp"

// Names of the outputs.
const (
	Mean  = "mean"
	Std   = "std"
	InBox = "in_box"
)

// Options say what the file tells of itself.
type Options struct {
	// Version is that of the program that writes it.
	Version string
}

// Description is what a file says of itself.
type Description struct {
	Target  string   `json:"target"`
	Inputs  []Input  `json:"inputs"`
	Outputs []Output `json:"outputs"`
	// OutOfBox says what becomes of a row outside the box: clip, or NaN in its place.
	OutOfBox string   `json:"out_of_box"`
	Notes    []string `json:"notes"`
	// Missing lists what the model has and the file has not.
	Missing []string `json:"not_exported"`
}

// Input is a tensor that comes in.
type Input struct {
	Tensor string     `json:"tensor"`
	Column string     `json:"column"`
	Kind   table.Kind `json:"kind"`
	Holds  string     `json:"holds"`
	// Levels of a category are numbered in this order. Rare is the number of all levels that
	// were too rare in training to have one of their own, or of the first of RareLevels, and Other that of every level that
	// was not seen.
	Levels     []string    `json:"levels,omitempty"`
	Rare       *int        `json:"rare,omitempty"`
	RareLevels *RareLevels `json:"rare_levels,omitempty"`
	Other      *int        `json:"other,omitempty"`
}

// RareLevels are rare levels that have a number each, and no names: of a level that is one of them
// the first 53 bits of SHA-256(key ‖ level) are a sum, whose place, from 0 on, is added to the number of the first.
type RareLevels struct {
	Key  string   `json:"key"`  // hexadecimal
	Sums []uint64 `json:"sums"` // ascending
}

// Output is a tensor that comes out.
type Output struct {
	Tensor string `json:"tensor"`
	Holds  string `json:"holds"`
}

// most is the size of the largest message of protobuf.
const most = 1<<31 - 1

// Write writes the graph of a model. Equal models make equal bytes. It fails with a
// [*RangeError] where the graph could not compute safely, and where the model's law has no
// counterpart.
func Write(w io.Writer, m *model.Model, o Options) error {
	file, err := encode(m, o)
	if err != nil {
		return err
	}
	if len(file) > most {
		return fmt.Errorf("the ONNX file would have %d bytes, and the format holds %d: fit fewer components", len(file), most)
	}
	_, err = w.Write(file)
	return err
}

func encode(m *model.Model, o Options) ([]byte, error) {
	out := m.Output()
	if name := out.Likelihood.Name(); name != (likelihood.Gaussian{}).Name() {
		return nil, fmt.Errorf("the law of its target, %s, is not exported: predict with the program", name)
	}
	g := newGraph()
	d := Describe(m)
	tensorOf := map[string]string{}
	for _, name := range []string{Mean, Std, InBox} {
		g.names[name] = true
	}
	for _, in := range d.Inputs {
		g.names[in.Tensor], tensorOf[in.Column] = true, in.Tensor
	}
	if err := g.predict(m, tensorOf); err != nil {
		return nil, err
	}
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	graph, constants := g.encode(Mean, Std, InBox)
	graph = append(appendText(graph, 2, "beziergp"), constants...)
	for _, in := range d.Inputs {
		k := float64s
		if in.Kind == table.Category {
			k = int64s
		}
		graph = appendBytes(graph, 11, tensorInfo(in.Tensor, k, in.Holds))
	}
	for i, k := range []kind{float64s, float64s, bools} {
		graph = appendBytes(graph, 12, tensorInfo(d.Outputs[i].Tensor, k, d.Outputs[i].Holds))
	}
	const intermediate, operators = 8, 17 // the versions of the format and of the operators
	file := appendInt(nil, 1, intermediate)
	file = appendText(file, 2, "beziergp")
	if o.Version != "" {
		file = appendText(file, 3, o.Version)
	}
	file = appendText(file, 6, "Predictions of "+m.Target().Name+" by a Bézier Gaussian process; metadata "+MetadataKey+" describes the tensors, and says what is not exported.")
	file = appendBytes(file, 7, graph)
	file = appendBytes(file, 8, appendInt(appendText(nil, 1, ""), 2, operators))
	return appendBytes(file, 14, appendText(appendText(nil, 1, MetadataKey), 2, string(text))), nil
}

// predict makes the outputs of a model's columns.
func (g *graph) predict(m *model.Model, tensorOf map[string]string) error {
	o := m.Output()
	columns := g.readColumns(m.Inputs(), tensorOf)
	x, values := g.scale(columns, m.Inputs())
	inside := g.op("Not", g.any(g.op("Not", values)))
	columns, x = g.neighbours(m.Neighbours(), columns, x)

	f, err := g.surface(part{q: m.Posterior(), open: -1}, x)
	if err != nil {
		return err
	}
	// A value a row, even where it is the same in all.
	zeros := g.mul(g.cast(inside, float64s), g.number(0))
	mu := g.add(f[0], zeros)
	if o.Limits != nil {
		mu = g.clamp(mu, o.Limits.Lo, o.Limits.Hi)
	}
	variance, err := g.variance(m, columns, x)
	if err != nil {
		return err
	}
	noise, err := g.noise(&o, x, mu)
	if err != nil {
		return err
	}
	density, err := g.density(&o, x, mu, zeros)
	if err != nil {
		return err
	}
	y := prediction{
		location: g.add(g.number(o.Target.Mean), g.mul(g.number(o.Target.SD), mu)),
		scale:    g.mul(g.number(o.Target.SD), g.op("Sqrt", g.add(g.add(variance, noise), zeros))),
		density:  density,
	}
	mean, std := g.moments(&o, y)
	nothing := g.op("Or", g.endless(mean), g.endless(std))
	if columns.endless != "" {
		nothing = g.op("Or", nothing, columns.endless)
		inside = g.op("And", inside, g.op("Not", columns.endless))
	}
	if m.Policy() != box.Clip {
		nothing = g.op("Or", nothing, g.op("Not", inside))
	}
	g.output(Mean, g.unsqueeze(g.pick(nothing, g.number(nan), mean), 1))
	g.output(Std, g.unsqueeze(g.pick(nothing, g.number(nan), std), 1))
	g.output(InBox, g.unsqueeze(inside, 1))
	return nil
}

// endless tells whether v is no finite number.
func (g *graph) endless(v value) value { return g.op("Or", g.op("IsInf", v), g.op("IsNaN", v)) }

// variance returns min(a Var f, its limit), in squared deviations of the target.
func (g *graph) variance(m *model.Model, c *columns, x scaled) (value, error) {
	o := m.Output()
	q := m.Posterior()
	if a := o.Epistemic; a != nil {
		q = a.Surface
		x, _ = g.scale(c, a.Inputs)
	}
	v, err := g.surface(part{q: q, variance: true, open: -1}, x)
	if err != nil {
		return "", err
	}
	out := g.mul(v[0], g.number(o.VarianceScale))
	if o.Limits != nil && o.Limits.Variance > 0 {
		out = g.op("Min", out, g.number(o.Limits.Variance))
	}
	return out, nil
}

// noise returns σ² exp s.
func (g *graph) noise(o *model.Output, x scaled, mu value) (value, error) {
	a := o.LogNoise
	if a == nil {
		return g.number(o.Noise), nil
	}
	s, err := g.surface(part{q: a.Surface, open: -1}, g.predicted(a, x, mu))
	if err != nil {
		return "", err
	}
	v := s[0]
	if a.Limits != nil {
		v = g.clamp(v, a.Limits.Lo, a.Limits.Hi)
	}
	return g.mul(g.number(o.Noise), g.op("Exp", v)), nil
}

// predicted returns coordinates with that of the predicted mean after them.
func (g *graph) predicted(a *model.Auxiliary, x scaled, mu value) scaled {
	if a.Predicted == nil {
		return x
	}
	t, unknown, _ := g.scaleNumbers(g.unsqueeze(mu, 0), []box.Input{*a.Predicted})
	return x.and(g, []box.Input{*a.Predicted}, []value{t}, []value{unknown})
}

// density returns w at the nodes of u, [rows, predictive.Nodes]:
//
//	w(u) = 0.01 + 0.99 exp g(u) / ∫ exp g
func (g *graph) density(o *model.Output, x scaled, mu, zeros value) (value, error) {
	a := o.DensityRatio
	if a == nil {
		return "", nil
	}
	at := g.predicted(a, x, mu)
	open := a.Surface.Inputs() - 1
	coefficients, err := g.surface(part{q: a.Surface, open: open}, at)
	if err != nil {
		return "", err
	}
	log, err := g.along(a, open, coefficients)
	if err != nil {
		return "", err
	}
	log = g.add(log, g.unsqueeze(zeros, 1))
	e := g.op("Exp", g.clamp(log, a.Limits.Lo, a.Limits.Hi))
	weights := make([]float64, predictive.Nodes) // of the trapezoidal rule
	for k := range weights {
		weights[k] = 1.0 / (predictive.Nodes - 1)
	}
	weights[0] /= 2
	weights[len(weights)-1] /= 2
	whole := g.unsqueeze(g.sum(g.mul(e, g.float64s([]int{len(weights)}, weights...)), 1), 1)
	const reference = 0.01
	return g.add(g.number(reference), g.mul(g.number(1-reference), g.div(e, whole))), nil
}
