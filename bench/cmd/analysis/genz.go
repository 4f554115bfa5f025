package main

import (
	"math"
	"math/cmplx"
	"math/rand/v2"

	"gonum.org/v1/gonum/integrate/quad"
)

// genz is a function on [0, 1]^d of a family of Genz (1984), with its integral.
type genz struct {
	f        func(x []float64) float64
	integral float64
}

// family makes functions of parameters a, which say how difficult it is, and w, which say
// where.
type family struct {
	name string
	// difficulty is Σ a: those of Barthelmann, Novak & Ritter (Advances in Computational
	// Mathematics 12, 2000), for every d.
	difficulty float64
	of         func(a, w []float64) genz
}

var families = []family{
	{"oscillatory", 9, oscillatory},
	{"product peak", 7.25, productPeak},
	{"corner peak", 1.85, cornerPeak},
	{"Gaussian", 7.03, gaussian},
	{"continuous", 20.4, continuous},
	{"discontinuous", 4.3, discontinuous},
}

// hardest has the difficulty that Genz gave a corner peak of five inputs: nearly all of it is in a
// corner that few points meet or none.
var hardest = family{"corner peak, Σ a = 24", 24, cornerPeak}

// draw returns a function of d inputs: a and w are drawn uniformly, and a is scaled.
func (f family) draw(d int, rng *rand.Rand) genz {
	a, w := make([]float64, d), make([]float64, d)
	var sum float64
	for i := range a {
		a[i], w[i] = rng.Float64(), rng.Float64()
		sum += a[i]
	}
	for i := range a {
		a[i] *= f.difficulty / sum
	}
	return f.of(a, w)
}

// cos(2π w₁ + aᵀx), whose integral is the real part of a product.
func oscillatory(a, w []float64) genz {
	product := cmplx.Exp(complex(0, 2*math.Pi*w[0]))
	for _, v := range a {
		product *= (cmplx.Exp(complex(0, v)) - 1) / complex(0, v)
	}
	return genz{func(x []float64) float64 {
		return math.Cos(2*math.Pi*w[0] + along(a, x))
	}, real(product)}
}

// Π 1/(a⁻² + (x − w)²), here in units of its largest value Π a².
func productPeak(a, w []float64) genz {
	integral := 1.0
	for i, v := range a {
		integral *= (math.Atan(v*(1-w[i])) + math.Atan(v*w[i])) / v
	}
	return genz{func(x []float64) float64 {
		product := 1.0
		for i, v := range a {
			product /= 1 + v*v*(x[i]-w[i])*(x[i]-w[i])
		}
		return product
	}, integral}
}

// (1 + aᵀx)^−(d+1) = 1/d! ∫ t^d exp(−t (1 + aᵀx)) dt, of which the integral over x is a
// product for every t. The sum over corners that is usually given cancels where d is large.
func cornerPeak(a, _ []float64) genz {
	d := float64(len(a))
	logFactorial, _ := math.Lgamma(d + 1)
	at := func(t float64) float64 {
		e := d*math.Log(t) - t - logFactorial
		for _, v := range a {
			e += math.Log(-math.Expm1(-v*t) / (v * t))
		}
		return math.Exp(e)
	}
	var integral float64
	for k := range 200 { // [0, 200] in pieces of one
		integral += quad.Fixed(at, float64(k), float64(k+1), 24, quad.Legendre{}, 1)
	}
	return genz{func(x []float64) float64 { return math.Pow(1+along(a, x), -d-1) }, integral}
}

// exp(−Σ a² (x − w)²)
func gaussian(a, w []float64) genz {
	integral := 1.0
	for i, v := range a {
		integral *= math.Sqrt(math.Pi) / (2 * v) * (math.Erf(v*(1-w[i])) + math.Erf(v*w[i]))
	}
	return genz{func(x []float64) float64 {
		var sum float64
		for i, v := range a {
			sum += v * v * (x[i] - w[i]) * (x[i] - w[i])
		}
		return math.Exp(-sum)
	}, integral}
}

// exp(−Σ a |x − w|)
func continuous(a, w []float64) genz {
	integral := 1.0
	for i, v := range a {
		integral *= (2 - math.Exp(-v*w[i]) - math.Exp(-v*(1-w[i]))) / v
	}
	return genz{func(x []float64) float64 {
		var sum float64
		for i, v := range a {
			sum += v * math.Abs(x[i]-w[i])
		}
		return math.Exp(-sum)
	}, integral}
}

// exp(aᵀx) where x₁ ≤ w₁ and x₂ ≤ w₂, 0 elsewhere.
func discontinuous(a, w []float64) genz {
	integral := 1.0
	for i, v := range a {
		end := 1.0
		if i < 2 {
			end = w[i]
		}
		integral *= math.Expm1(v*end) / v
	}
	return genz{func(x []float64) float64 {
		if x[0] > w[0] || x[1] > w[1] {
			return 0
		}
		return math.Exp(along(a, x))
	}, integral}
}

func along(a, x []float64) (sum float64) {
	for i, v := range a {
		sum += v * x[i]
	}
	return sum
}
