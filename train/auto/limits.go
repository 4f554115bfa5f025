package auto

import (
	"math"
	"slices"

	"beziergp/internal/process/surface"
	"beziergp/model"
)

// limitsOf returns those of the mean of f, around the targets.
func limitsOf(y []float32) *model.Limits {
	return model.Around(float64(slices.Min(y)), float64(slices.Max(y)))
}

// errorRange is the smallest and the largest squared error of some rows out of fold.
type errorRange struct{ least, most float64 }

func (e *ensemble) errorRange() errorRange {
	r := errorRange{least: math.Inf(1)}
	for _, j := range e.rows() {
		own := e.deviance(j)
		r.least, r.most = min(r.least, own), max(r.most, own)
	}
	return r
}

// within returns the limits [lo, hi] of s in σ² exp s: the variance of the noise, its
// squared scale times tails/(tails − 2), lies between the smallest and the largest squared
// error. lo is the floor at least, and s = 0, the typical noise, lies within.
func (c calibration) within(constant float64, e errorRange) (lo, hi float64) {
	typical := c.Noise * constant
	if c.Tails != 0 {
		typical *= c.Tails / (c.Tails - 2)
	}
	return max(c.Floor, min(0, math.Log(e.least/typical))), min(noiseRange, max(0, math.Log(e.most/typical)))
}

// limited returns the varying noise with the power in the weights, clamped by the floor and
// the errors; nil where it is constant. Calibration uses the noise without these limits, so
// that the few rows that are clamped do not affect the others.
func (c calibration) limited(n noise, e errorRange) (*model.Auxiliary, error) {
	if n.varying == nil {
		return nil, nil
	}
	lo, hi := c.within(n.constant, e)
	s := n.varying.Surface.Surface
	params := slices.Clone(n.varying.Surface.Params())
	for g := range s.Groups() {
		scaleFirst(s.Group(g), s.Mean(params, g), float32(c.Power))
	}
	q, err := surface.NewPosterior(s, params)
	return &model.Auxiliary{Surface: q, Predicted: n.varying.Predicted, Limits: &model.Limits{Lo: lo, Hi: hi}}, err
}
