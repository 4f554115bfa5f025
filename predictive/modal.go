package predictive

import "math"

// logDensity is log ∫ p(y | f) N(f) df, to 1e-8 wherever y lies: far from its mean it is an
// integral about the mode of the integrand, which is far from that of the Gaussian.
func (m mixture) logDensity(y float64) float64 {
	if m.unknown(y) {
		return math.NaN()
	}
	at := m.law.LogDensity(y, m.mean)
	if m.std <= resolved*math.Abs(m.mean) || math.IsInf(at, -1) {
		return at
	}
	if gentle, ok := m.law.(Gentle); ok {
		p, ok := m.smooth(1, func(f float64) float64 { return gentle.Probability(y, f) })
		if ok && p > leastOfSum {
			return math.Log(p)
		}
	}
	if floored, ok := m.law.(Floored); ok {
		if floor, others, share := floored.Parts(y); floor > 0 {
			return math.Log(floor + share*math.Exp(mixture{others, m.mean, m.std}.logDensity(y)))
		}
	}
	if given, ok := m.law.(Given); ok {
		if log, concave := given.Given(y); concave {
			return m.aboutMode(log)
		}
	}
	return m.logByPanels(y)
}

// resolved is the deviation of f in units of its mean up to which f is its mean: numbers next to it lie
// hardly closer, and a sum over f in such steps would not come to an end.
const resolved = 1e-12

// leastOfSum is a probability below which terms of a sum of probabilities may lie below the range of numbers.
const leastOfSum = 1e-250

// unseen is −log of what a term of a sum is left out at, of the largest.
const unseen = 36

// aboutMode is the integral of a concave log p by the trapezoidal rule from its mode on.
func (m mixture) aboutMode(log func(f float64) (value, first, second float64)) float64 {
	precision := 1 / (m.std * m.std)
	mode, curvature := m.mode(log, precision)
	// Steps of laws that are functions of e^f stay below its period 2πi, whatever the curvature.
	step := min(0.45/math.Sqrt(curvature), 0.4)
	height := func(beside float64) float64 {
		value, _, _ := log(mode + beside)
		z := (mode - m.mean + beside) / m.std // in this order, for beside may be lost in the mode
		return value - z*z/2
	}
	top := height(0)
	sum := 1.0
	for _, side := range [...]float64{step, -step} {
		for k := 1.0; ; k++ {
			h := height(k * side)
			if !(h > top-unseen) {
				break
			}
			sum += math.Exp(h - top)
		}
	}
	return top + math.Log(sum*step/m.std) - logSqrt2Pi
}

// mode returns where log p(y | f) − ½ (f − mean)²/std² is largest, to a part of its width, and minus
// its second derivative there: by Newton's method within a bracket.
func (m mixture) mode(log func(f float64) (value, first, second float64), precision float64) (f, curvature float64) {
	f = m.mean
	_, first, second := log(f)
	lo, hi := f, f+first/precision // concave: first only falls towards the mode
	if lo > hi {
		lo, hi = hi, lo
	}
	before := hi - lo
	for range 200 {
		slope := first - (f-m.mean)*precision
		curvature = precision - min(second, 0)
		step := slope / curvature
		if math.Abs(step)*math.Sqrt(curvature) < 0.02 {
			break
		}
		if slope > 0 {
			lo = f
		} else {
			hi = f
		}
		if next := f + step; next > lo && next < hi && math.Abs(step) < before/2 {
			f, before = next, math.Abs(step)
		} else {
			f, before = lo+(hi-lo)/2, hi-lo
		}
		_, first, second = log(f)
	}
	return f, curvature
}

// logByPanels is the integral where log p may have several modes: in panels about where the Gaussian
// and the law lie, and once more about the largest value if that is elsewhere.
func (m mixture) logByPanels(y float64) float64 {
	lo, hi, width := m.law.Place(y)
	from, to := m.window()
	from, to = min(from, lo-4*width), max(to, hi+4*width)
	centres := [][2]float64{{m.mean, m.std}, {lo, width}, {hi, width}}
	log, at, top := m.sumPanels(y, edges(from, to, centres...))
	for _, c := range centres {
		if math.Abs(at-c[0]) < 2*c[1] {
			return log
		}
	}
	// The curvature there, by the height nearby.
	h := min(width, m.std)
	centres = append(centres, [2]float64{at, h / math.Sqrt(1+max(0, 2*top-m.height(y, at-h)-m.height(y, at+h)))})
	log, _, _ = m.sumPanels(y, edges(from, to, centres...))
	return log
}

// height is log p(y | f) N(f) but for a constant.
func (m mixture) height(y, f float64) float64 {
	z := (f - m.mean) / m.std
	return m.law.LogDensity(y, f) - z*z/2
}

// sumPanels returns the logarithm of the integral and where its largest term is.
func (m mixture) sumPanels(y float64, edges []float64) (log, at, top float64) {
	top = math.Inf(-1)
	var sum float64
	panels(edges, func(f, weight float64) {
		h := m.height(y, f)
		if h > top {
			sum *= math.Exp(top - h)
			top, at = h, f
		}
		if h > top-unseen {
			sum += weight * math.Exp(h-top)
		}
	})
	return top + math.Log(sum/m.std) - logSqrt2Pi, at, top
}
