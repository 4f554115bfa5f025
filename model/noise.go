package model

import (
	"context"
	"errors"
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Noise is the variance of the observation noise as a function of the inputs and of
// the predicted mean: σ²(x) = σ² · exp(s(x, μ(x))), for s a Bézier process of its
// own and σ² the model's constant.
type Noise struct {
	// Surface is s; its inputs are the model's and one more, the predicted mean.
	Surface *surface.Posterior
	// Predicted maps the predicted mean, in deviations of the target, to the unit
	// interval.
	Predicted box.Input
	// Lo and Hi are the range that s is held in. Lo is part of what is learned: how
	// little noise there is anywhere.
	Lo, Hi float64
}

// check returns an error unless the noise goes with a process of that many inputs.
func (n *Noise) check(inputs int) error {
	if n.Surface.Inputs() != inputs+1 {
		return fmt.Errorf("a noise surface of %d inputs for a model of %d: it needs one more", n.Surface.Inputs(), inputs)
	}
	if err := n.Predicted.Check(); err != nil {
		return fmt.Errorf("noise: %w", err)
	}
	if !(n.Lo <= n.Hi) || !isFinite(n.Lo) || !isFinite(n.Hi) {
		return fmt.Errorf("noise: the range [%g, %g] of its logarithm is not an interval", n.Lo, n.Hi)
	}
	return checkWeights(n.Surface)
}

func checkWeights(q *surface.Posterior) error {
	for _, w := range q.Params() {
		if w != w || math.IsInf(float64(w), 0) {
			return errors.New("a weight is not a finite number")
		}
	}
	return nil
}

// NoiseEvaluator computes the factor exp(s) by which the noise varies. It serves one
// caller at a time.
type NoiseEvaluator struct {
	noise     *Noise
	evaluator *surface.Evaluator
	predicted []float32
	x         []float32
}

// NewEvaluator returns an evaluator on the workers of pool.
func (n *Noise) NewEvaluator(pool *simd.Pool) *NoiseEvaluator {
	return &NoiseEvaluator{noise: n, evaluator: surface.NewEvaluator(n.Surface, pool)}
}

// Factors writes exp(s) at the rows x, [n, d], with predicted means, [n], to dst, and
// marks the rows where s was above its range in held, nil for nobody.
func (e *NoiseEvaluator) Factors(ctx context.Context, x []float32, mean, dst []float64, held []Held) error {
	d, n := e.noise.Surface.Inputs()-1, len(mean)
	e.predicted, e.x = resize(e.predicted, n), resize(e.x, n*(d+1))
	if err := MeanCoordinates(e.noise.Predicted, mean, e.predicted); err != nil {
		return err
	}
	Join(e.x, x, e.predicted)
	if err := e.evaluator.Moments(ctx, e.x, dst, nil); err != nil {
		return err
	}
	for p, s := range dst {
		dst[p] = math.Exp(min(max(s, e.noise.Lo), e.noise.Hi))
		if held != nil && s > e.noise.Hi {
			held[p] |= HeldStd
		}
	}
	return nil
}

// MeanCoordinates maps predicted means, in deviations of the target, to the unit
// interval.
func MeanCoordinates(predicted box.Input, mean []float64, dst []float32) error {
	b := box.New([]box.Input{predicted})
	return b.Map(dst, [][]float64{mean}, box.Clip, make([]bool, len(mean)), make([]int, 1))
}

// Join writes rows with one more coordinate, [n, d+1], to dst.
func Join(dst, x, last []float32) {
	d := len(x) / len(last)
	for p, v := range last {
		copy(dst[p*(d+1):], x[p*d:(p+1)*d])
		dst[p*(d+1)+d] = v
	}
}
