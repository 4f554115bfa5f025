package likelihood

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// What a [Tweedie] law is made of: n amounts, Poisson of mean λ, each a gamma of shape α and scale θ,
//
//	λ = μ^(2−p)/(φ (2 − p)), α = (2 − p)/(p − 1), θ = φ (p − 1) μ^(p−1)
//
// sums over n of terms that have one peak, seen as far as they matter.

// negligible is −log of what terms are left out at, of the largest.
const negligible = 37

// logA is log a(y, φ, p) = −log y + log Σ_n W_n (Dunn and Smyth, Statistics and Computing 15, 2005),
//
//	log W_n = n (α log(y/(p − 1)) − (1 + α) log φ − log(2 − p)) − log n! − log Γ(n α)
//
// 0 at y = 0. Where many terms matter it is the saddlepoint's, with the next term of its series,
//
//	−½ log 2πφ y^p + ε p (p − 3)/24, ε = φ y^(p−2)
//
// plus what makes the rest of log p at μ = y.
func (l Tweedie) logA(y float64) float64 {
	if !(y > 0) {
		return 0
	}
	p, log := l.Power, math.Log(y)
	a, b := p-1, 2-p
	alpha := b / a
	epsilon := math.Exp(math.Log(l.Dispersion) - b*log)
	peak := 1 / (epsilon * b)
	// Whatever the power within its bounds, the peak is then far above 4 (1 + α): terms overlap.
	if epsilon < 1e-3 {
		return -(math.Log(2*math.Pi*l.Dispersion)+p*log)/2 + epsilon*p*(p-3)/24 + (1/a+1/b)/epsilon
	}
	slope := alpha*(log-math.Log(a)) - (1+alpha)*math.Log(l.Dispersion) - math.Log(b)
	term := func(n float64) float64 { return n*slope - lgamma(n+1) - lgamma(n*alpha) }
	start := max(1, math.Round(peak))
	top := term(start)
	// The terms are concave in n: on either side they fall for good.
	sum := 1.0
	for n := start + 1; ; n++ {
		t := term(n)
		if sum += math.Exp(t - top); t < top-negligible {
			break
		}
	}
	for n := start - 1; n >= 1; n-- {
		t := term(n)
		if sum += math.Exp(t - top); t < top-negligible {
			break
		}
	}
	return top + math.Log(sum) - log
}

// CDF is Σ_n P(n; λ) P(nα, y/θ), P being the regularised incomplete gamma function. Where n is large
// both change slowly with it, and every so many terms stand for those between: sums of smooth
// functions are as exact as the trapezoidal rule.
func (l Tweedie) CDF(y, f float64) float64 {
	if y < 0 {
		return 0
	}
	f = within(f)
	p, log := l.Power, math.Log(l.Dispersion)
	alpha := (2 - p) / (p - 1)
	lambda := exp((2-p)*f - log - math.Log(2-p))
	none := math.Exp(-lambda)
	if y == 0 {
		return none
	}
	x := exp(math.Log(min(y, Largest)) - log - math.Log(p-1) - (p-1)*f) // y/θ
	if lambda > 1e14 {                                                  // digits of n are gone; y is its mean
		return normal((y - exp(f)) / math.Sqrt(l.Variance(f)))
	}
	if lambda == 0 {
		return 1
	}
	const (
		reach = 7.
		least = 1e-13
	)
	width := math.Sqrt(lambda)
	from := max(1, math.Floor(lambda-reach*width))
	stride := 1.0
	if lambda > 30 { // the terms at n = 1 and before are nothing
		stride = max(1, math.Floor(0.6*min(width, math.Sqrt(x)/alpha)))
	}
	var sum float64
	for n := from; ; n += stride {
		own := math.Exp(logPoisson(n, lambda))
		if own > least {
			share := mathext.GammaIncReg(n*alpha, x) // which falls with n
			if own *= share; share < least {
				break
			}
		}
		if sum += own; own <= least && n > lambda {
			break
		}
	}
	return min(1, none+stride*sum)
}

// logPoisson is the logarithm of a Poisson probability, n > 0, of which no large terms
// cancel: n!'s are those of Stirling's series from 20 on.
func logPoisson(n, lambda float64) float64 {
	if n < 20 {
		return n*math.Log(lambda) - lambda - lgamma(n+1)
	}
	d := (lambda - n) / n
	return -n*(d-math.Log1p(d)) - math.Log(2*math.Pi*n)/2 - stirling(n)
}
