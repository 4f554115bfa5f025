package predictive

import "math"

// moments follow from E[y | f] and Var(y | f) by the law of total variance. Laws whose mean grows
// like e^f must have them in closed form: they are those of values beyond where f is followed.
func (m mixture) moments() (mean, std float64) {
	switch own, ok := m.law.(Moments); {
	case m.unknown(0):
		return math.NaN(), math.NaN()
	case m.std == 0:
		return m.law.Mean(m.mean), math.Sqrt(m.law.Variance(m.mean))
	case ok:
		return own.Moments(m.mean, m.std*m.std)
	}
	var within, second float64
	at := m.law.Mean(m.mean)
	from, to := m.window()
	lo, hi, width := m.law.Place(at)
	scale := 1 / (sqrt2Pi * m.std)
	panels(edges(from, to, [2]float64{m.mean, m.std}, [2]float64{lo, width}, [2]float64{hi, width}), func(f, weight float64) {
		z := (f - m.mean) / m.std
		weight *= scale * math.Exp(-z*z/2)
		d := m.law.Mean(f) - at
		mean, within, second = mean+weight*d, within+weight*m.law.Variance(f), second+weight*d*d
	})
	return at + mean, math.Sqrt(within + max(second-mean*mean, 0))
}
