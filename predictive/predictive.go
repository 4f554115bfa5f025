// Package predictive is the distribution that a prediction is: where it lies, how
// wide it is, how heavy its tails are, and its shape.
//
// A target v lies at z = (v − location)/scale. Its density is
//
//	p(v) = w(F₀(z)) f₀(z) / scale
//
// f₀ and F₀ being density and distribution function of the family's reference, a
// standard Gaussian or a Student's t, and w a density on the unit interval, the ratio of
// p to the density of the reference. Without w the distribution is the reference's. Of a law that gives amounts the reference is
// ∫ p(y | f) N(f; location, scale²) df. Where the target was transformed, v = log(1 + y), and all that is
// returned is of y.
//
// A range [lo, hi] of the target makes the distribution one under the condition that y
// lies there: F(y) becomes (F(y) − F(lo)) / (F(hi) − F(lo)), and quantiles, moments and
// scores follow.
//
// A scale of 0 puts all the probability on the location. NaN in a distribution gives
// NaN.
package predictive

import "math"

// Distribution is that of one target. The zero value is certain of 0. A method
// panics when Scale is negative or Density is not [Nodes].
type Distribution struct {
	Location, Scale float64
	// Density is w at the nodes i/(Nodes−1), linear in between, with an integral of one;
	// nil where it is one everywhere.
	Density []float64
	// Family is what the predictions of a model share; nil for a Gaussian.
	Family *Family
	// Range is where the target can lie; nil for anywhere. The distribution is restricted
	// to it: F(y) becomes (F(y) − F(lo)) / (F(hi) − F(lo)), and p(y) likewise.
	Range *Range
}

// Nodes is the number of nodes at which w is given.
const Nodes = 33

const (
	errScale   = "predictive: negative scale"
	errDensity = "predictive: a density that is not [Nodes]"
)

// plain reports whether the distribution is a Gaussian, of y or of log(1 + y).
func (d Distribution) plain() bool { return d.Density == nil && d.Family.gaussian() }

func (d Distribution) check() {
	if d.Scale < 0 {
		panic(errScale)
	}
	if law := d.Family.Law(); law != nil && (d.Density != nil && law.Discrete() || d.Range != nil) {
		panic(errLawShaped)
	}
	if d.Density != nil && len(d.Density) != Nodes {
		panic(errDensity)
	}
}

// Back takes a transformed target to the target, and f of a law to E[y | f].
func (d Distribution) Back(v float64) float64 {
	if law := d.Family.Law(); law != nil {
		return law.Mean(v)
	}
	if d.Family.Transformed() {
		return math.Expm1(v)
	}
	return v
}

// forth is the inverse of Back.
func (d Distribution) forth(y float64) float64 {
	if d.Family.Transformed() {
		return math.Log1p(max(y, -1))
	}
	return y
}

// LogDensity returns log p(y).
func (d Distribution) LogDensity(y float64) float64 {
	d.check()
	if m, ok := d.mixture(); ok {
		if d.Density != nil {
			return tilted{m, d.Density}.logDensity(y)
		}
		return m.logDensity(y)
	}
	if d.Range != nil {
		h := d.truncated()
		return h.logDensity(y)
	}
	if d.Family.Transformed() && y <= -1 {
		return math.Inf(-1)
	}
	v := d.forth(y)
	var log float64
	if d.plain() || d.Scale == 0 {
		log = logDensity(v, d.Location, d.Scale)
	} else {
		z := (v - d.Location) / d.Scale
		log = d.Family.logDensity(z) - math.Log(d.Scale)
		if d.Density != nil {
			log += math.Log(DensityAt(d.Density, d.Family.cdf(z)))
		}
	}
	if d.Family.Transformed() {
		log -= v
	}
	return log
}

// CDF returns the probability of a target of at most y.
func (d Distribution) CDF(y float64) float64 {
	d.check()
	if m, ok := d.mixture(); ok {
		if d.Density != nil {
			return MassBelow(d.Density, m.cdf(y))
		}
		return m.cdf(y)
	}
	if d.Range != nil {
		h := d.truncated()
		return h.cdf(y)
	}
	v := d.forth(y)
	if d.plain() || d.Scale == 0 {
		return pit(v, d.Location, d.Scale)
	}
	u := d.Family.cdf((v - d.Location) / d.Scale)
	if d.Density == nil {
		return u
	}
	below := masses(d.Density)
	return massBelow(d.Density, &below, u)
}

// Quantile returns the value below which the target lies with probability q, which
// is in (0, 1); of a discrete law the least whole number whose CDF is q or more.
func (d Distribution) Quantile(q float64) float64 {
	d.check()
	if m, ok := d.mixture(); ok {
		if d.Density != nil {
			q = inverseMass(d.Density, q)
		}
		return m.quantile(q)
	}
	if d.Range != nil {
		h := d.truncated()
		return h.quantile(q)
	}
	if d.Scale == 0 {
		return d.Back(d.Location)
	}
	if d.Density != nil {
		q = inverseMass(d.Density, q)
	}
	return d.Back(d.Location + d.Scale*d.Family.quantile(q))
}
