package predictive

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// quantile is the inverse of the CDF: of a discrete law the least whole number of at least q.
func (m mixture) quantile(q float64) float64 {
	lo, hi := m.law.Support()
	switch {
	case m.unknown(q):
		return math.NaN()
	case !(q > 0):
		return lo
	case !(q < 1):
		return hi
	case !math.IsInf(lo, -1) && m.cdf(lo) >= q:
		return lo
	case m.law.Discrete():
		return m.count(q, lo, min(hi, largest))
	}
	return m.amount(q, chart{lo, hi})
}

// chart is the inside of a support as the real line.
type chart struct{ lo, hi float64 }

func (c chart) to(y float64) float64 {
	const least = math.SmallestNonzeroFloat64
	switch {
	case math.IsInf(c.lo, -1):
		return y
	case math.IsInf(c.hi, 1):
		return math.Log(max(y-c.lo, least))
	}
	return math.Log(max(y-c.lo, least)) - math.Log(max(c.hi-y, least))
}

func (c chart) from(v float64) float64 {
	switch {
	case math.IsInf(c.lo, -1):
		return v
	case math.IsInf(c.hi, 1):
		return c.lo + math.Exp(min(v, 709))
	}
	return c.lo + (c.hi-c.lo)/(1+math.Exp(-v))
}

// normalScore is Φ⁻¹(u), −9 or 9 where u is 0 or 1 but for rounding.
func normalScore(u float64) float64 {
	return min(max(distuv.UnitNormal.Quantile(min(max(u, 0), 1)), -9), 9)
}

// guess returns about where the quantile of a normal score z is on a chart, and the deviation there:
// the law's own and that of f add up.
func (m mixture) guess(c chart, z float64) (v, std float64) {
	centre := m.law.Mean(m.mean)
	_, _, width := m.law.Place(centre)
	spread := math.Hypot(width, m.std)
	const aside = 0.1
	v = c.to(m.law.Mean(m.mean + z*spread))
	if std = math.Abs(c.to(m.law.Mean(m.mean+(z+aside)*spread))-v) / aside; !(std > 0 && std < math.Inf(1)) {
		std = 1
	}
	return v, std
}

// amount returns y with F(y) = q, to 1e-9 of a deviation on its chart: the normal score of F is nearly
// linear there, and its secant is followed within a bracket.
func (m mixture) amount(q float64, c chart) float64 {
	const saturated = 8.2 // F is 0 or 1 but for rounding
	z := normalScore(q)
	v, std := m.guess(c, z)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	before, was := math.NaN(), math.NaN()
	slope, grow := 1/std, 2*std
	for step := range 200 {
		score := normalScore(m.cdf(c.from(v)))
		off := score - z
		if off < 0 {
			lo = v
		} else {
			hi = v
		}
		if math.Abs(score) > saturated {
			before = math.NaN()
		} else {
			if s := (off - was) / (v - before); s > 0 {
				slope = s
			}
			before, was = v, off
		}
		next := v - off/slope
		switch bracketed := !math.IsInf(hi-lo, 0); {
		case !bracketed:
			next = min(max(next, v-grow), v+grow)
			grow *= 2
		case !(next > lo && next < hi) || step%4 == 3: // now and then in any case
			next = lo + (hi-lo)/2
		}
		if math.Abs(next-v) <= 1e-9*std || hi-lo <= 1e-9*std || c.from(next) == c.from(v) {
			v = next
			break
		}
		v = next
	}
	return c.from(v)
}

// largest is the largest count that quantiles are looked for at: beyond it whole numbers
// have gaps.
const largest = 1 << 53

// count returns the least whole number above lo, whose CDF is less than q, that has a CDF of at
// least q, hi at most.
func (m mixture) count(q, lo, hi float64) float64 {
	if hi-lo > 16 {
		c := chart{lo - 0.5, math.Inf(1)}
		v, std := m.guess(c, normalScore(q))
		at := min(max(math.Round(c.from(v)), lo+1), hi)
		// Outwards from there, by more and more.
		step := max(1, math.Round(at*math.Expm1(min(0.1*std, 1))))
		if m.cdf(at) < q {
			for lo = at; lo < hi; step *= 2 {
				if at = min(lo+step, hi); m.cdf(at) >= q {
					hi = at
					break
				}
				lo = at
			}
		} else {
			for hi = at; hi-step > lo; step *= 2 {
				if m.cdf(hi-step) < q {
					lo = hi - step
					break
				}
				hi -= step
			}
		}
	}
	for hi-lo > 1 {
		if at := math.Floor(lo + (hi-lo)/2); m.cdf(at) < q {
			lo = at
		} else {
			hi = at
		}
	}
	return hi
}
