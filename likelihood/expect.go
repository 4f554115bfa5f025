package likelihood

import "math"

// digits is −log of the relative error that expectations by quadrature have at most.
const digits = 36

// quadrature returns E g and the expectations of g's two derivatives, the second halved, for
// f ~ N(mean, variance), by the trapezoidal rule. For a g that is analytic at a distance of
// less than strip from the real line, and not larger there by orders of magnitude, its
// relative error is that of a shift of the contour by strip at most,
//
//	exp(−2π a/h + a²/(2 variance)), a = min(strip, 2π variance/h)
//
// which the step h makes e^−36 (Trefethen and Weideman, SIAM Review 56, 2014). Terms that grow
// like e^f are no part of g: the Gaussian is followed to 8.5 deviations.
func quadrature(mean, variance, strip float64, g func(f float64) (value, first, second float64)) (value, byMean, byVariance float64) {
	if !(variance > 0) {
		value, byMean, byVariance = g(mean)
		return value, byMean, byVariance / 2
	}
	const reach = 8.5
	std := math.Sqrt(variance)
	// In deviations.
	step := math.Pi * math.Sqrt(2./digits)
	if strip < std*math.Sqrt(2*digits) {
		step = 2 * math.Pi * strip / (digits + strip*strip/(2*variance)) / std
	}
	var sum float64
	for k, n := 0.0, math.Ceil(reach/step); k <= n; k++ {
		w := math.Exp(-k * step * k * step / 2)
		for _, z := range [...]float64{k * step, -k * step} {
			v, first, second := g(mean + std*z)
			value, byMean, byVariance = value+w*v, byMean+w*first, byVariance+w*second
			sum += w
			if k == 0 {
				break
			}
		}
	}
	return value / sum, byMean / sum, byVariance / sum / 2
}
