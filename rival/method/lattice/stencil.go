package lattice

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// Stencil is a kernel of unit variance and unit lengthscale on a lattice: weights c, 1,
// c along each of its d + 1 directions.
type Stencil struct {
	Tap   float64 // c, below a half, so that the stencil has a factor
	Scale float64 // lattice units, of which d + 1 make a step, a lengthscale
	Norm  float64 // by which the filter is divided for a variance of 1 on average
	diag  [depth]float64
	below [depth]float64
}

// depth is how far along a chain its factor is tabulated: beyond, it is constant to the
// last bit.
const depth = 48

// NewStencil discretises a kernel for d inputs.
//
// The spacing s balances truncation and aliasing (Kapoor et al. 2021): the
// share of the kernel within the three cells of the stencil is the share of its spectrum
// below the frequency π/s,
//
//	∫_{−3s/2}^{3s/2} h / ∫ h = ∫_{−π/s}^{π/s} F h / ∫ F h,  c = h(s)/h(0).
//
// The scale gives splat, blur and slice together, whose variances along an axis are 1/12,
// 2c/(1 + 2c) and 1/12 steps squared, a variance of 1.
func NewStencil(family covariance.Family, d int) *Stencil {
	s := spacing(family)
	k := &Stencil{Tap: profile(family, s)}
	c := k.Tap
	side := float64(d + 1)
	k.Scale = side * math.Sqrt(2*c/(1+2*c)+1.0/6)
	k.Norm = meanVariance(c, d)
	k.diag[0] = 1
	for i := 1; i < depth; i++ {
		k.below[i] = c / k.diag[i-1]
		k.diag[i] = math.Sqrt(1 - k.below[i]*k.below[i])
	}
	return k
}

// spacing finds s by halving: the first share rises with s and the second falls.
func spacing(family covariance.Family) float64 {
	low, high := 0.1, 9.0
	for range 60 {
		s := (low + high) / 2
		if within(family, 1.5*s) < spectrum(family, math.Pi/s) {
			low = s
		} else {
			high = s
		}
	}
	return (low + high) / 2
}

// profile is h(r).
func profile(family covariance.Family, r float64) float64 {
	k := covariance.Kernel{Family: family, Variance: 1, Lengths: []float64{1}}
	h := dense.New(1, 1)
	k.Values(h, blas64.General{}, k.Points([]float64{0}, nil), k.Points([]float64{r}, nil))
	return h.Data[0]
}

// within is the share of ∫ h on [−a, a].
func within(family covariance.Family, a float64) float64 {
	switch family {
	case covariance.Matern12:
		return -math.Expm1(-a)
	case covariance.Matern32:
		t := math.Sqrt(3) * a
		return 1 - math.Exp(-t)*(1+t/2)
	case covariance.Matern52:
		t := math.Sqrt(5) * a
		return 1 - math.Exp(-t)*(1+5*t/8+t*t/8)
	}
	return math.Erf(a / math.Sqrt2)
}

// spectrum is the share of the spectrum on [−w, w]: that of order ν is Student's t
// with 2ν degrees of freedom (Rasmussen and Williams 2006, equation 4.15).
func spectrum(family covariance.Family, w float64) float64 {
	if family == covariance.RBF {
		return math.Erf(w / math.Sqrt2)
	}
	return 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 2 * order(family)}.CDF(w) - 1
}

// order is ν of a Matérn kernel.
func order(family covariance.Family) float64 {
	return map[covariance.Family]float64{covariance.Matern12: 0.5, covariance.Matern32: 1.5, covariance.Matern52: 2.5}[family]
}

// meanVariance is the filter's own variance on a lattice without gaps, averaged over
// places: there vertices of a simplex that lie k steps apart have the covariance
// c^k + c^{d+1−k}, and weights drawn evenly have second moments (1 + [same])/((d+1)(d+2)).
func meanVariance(c float64, d int) float64 {
	side := float64(d + 1)
	sum := 2 * (1 + 2*math.Pow(c, side))
	for k := 1; k <= d; k++ {
		sum += math.Pow(c, float64(k)) + math.Pow(c, side-float64(k))
	}
	return sum / (side + 1)
}
