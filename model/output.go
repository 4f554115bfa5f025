package model

import (
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/likelihood"
	"beziergp/predictive"
)

// Output is what a model has of one target: its scaling, and how a distribution of it
// comes of the mean and the variance of f. In deviations of the (transformed) target a
// prediction is
//
//	location  μ(x), clamped in [Limits]
//	scale²    min(a Var f(x), Limits.Variance) + σ² exp s(x, μ(x))
//	density   p(y) = w(F₀(z)) f₀(z)/scale, z = (y − location)/scale, w ∝ exp g(x, μ(x), u)
//
// Of a law that gives amounts it is p(y) = w(F(y)) ∫ p(y | f) N(f; location, scale²) df, F being the distribution function of the integral.
type Output struct {
	Target box.Target
	// Likelihood is the law of the target given f, which tells location and scale; nil for a
	// Gaussian, of which the formula above is. Files can name those of [likelihood.Named].
	Likelihood likelihood.Likelihood
	Noise      float64 // σ², the dispersion, in squared deviations of the target
	// LogNoise is s, the logarithm of the noise variance over σ², its limits included; nil
	// where the noise is constant.
	LogNoise *Auxiliary
	// Epistemic is Var f on a box that is wider than that of the mean: gaps between
	// training rows, and what lies beyond them, have a width there, and the variance rises to
	// the prior's. It has scalings of its own; nil where the model's posterior holds Var f.
	Epistemic *Auxiliary
	// VarianceScale is a; 0 stands for 1.
	VarianceScale float64
	// Limits clamp f; nil for none.
	Limits *Limits
	// Tails are the degrees of freedom of the Student's t that F₀ is; 0 for the F₀ of the
	// likelihood's own predictive distributions, a Gaussian's.
	Tails float64
	// DensityRatio is g, the logarithm of the density ratio w up to its integral, by which
	// the density of the reference is multiplied, u in [0, 1] being the reference's
	// distribution function ([predictive.Distribution]). Its limits are
	// [LogRatioLimits]; nil where w is 1.
	DensityRatio *Auxiliary
	// Conformal is half of a conformal interval of probability Level, in scales of the
	// prediction; 0 for none.
	Conformal float64
	// Sets are what prediction sets need ([Model.LeastProbability]): quantiles of 1 − p at rows
	// that training has not seen, p being the probability of the class observed ([NewSets]); nil
	// for none.
	Sets []float64

	family *predictive.Family
}

// complete fills in what follows from the parts of an output of a model of these inputs,
// or says which is out of order.
func (o *Output) complete(inputs []box.Input) (err error) {
	if err := o.Target.Check(); err != nil {
		return err
	}
	o.Likelihood = likelihood.OrGaussian(o.Likelihood)
	if err := likelihood.Check(o.Likelihood); err != nil {
		return fmt.Errorf("likelihood %w", err)
	}
	if !(o.Noise > 0) || math.IsInf(o.Noise, 0) {
		return fmt.Errorf("noise variance %g: it must be positive", o.Noise)
	}
	if o.VarianceScale == 0 {
		o.VarianceScale = 1
	}
	if !(o.VarianceScale > 0) || math.IsInf(o.VarianceScale, 0) {
		return fmt.Errorf("variance scale %g: it must be positive", o.VarianceScale)
	}
	if !(o.Conformal >= 0) || math.IsInf(o.Conformal, 0) {
		return fmt.Errorf("conformal score %g: it must not be negative", o.Conformal)
	}
	if err := o.Limits.check(); err != nil {
		return err
	}
	for _, own := range []struct {
		*Auxiliary
		role
	}{{o.LogNoise, logNoise}, {o.Epistemic, epistemic}, {o.DensityRatio, densityRatio}} {
		if err := own.check(own.role, inputs); err != nil {
			return err
		}
	}
	if o.family, err = o.newFamily(); err != nil {
		return err
	}
	return o.checkSets()
}

// Family returns what the distributions of the target share; nil of an output that is of no
// model.
func (o *Output) Family() *predictive.Family { return o.family }

// newFamily returns the family of the predictions.
func (o *Output) newFamily() (*predictive.Family, error) {
	if likelihood.Latents(o.Likelihood) > 1 {
		return nil, o.checkLaw()
	}
	own := o.Likelihood.Predictive(0, 0, o.Noise).Family
	if own.Law() != nil {
		o.family = own
		return own, o.checkLaw()
	}
	tails := o.Tails
	if tails == 0 {
		tails = own.Tails()
	}
	return predictive.NewFamily(tails, o.Target.Transform == box.Log1p)
}

// checkLaw returns an error where an output has parts that go with errors about a location
// alone.
func (o *Output) checkLaw() error {
	if o.LogNoise != nil || o.Tails != 0 || o.Conformal != 0 || o.Target.Transform != "" || o.Noise != 1 {
		return fmt.Errorf("likelihood %q with noise, an interval or a transform, which are of a gaussian", o.Likelihood.Name())
	}
	if law := o.family.Law(); o.DensityRatio != nil && (law == nil || law.Discrete()) {
		return fmt.Errorf("likelihood %q with a density ratio, which numbers and amounts have", o.Likelihood.Name())
	}
	if n := likelihood.Latents(o.Likelihood); n > 1 && len(o.Target.Levels) != n {
		return fmt.Errorf("target %q of %d classes for a likelihood of %d", o.Target.Name, len(o.Target.Levels), n)
	}
	return nil
}

// classes returns the number of classes of the target, 0 where it has none: a law of truth
// values has two even where they are numbers.
func (o *Output) classes() int {
	if n := likelihood.Latents(o.Likelihood); n > 1 {
		return n
	}
	if o.family.Law() != nil && likelihood.Classifies(o.Likelihood) {
		return 2
	}
	return 0
}

// noise is the typical deviation of the observation noise in the units of the
// (transformed) target.
func (o *Output) noise() float64 {
	if o.family.Law() != nil || likelihood.Latents(o.Likelihood) > 1 {
		return math.NaN() // a law of its own has none
	}
	return math.Sqrt(o.Noise) * o.family.Deviation() * o.Target.SD
}
