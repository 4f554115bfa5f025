package metric

import "math"

// Log1pMoments returns the mean and the deviation of y where log(1 + y) is
// N(location, scale²):
//
//	E y = exp(location + scale²/2) − 1,  Var y = (exp(scale²) − 1) exp(2 location + scale²)
func Log1pMoments(location, scale float64) (mean, std float64) {
	checkStd(scale)
	half := location + scale*scale/2
	return math.Expm1(half), math.Sqrt(math.Expm1(scale*scale)) * math.Exp(half)
}

// log1pDensity is the log density of y where log(1 + y) is N(location, scale²).
func log1pDensity(y, location, scale float64) float64 {
	if y <= -1 {
		return math.Inf(-1)
	}
	z := math.Log1p(y)
	return logDensity(z, location, scale) - z
}

// log1pCRPS is ∫ (F(t) − 1{y ≤ t})² dt for the same y. With u = 1 + y, which is
// log-normal, it is u (2Φ(ω) − 1) − 2 E u (Φ(ω − scale) + Φ(scale/√2) − 1), ω =
// (log u − location)/scale (Baran and Lerch, Quarterly Journal of the Royal
// Meteorological Society 141, 2015).
func log1pCRPS(y, location, scale float64) float64 {
	checkStd(scale)
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

// AddLog1p takes in a block of rows whose log(1 + y) is N(location, scale²), [m] each.
func (s *Scores) AddLog1p(y, location, scale []float64) {
	if len(location) != len(y) || len(scale) != len(y) {
		panic(errLength)
	}
	for i, v := range y {
		mean, _ := Log1pMoments(location[i], scale[i])
		lower, upper := GaussianInterval(location[i], scale[i], 0.95)
		s.add(v, mean, math.Expm1(lower), math.Expm1(upper), log1pDensity(v, location[i], scale[i]), log1pCRPS(v, location[i], scale[i]))
	}
}
