package model

import (
	"context"
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/predictive"
)

// Tilt is the shape of the distribution of a target as a function of the inputs and
// of the predicted mean: w(u | x) ∝ exp g(x, μ(x), u), by which the density of the
// reference is tilted, u in [0, 1] being the reference's distribution function
// ([predictive.Distribution]).
type Tilt struct {
	// Surface is g; its inputs are the model's, the predicted mean and u.
	Surface *surface.Posterior
	// Predicted maps the predicted mean, in deviations of the target, to the unit
	// interval.
	Predicted box.Input
}

func (t *Tilt) check(inputs int) error {
	if t.Surface.Inputs() != inputs+2 {
		return fmt.Errorf("a tilt of %d inputs for a model of %d: it needs two more", t.Surface.Inputs(), inputs)
	}
	if err := t.Predicted.Check(); err != nil {
		return fmt.Errorf("tilt: %w", err)
	}
	return checkWeights(t.Surface)
}

const (
	// tiltRange holds g, so that no density is out of the range of numbers.
	tiltRange = 10
	// plainShare is that of the reference itself in a tilted distribution: what was
	// never seen is not impossible.
	plainShare = 0.01
	// tiltRows are evaluated at a time, each at all nodes.
	tiltRows = 256
)

// TiltEvaluator computes densities w. It serves one caller at a time.
type TiltEvaluator struct {
	tilt      *Tilt
	evaluator *surface.Evaluator
	predicted []float32
	x         []float32
	g         []float64
}

// NewEvaluator returns an evaluator on the workers of pool.
func (t *Tilt) NewEvaluator(pool *simd.Pool) *TiltEvaluator {
	return &TiltEvaluator{tilt: t, evaluator: surface.NewEvaluator(t.Surface, pool)}
}

// Densities writes the densities at the rows x, [n, d], with predicted means, [n],
// to dst, [n, predictive.Nodes], and marks the rows where g was above its range in
// held, nil for nobody.
func (e *TiltEvaluator) Densities(ctx context.Context, x []float32, mean, dst []float64, held []Held) error {
	if err := e.Logs(ctx, x, mean, dst); err != nil {
		return err
	}
	for row := range mean {
		if ToDensity(dst[row*predictive.Nodes:(row+1)*predictive.Nodes], 1) && held != nil {
			held[row] |= HeldShape
		}
	}
	return nil
}

// Logs writes g instead.
func (e *TiltEvaluator) Logs(ctx context.Context, x []float32, mean, dst []float64) error {
	n, d := len(mean), e.tilt.Surface.Inputs()-2
	e.predicted = resize(e.predicted, n)
	if err := MeanCoordinates(e.tilt.Predicted, mean, e.predicted); err != nil {
		return err
	}
	e.x = resize(e.x, min(n, tiltRows)*predictive.Nodes*(d+2))
	for from := 0; from < n; from += tiltRows {
		to := min(from+tiltRows, n)
		spread(e.x, x[from*d:to*d], e.predicted[from:to])
		own := dst[from*predictive.Nodes : to*predictive.Nodes]
		if err := e.evaluator.Moments(ctx, e.x[:len(own)*(d+2)], own, nil); err != nil {
			return err
		}
	}
	return nil
}

// spread writes every row with its predicted mean to dst once for every node.
func spread(dst, x, predicted []float32) {
	d := len(x) / len(predicted)
	for row, p := range predicted {
		for k := range predictive.Nodes {
			at := dst[(row*predictive.Nodes+k)*(d+2):]
			copy(at, x[row*d:(row+1)*d])
			at[d], at[d+1] = p, float32(k)/(predictive.Nodes-1)
		}
	}
}

// ToDensity turns g at the nodes into w, the power of exp g, and reports whether g was
// above its range somewhere: below it, exp g is nothing beside the share of the reference.
// Where g is not a number, nor is w.
func ToDensity(g []float64, power float64) (held bool) {
	for k, v := range g {
		held = held || power*v > tiltRange
		g[k] = math.Exp(min(max(power*v, -tiltRange), tiltRange))
	}
	predictive.Normalize(g)
	for k := range g {
		g[k] = plainShare + (1-plainShare)*g[k]
	}
	return held
}
