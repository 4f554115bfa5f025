package predictive

import "math"

// log1pMoments returns the mean and the deviation of y where log(1 + y) is
// N(location, scale²):
//
//	E y = exp(location + scale²/2) − 1,  Var y = (exp(scale²) − 1) exp(2 location + scale²)
func log1pMoments(location, scale float64) (mean, std float64) {
	half := location + scale*scale/2
	return math.Expm1(half), math.Sqrt(math.Expm1(scale*scale)) * math.Exp(half)
}

// log1pCRPS is ∫ (F(t) − 1{y ≤ t})² dt for the same y. With u = 1 + y, which is
// log-normal, it is u (2Φ(ω) − 1) − 2 E u (Φ(ω − scale) + Φ(scale/√2) − 1), ω =
// (log u − location)/scale (Baran and Lerch, Quarterly Journal of the Royal
// Meteorological Society 141, 2015).
func log1pCRPS(y, location, scale float64) float64 {
	if scale == 0 {
		return math.Abs(y - math.Expm1(location))
	}
	u := math.Max(1+y, 0)
	omega := (math.Log(u) - location) / scale
	expected := math.Exp(location + scale*scale/2)
	outside := math.Max(-(1 + y), 0) // below the distribution's support, at u = 0
	return outside + u*(2*normal(omega)-1) - 2*expected*(normal(omega-scale)+normal(scale/math.Sqrt2)-1)
}

// normal is Φ.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
