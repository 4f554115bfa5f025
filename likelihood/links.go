package likelihood

import "math"

// Largest is where e^f and expectations of it are cut off, e^700.
const Largest = 1.0142320547350045e304

// exp is e^x, Largest at most.
func exp(x float64) float64 { return math.Exp(min(x, 700)) }

// within keeps f where its exponential is a number.
func within(f float64) float64 { return min(max(f, -700), 700) }

// logLink is the f with e^f = mean, from −50 on: all counts of a column may be 0.
func logLink(mean float64) float64 { return min(max(math.Log(mean), -50), 700) }

// LogLink tells whether the mean of a law is proportional to e^f: f of e times the mean is one more.
func LogLink(l Likelihood) bool {
	law, ok := l.(Law)
	return ok && math.Abs(law.Link(math.E)-law.Link(1)-1) < 1e-9
}

// logMoments are those of y whose mean is e^f and whose variance is linear e^f + square e^2f.
func logMoments(mean, variance, linear, square float64) (expected, std float64) {
	expected = exp(mean + variance/2)
	own := expected * math.Sqrt(square*exp(variance)+math.Expm1(min(variance, 700)))
	return expected, min(math.Hypot(math.Sqrt(linear*expected), own), Largest)
}

// sigmoid is 1/(1 + e^−f).
func sigmoid(f float64) float64 { return 1 / (1 + math.Exp(-f)) }

// logit is log(p/(1 − p)) from −50 to 50: all labels of a column may be the same.
func logit(p float64) float64 {
	p = min(max(p, 0), 1)
	return min(max(math.Log(p)-math.Log1p(-p), -50), 50)
}

// softplus is log(1 + e^f), −log of sigmoid(−f).
func softplus(f float64) float64 { return max(f, 0) + math.Log1p(math.Exp(-math.Abs(f))) }

// lgamma is log Γ(x), x > 0.
func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// normal is Φ.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// logSqrt2Pi is log √2π.
const logSqrt2Pi = 0.91893853320467274178032973640561763986
