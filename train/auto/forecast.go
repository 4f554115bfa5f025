package auto

import (
	"math"
	"slices"

	"beziergp/predictive"
)

// forecasts are the out-of-fold predictive distributions of rows, without the density
// ratio.
type forecasts struct {
	*ensemble
	noise       noise
	epistemic   epistemic
	calibration calibration
	location    []float64 // [n]
	scale       []float64 // [n]
	family      *predictive.Family
}

func forecast(e *ensemble, n noise, v epistemic, c calibration) (*forecasts, error) {
	f := &forecasts{ensemble: e, noise: n, epistemic: v, calibration: c, location: e.outOfFold, scale: make([]float64, e.data.Len())}
	for j := range f.scale {
		f.scale[j] = math.Sqrt(c.squaredScale(j, n, v))
	}
	var err error
	f.family, err = predictive.NewFamily(c.Tails, false)
	return f, err
}

// forecastOfLaw returns those of a law, whose ensemble has the slope of a member.
func forecastOfLaw(e *ensemble, v epistemic, c lawCalibration) *forecasts {
	own := *e
	own.outOfFold = make([]float64, len(e.outOfFold))
	f := &forecasts{ensemble: &own, epistemic: v, location: make([]float64, len(e.outOfFold)), scale: make([]float64, len(e.outOfFold))}
	for j, g := range e.outOfFold {
		d := c.distribution(e, v, j)
		own.outOfFold[j], f.location[j], f.scale[j], f.family = c.Slope*g, d.Location, d.Scale, d.Family
	}
	return f
}

// distribution returns that of row j with a density ratio, nil for one.
func (f *forecasts) distribution(j int, ratio []float64) predictive.Distribution {
	return predictive.Distribution{Location: f.location[j], Scale: f.scale[j], Density: ratio, Family: f.family}
}

// target returns that of row j.
func (f *forecasts) target(j int) float64 { return f.data.target(j) }

// conformal returns the multiple of the scale within which a new row's target lies
// with probability level, whatever the distribution of errors, if rows are
// exchangeable: the ⌈(n+1) level⌉-th smallest of the scores
//
//	|y_j − μ_−k(j)(x_j)| / scale_−k(j)(x_j)
//
// of the members that lack row j's fold k(j). It is split conformal prediction (Vovk,
// Gammerman & Shafer, Algorithmic Learning in a Random World, 2005) with the scores of all
// folds (cross-conformal: Vovk, Annals of Mathematics and Artificial Intelligence 74,
// 2015). It is 0 where n is too small for one.
func (f *forecasts) conformal(level float64) float64 {
	var scores []float64
	for _, j := range f.rows() {
		scores = append(scores, math.Abs(f.target(j)-f.outOfFold[j])/f.scale[j])
	}
	slices.Sort(scores)
	at := int(math.Ceil(float64(len(scores)+1) * level))
	if at > len(scores) {
		return 0
	}
	return scores[at-1]
}
