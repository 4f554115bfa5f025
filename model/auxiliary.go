package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/predictive"
)

// Auxiliary is a surface beside that of the mean: a Bézier process g of its own, whose
// inputs are the model's and, after them, the predicted mean μ(x) and u, where it takes
// these. [Output] has up to three of them.
type Auxiliary struct {
	Surface *surface.Posterior
	// Inputs are scalings of its own, one for every input of the model; nil for the model's.
	Inputs []box.Input
	// Predicted maps the predicted mean, in deviations of the target, to the unit
	// interval; nil where g does not take it.
	Predicted *box.Input
	// U says that g takes a number u in [0, 1], too: it is evaluated at [predictive.Nodes]
	// values of it a row, i/(Nodes−1).
	U bool
	// Variance says that its value is Var g, else E g.
	Variance bool
	// Limits clamp its value ([Limits.Clamp]); nil for none.
	Limits *Limits
}

// LogRatioLimits returns the limits of the logarithm of a density ratio, [−10, 10]: no
// density is out of the range of numbers.
func LogRatioLimits() *Limits { return &Limits{Lo: -10, Hi: 10} }

// role is what an auxiliary surface is to an output.
type role struct {
	name   string // in messages
	prefix string // of the names of its tensors
	// What a surface of the role has, the values aside.
	like Auxiliary
	// ranged says that a file has its limits; they are those of like otherwise.
	ranged bool
}

var (
	logNoise     = role{"noise", "noise.", Auxiliary{Predicted: &box.Input{}}, true}
	epistemic    = role{"variance", "variance.", Auxiliary{Inputs: []box.Input{}, Variance: true}, false}
	densityRatio = role{"tilt", "tilt.", Auxiliary{Predicted: &box.Input{}, U: true, Limits: LogRatioLimits()}, false}
)

// taken is the number of inputs that surfaces of the role have beside the model's.
func (r role) taken() (n int) {
	if r.like.Predicted != nil {
		n++
	}
	if r.like.U {
		n++
	}
	return n
}

// check returns an error unless the surface has this role for a model of these inputs;
// nil is sound.
func (a *Auxiliary) check(r role, inputs []box.Input) error {
	if a == nil {
		return nil
	}
	if err := a.is(r, inputs); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}

func (a *Auxiliary) is(r role, inputs []box.Input) error {
	if n := a.Surface.Outputs(); n > 1 {
		return fmt.Errorf("a surface of %d outputs", n)
	}
	if have, want := a.Surface.Inputs(), len(inputs)+r.taken(); have != want {
		return fmt.Errorf("a surface of %d inputs where a model of %d needs one of %d", have, len(inputs), want)
	}
	if (a.Inputs != nil) != (r.like.Inputs != nil) || (a.Predicted != nil) != (r.like.Predicted != nil) || a.U != r.like.U || a.Variance != r.like.Variance {
		return errors.New("the surface does not take what it should")
	}
	if a.Inputs != nil {
		if err := checkRescaled(a.Inputs, inputs); err != nil {
			return err
		}
	}
	if a.Predicted != nil {
		if err := a.Predicted.Check(); err != nil {
			return err
		}
	}
	if r.ranged && a.Limits != nil {
		return a.Limits.check()
	}
	if r.ranged || !reflect.DeepEqual(a.Limits, r.like.Limits) {
		return errors.New("the limits of its value are not those that it should have")
	}
	return nil
}

// checkRescaled returns an error unless own are other scalings of the same inputs.
func checkRescaled(own, inputs []box.Input) error {
	if len(own) != len(inputs) {
		return fmt.Errorf("%d scalings of %d inputs", len(own), len(inputs))
	}
	for i, in := range own {
		if err := in.Check(); err != nil {
			return err
		}
		if !reflect.DeepEqual(unscaled(in, inputs[i]), in) {
			return fmt.Errorf("input %d, %q, is not %q in another scaling", i, in.Name, inputs[i].Name)
		}
	}
	return nil
}

// unscaled returns an input with another's name, column and levels: two scalings of one
// input differ in the rest.
func unscaled(in, other box.Input) box.Input {
	in.Name, in.Column, in.Kind, in.Part = other.Name, other.Column, other.Kind, other.Part
	in.Levels, in.Pooled, in.Missing, in.MissingLevel = other.Levels, other.Pooled, other.Missing, other.MissingLevel
	return in
}

// join writes the rows x, [n, d], with the coordinate of their predicted mean after them,
// and room for u where the surface takes it, to dst.
func (a *Auxiliary) join(dst, x []float32, mean []float64) error {
	d, wide := len(x)/max(1, len(mean)), a.Surface.Inputs()
	for row, v := range mean {
		if math.IsInf(v, 0) {
			return &box.ValueError{Place: box.Place{Row: row + 1, Column: a.Predicted.Source()}, Value: v}
		}
		own := dst[row*wide : (row+1)*wide]
		copy(own, x[row*d:(row+1)*d])
		own[d] = a.Predicted.Clip(v)
		clear(own[d+1:])
	}
	return nil
}

// AuxiliaryEvaluator computes values of an auxiliary surface. It serves one caller at a
// time.
type AuxiliaryEvaluator struct {
	*Auxiliary
	evaluator *surface.Evaluator
	box       *mapper // of its own inputs, nil where it has none
	own       []float32
	inside    []bool
	outside   []int
	joined    []float32
	along     *surface.Along // where it takes u
}

// NewEvaluator returns an evaluator on the workers of pool, nil where there is no surface.
func (a *Auxiliary) NewEvaluator(pool *simd.Pool) *AuxiliaryEvaluator {
	if a == nil {
		return nil
	}
	e := &AuxiliaryEvaluator{Auxiliary: a, outside: make([]int, len(a.Inputs))}
	if a.Inputs != nil {
		own := box.New(a.Inputs)
		e.box = newMapper(&own, pool)
	}
	if !a.U {
		e.evaluator = surface.NewEvaluator(a.Surface, pool)
		return e
	}
	nodes := make([]float32, predictive.Nodes)
	for k := range nodes {
		nodes[k] = float32(k) / (predictive.Nodes - 1)
	}
	e.along = surface.NewAlong(a.Surface, nodes, pool)
	return e
}

// rescaled maps rows, those of the model's columns with n values each, to its own
// scalings. Values outside go to the nearer face.
func (e *AuxiliaryEvaluator) rescaled(columns [][]float64, n int) ([]float32, error) {
	e.own, e.inside = resize(e.own, n*len(e.Inputs)), resize(e.inside, n)
	return e.own, e.box.Map(e.own, columns, box.Clip, e.inside, e.outside)
}

// Values writes the surface's value at the rows x, [n, d] in its scalings, whose
// predicted means are mean, [n], to dst: [n], or [n, predictive.Nodes] where it takes u.
// They are not clamped.
func (e *AuxiliaryEvaluator) Values(ctx context.Context, x []float32, mean, dst []float64) error {
	if e.Predicted != nil {
		e.joined = resize(e.joined, e.Surface.Inputs()*len(mean))
		if err := e.join(e.joined, x, mean); err != nil {
			return err
		}
		x = e.joined
	}
	switch {
	case e.U:
		return e.along.Means(ctx, x, dst)
	case e.Variance:
		return e.evaluator.Moments(ctx, x, nil, dst)
	}
	return e.evaluator.Moments(ctx, x, dst, nil)
}
