package predictive

import "math"

// Law is p(y | f), the law of a target y given a number f: what a prediction needs of it. A
// Law is immutable and safe for concurrent use. No method overflows or gives NaN for
// finite arguments.
//
// The larger f, the larger are targets: F(y | f) falls as f rises.
type Law interface {
	// LogDensity returns log p(y | f), of a discrete law the logarithm of a probability; −∞
	// where y is no value that the law gives. At a single point that has a probability of
	// its own, as 0 of a Tweedie law, it is the logarithm of that.
	LogDensity(y, f float64) float64
	// CDF returns the probability of a target of at most y.
	CDF(y, f float64) float64
	// Mean returns E[y | f].
	Mean(f float64) float64
	// Variance returns Var(y | f), infinite where it does not exist.
	Variance(f float64) float64
	// Discrete reports whether targets are whole numbers.
	Discrete() bool
	// Support returns the ends of where targets can lie, which may be infinite.
	Support() (lo, hi float64)
	// Place returns where along f the probabilities of y change: about lo and about hi, mostly
	// the same number, the f of which y is a typical target, and over what width. It tells
	// integrals over f where to look.
	Place(y float64) (lo, hi, width float64)
}

// A Law may know more of itself, by which a prediction is faster or exact.
type (
	// Given is a law with derivatives.
	Given interface {
		// Given returns log p(y | f) as a function of f, with its two derivatives, for a y that
		// the law gives, and whether it is concave.
		Given(y float64) (log func(f float64) (value, first, second float64), concave bool)
	}
	// Moments is a law that knows the moments of y, f ~ N(mean, variance): E y and the deviation.
	Moments interface {
		Moments(mean, variance float64) (expected, std float64)
	}
	// Gentle is a law of single values whose log p(y | f) changes by no more than f does: a sum of p over few f is then
	// as accurate far from the mean of y as about it.
	Gentle interface {
		// Probability returns p(y | f).
		Probability(y, f float64) float64
	}
	// Floored is a law of which a share of the targets tells nothing of f.
	Floored interface {
		// Parts returns what such targets make of the probability of y, the law of the others and their
		// share: p(y | f) = floor + share · p₀(y | f). A floor of 0 may come with any.
		Parts(y float64) (floor float64, others Law, share float64)
	}
	// Closed is a law under which y is of the same kind for f ~ N(mean, variance).
	Closed interface {
		// Absorb returns the law and the f that give y the same distribution.
		Absorb(mean, variance float64) (law Law, f float64)
	}
)

// NewLawFamily returns the family of predictions of a law: a [Distribution] is then that of
// y where f ~ N(Location, Scale²), offsets included,
//
//	p(y) = ∫ p(y | f) N(f; Location, Scale²) df
//
// Its Back takes f to E[y | f]. It panics without a law.
func NewLawFamily(law Law) *Family {
	if law == nil {
		panic(errNoLaw)
	}
	return &Family{law: law}
}

const (
	errNoLaw     = "predictive: a family of no law"
	errLawShaped = "predictive: a density beside a law of counts, or a range beside a law"
)

// Law returns what [NewLawFamily] was given, nil for another family.
func (f *Family) Law() Law {
	if f == nil {
		return nil
	}
	return f.law
}

// mixture returns the distribution of a family of a law as what it is.
func (d Distribution) mixture() (m mixture, ok bool) {
	law := d.Family.Law()
	if closed, is := law.(Closed); is && d.Scale > 0 {
		own, f := closed.Absorb(d.Location, d.Scale*d.Scale)
		return mixture{law: own, mean: f}, true
	}
	return mixture{law, d.Location, d.Scale}, law != nil
}

// PITRange returns the ends of the probability integral transform at y: the probabilities of
// a target below y and of one of at most y. They are the same where no single target has a
// probability, and uniform draws between them are uniform where the distribution is right.
func (d Distribution) PITRange(y float64) (lo, hi float64) {
	d.check()
	hi = d.CDF(y)
	m, ok := d.mixture()
	if !ok {
		return hi, hi
	}
	if d.Density == nil {
		return m.below(y, hi), hi
	}
	return MassBelow(d.Density, m.below(y, m.cdf(y))), hi
}

// Transform returns the probability integral transform at y of the k-th row, F(y). Where y has
// a probability of its own it is a number between the ends of [Distribution.PITRange], at a
// share of the way that goes on from row to row by the golden section: over many rows
// transforms are uniform where predictions are right, as with random shares, and the same rows
// have the same transforms.
func (d Distribution) Transform(y float64, k int) float64 {
	lo, hi := d.PITRange(y)
	if lo == hi {
		return hi
	}
	_, share := math.Modf((float64(k) + 0.5) * (math.Phi - 1))
	return lo + share*(hi-lo)
}
