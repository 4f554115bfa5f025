package predictive

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// Family is the reference of distributions and whether they are of log(1 + y). It
// is immutable and safe for concurrent use.
type Family struct {
	tails float64
	log1p bool
	// The reference's quantiles at u, for integrals: finer than the nodes of a density.
	u, z []float64
	// What a density weighs between the finer nodes, and moments of z as sums over its nodes.
	weighs        []weight
	first, second [Nodes]float64
	lower         *lowerQuantiles
	law           Law // of y given f; nil where the distribution has none
}

// LightestTails is the number of degrees of freedom above which a Student's t may as
// well be a Gaussian; HeaviestTails is where its deviation ceases to exist.
const (
	LightestTails = 1000
	HeaviestTails = 2
)

// NewFamily returns the family of Student's t with that many degrees of freedom, or
// of the Gaussian where tails is 0. log1p says that it is log(1 + y) that is so
// distributed; tails must be 0 then, or y would have no mean.
func NewFamily(tails float64, log1p bool) (*Family, error) {
	if tails != 0 && !(tails > HeaviestTails && tails <= LightestTails) {
		return nil, fmt.Errorf("%g degrees of freedom: more than %d and at most %d are needed, or 0 for a Gaussian", tails, HeaviestTails, LightestTails)
	}
	if tails != 0 && log1p {
		return nil, errors.New("log(1 + y) with heavy tails: y would have no mean")
	}
	f := &Family{tails: tails, log1p: log1p, lower: &lowerQuantiles{}}
	f.u = finerNodes()
	for _, u := range f.u {
		z := distuv.UnitNormal.Quantile(u)
		if tails != 0 {
			z = f.student().Quantile(u)
		}
		f.z = append(f.z, z)
	}
	f.weigh()
	return f, nil
}

// nodes returns the family that has the nodes: a Gaussian's where there is none.
func (f *Family) nodes() *Family {
	if f == nil {
		return gaussian()
	}
	return f
}

var gaussian = sync.OnceValue(func() *Family {
	f, err := NewFamily(0, false)
	if err != nil {
		panic(err)
	}
	return f
})

// Tails returns the degrees of freedom, 0 for a Gaussian.
func (f *Family) Tails() float64 {
	if f == nil {
		return 0
	}
	return f.tails
}

// FinerNodes returns the probabilities between which integrals take the target as uniform,
// ascending, and the reference's quantiles there. They must not be changed.
func (f *Family) FinerNodes() (u, z []float64) {
	f = f.nodes()
	return f.u, f.z
}

// finerNodes returns nodes from nearly 0 to nearly 1 that hold the nodes of a
// density, a quarter of their distance apart, and closer and closer in the tails.
func finerNodes() []float64 {
	const step = 1.0 / (Nodes - 1)
	var low []float64
	for u := step; u > 1e-9; u /= 1.5 {
		low = append(low, u)
	}
	var u []float64
	for i := len(low) - 1; i > 0; i-- {
		u = append(u, low[i])
	}
	const finer = 4
	for i := range (Nodes-3)*finer + 1 {
		u = append(u, step+float64(i)*step/finer)
	}
	for _, v := range low[1:] {
		u = append(u, 1-v)
	}
	return u
}

func (f *Family) student() distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: f.tails} }

// gaussian reports whether the reference is a Gaussian.
func (f *Family) gaussian() bool { return f == nil || f.tails == 0 }

// Transformed reports whether the distributions are of log(1 + y).
func (f *Family) Transformed() bool { return f != nil && f.log1p }

// cdf is F₀.
func (f *Family) cdf(z float64) float64 {
	if f.gaussian() {
		return normal(z)
	}
	return f.student().CDF(z)
}

// quantile is the inverse of F₀.
func (f *Family) quantile(u float64) float64 {
	switch {
	case !(u > 0):
		return math.Inf(-1)
	case !(u < 1):
		return math.Inf(1)
	case f.gaussian():
		return distuv.UnitNormal.Quantile(u)
	}
	if u > 0.5 {
		return -f.lowerQuantile(1 - u) // which is exact
	}
	return f.lowerQuantile(u)
}

// logDensity is log f₀(z).
func (f *Family) logDensity(z float64) float64 {
	if f.gaussian() {
		return -z*z/2 - logSqrt2Pi
	}
	return f.student().LogProb(z)
}

// Deviation is that of the reference.
func (f *Family) Deviation() float64 {
	if f.gaussian() {
		return 1
	}
	return math.Sqrt(f.tails / (f.tails - 2))
}
