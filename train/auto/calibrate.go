package auto

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/internal/simd"
)

// calibration turns the two variances into the squared scale of a prediction,
//
//	Epistemic · Var f + Noise · σ² · exp(max(Power · s(x), Floor))
//
// with s(x) = log σ²(x)/σ².
type calibration struct {
	Epistemic float64 `json:"doubt"`
	Noise     float64 `json:"noise"`
	Power     float64 `json:"power"`
	Floor     float64 `json:"floor"`
	// Tails are the degrees of freedom of a Student's t; 0 for a Gaussian.
	Tails float64 `json:"degrees_of_freedom"`
}

// uncalibrated takes the noise as it comes.
var uncalibrated = calibration{Noise: 1, Power: 1, Floor: -noiseRange}

// The grid of calibrations. A power below one and a floor near zero keep predicted
// variances from being too small, which errors with heavy tails punish most: −log p grows
// with their square over the variance.
var (
	epistemicFactors = []float64{1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4}
	noiseShares      = []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5}
	powers           = []float64{1, 0.85, 0.7, 0.5, 0.3}
	floors           = []float64{-noiseRange, -5, -4, -3, -2.5, -2, -1.5, -1, -0.5}
	degreesOfFreedom = []float64{0, 30, 12, 7, 5, 4, 3}
)

const (
	// calibrationRows are enough for a few numbers.
	calibrationRows = 10000
	// epistemicCost is the mean log-likelihood that a factor of Var f smaller by e has to
	// gain.
	epistemicCost = 0.001
	// tailCost is the log-likelihood, summed over rows, that a step to heavier tails has to
	// gain.
	tailCost = 1
)

// calibrate maximises the likelihood of the out-of-fold errors: first over the numbers of
// the noise, by coordinate ascent with Var f left out; then over the factor of Var f and
// the share of the noise that is left beside it.
func calibrate(w worker, p plan, e *ensemble, n noise, v epistemic) calibration {
	all := someOf(e.folds)
	best, least := uncalibrated, math.Inf(1)
	try := func(c calibration) {
		loss := c.loss(w.pool, e, n, v, all) + tailCost*float64(slices.Index(degreesOfFreedom, c.Tails))/float64(len(all))
		if loss < least {
			best, least = c, loss
		}
	}
	for before := math.Inf(1); least < before || math.IsInf(before, 1); {
		before = least
		from := best
		for _, from.Tails = range p.tails {
			// A Student's t has the variance tails/(tails−2) of its squared scale.
			for from.Noise = 0.5; from.Noise < 2; from.Noise *= 1.08 {
				c := from
				if c.Tails != 0 {
					c.Noise *= (c.Tails - 2) / c.Tails
				}
				try(c)
			}
		}
		if n.varying == nil {
			continue
		}
		from = best
		for _, from.Power = range powers {
			for _, from.Floor = range floors {
				try(from)
			}
		}
	}
	noiseAlone := best
	least = math.Inf(1)
	for _, factor := range epistemicFactors {
		for _, share := range noiseShares {
			c := noiseAlone
			c.Epistemic, c.Noise = factor, share*noiseAlone.Noise
			if loss := c.loss(w.pool, e, n, v, all) - epistemicCost*math.Log(factor); loss < least {
				best, least = c, loss
			}
		}
	}
	best.Noise *= p.ofFewGroups()
	return best
}

// some returns rows of a fold, enough for a few numbers of all the folds.
func some(fold []int, folds int) []int {
	return fold[:min(len(fold), (calibrationRows+folds-1)/folds)]
}

// someOf returns rows of all folds, enough for a few numbers.
func someOf(folds [][]int) (rows []int) {
	for _, fold := range folds {
		rows = append(rows, some(fold, len(folds))...)
	}
	return rows
}

// othersOf returns the rows that someOf leaves out.
func othersOf(folds [][]int) (rows []int) {
	for _, fold := range folds {
		rows = append(rows, fold[len(some(fold, len(folds))):]...)
	}
	return rows
}

// loss returns the weighted mean of minus the log-likelihood of some rows.
func (c calibration) loss(pool *simd.Pool, e *ensemble, n noise, v epistemic, numbers []int) float64 {
	constant := math.Log(2*math.Pi) / 2
	if c.Tails != 0 {
		constant = -distuv.StudentsT{Sigma: 1, Nu: c.Tails}.LogProb(0)
	}
	return constant + e.meanOf(pool, numbers, func(j int) float64 {
		squaredScale := c.squaredScale(j, n, v)
		far := e.deviance(j) / squaredScale
		if c.Tails != 0 {
			far = (c.Tails + 1) * math.Log1p(far/c.Tails)
		}
		return (math.Log(squaredScale) + far) / 2
	})
}

// squaredScale returns that of the prediction of row j.
func (c calibration) squaredScale(j int, n noise, v epistemic) float64 {
	return c.Epistemic*v.outOfFold[j] + c.Noise*n.constant*math.Exp(min(max(c.Power*n.outOfFold[j], c.Floor), noiseRange))
}
