package predictive

import "math"

// The CRPS of a mixture is the sum of ∫ F(t)² dt below y and of ∫ (1 − F(t))² dt above it. Either adds up
// the density, which costs far less than F, at the five nodes of blocks that follow each other
// outwards as far as they matter.

// A tail is left out where it adds less than a share of the score, or where so little
// probability is left that it is rounding.
const (
	negligible = 1e-6
	rounding   = 1e-9
)

// cumulated are the integrals of the polynomial through five equidistant values from the first node to the
// others, in steps (Newton and Cotes); the last is Boole's rule.
var cumulated = [4][5]float64{
	{251. / 720, 646. / 720, -264. / 720, 106. / 720, -19. / 720},
	{29. / 90, 124. / 90, 24. / 90, 4. / 90, -1. / 90},
	{27. / 80, 102. / 80, 72. / 80, 42. / 80, -3. / 80},
	{14. / 45, 64. / 45, 24. / 45, 64. / 45, 14. / 45},
}

func dot(weights, values *[5]float64) (sum float64) {
	for i, w := range weights {
		sum += w * values[i]
	}
	return sum
}

// finer is how many steps there are in a deviation.
const finer = 12

// crps is ∫ (F(t) − 1{y ≤ t})² dt, to 1e-4.
func (m mixture) crps(y float64) float64 {
	if m.unknown(y) {
		return math.NaN()
	}
	// Outside of the support there is all or nothing on one side.
	lo, hi := m.law.Support()
	inside := min(max(y, lo), hi)
	outside := math.Abs(y - inside)
	if math.IsInf(y, 0) {
		return math.Inf(1)
	}
	if m.law.Discrete() {
		return outside + m.crpsOfCounts(inside, lo, hi)
	}
	c := chart{lo, hi}
	centre, std := m.guess(c, 0)
	return outside + m.march(c, c.to(inside), 1, centre, std) + m.march(c, c.to(inside), -1, centre, std)
}

// block is five nodes of a chart and what the integrals of density and of squares are made of.
type block struct {
	step            float64
	density, slopes [5]float64 // of the target on the chart; dy/dv
}

// march integrates the square of the probability beyond t from v on, on a chart, up or down. The
// probability is added up from where there is next to none, so that no digit of it is lost where it is
// small and the target large.
func (m mixture) march(c chart, v, side, centre, std float64) (sum float64) {
	v = min(max(v, c.to(c.lo)), c.to(c.hi))
	var blocks []block
	for largest := 0.0; len(blocks) < 2000; {
		b := block{step: min(max(std, math.Abs(v-centre))/finer, (c.edge()-side*v)/4)}
		if !(b.step > 0) {
			break
		}
		for i := range b.density {
			y := c.from(v + side*b.step*float64(i))
			if b.slopes[i] = c.slope(y); b.slopes[i] > 0 {
				b.density[i] = m.probability(y) * b.slopes[i]
			}
		}
		blocks = append(blocks, b)
		v += 4 * side * b.step
		// What is beyond adds as if the density went on for a deviation.
		left := b.density[4] * max(std, math.Abs(v-centre))
		own := left * left * b.slopes[4]
		if largest = max(largest, own); (v-centre)*side >= 0 && (own <= negligible*negligible*largest || left < rounding*rounding) {
			break
		}
	}
	left := m.beyond(c, v, side)
	if left > 0 { // of targets at the end, or as good as there
		sum = left * left * math.Abs(c.from(v)-c.end(side))
	}
	for k := len(blocks) - 1; k >= 0; k-- {
		b := &blocks[k]
		own := b.step * dot(&cumulated[3], &b.density)
		squares := b.slopes
		for i := range squares {
			u := left + own
			if i > 0 {
				u -= b.step * dot(&cumulated[i-1], &b.density)
			}
			u = min(max(u, 0), 1)
			squares[i] *= u * u
		}
		sum += b.step * dot(&cumulated[3], &squares)
		left += own
	}
	return sum
}

// beyond is the probability of a target on the far side of a place of the chart. Targets may crowd at an end
// of the support; where there is none, next to nothing is left there.
func (m mixture) beyond(c chart, v, side float64) float64 {
	switch {
	case math.IsInf(c.end(side), 0):
		return 0
	case side < 0:
		return m.cdf(c.from(v))
	}
	return 1 - m.cdf(c.from(v))
}

// end is that of the support, up or down.
func (c chart) end(side float64) float64 {
	if side < 0 {
		return c.lo
	}
	return c.hi
}

// edge is how far numbers are followed on the chart: towards 1 they have digits to 1e-13.
func (c chart) edge() float64 {
	if math.IsInf(c.lo, 0) || math.IsInf(c.hi, 0) {
		return math.Inf(1)
	}
	return 30
}

// slope is dy/dv of the chart.
func (c chart) slope(y float64) float64 {
	switch {
	case math.IsInf(c.lo, -1):
		return 1
	case math.IsInf(c.hi, 1):
		return y - c.lo
	}
	return (y - c.lo) * (c.hi - y) / (c.hi - c.lo)
}

// crpsOfCounts is Σ_k (F(k) − 1{y ≤ k})², where between whole numbers F stays.
func (m mixture) crpsOfCounts(y, lo, hi float64) float64 {
	first := math.Ceil(y)
	before := 0.0 // F of the count below
	if first > lo {
		before = m.cdf(first - 1)
	}
	at := before + m.probability(first)
	c := chart{lo - 0.5, math.Inf(1)}
	v, std := m.guess(c, 0)
	centre := c.from(v)
	spread := centre * math.Expm1(min(std, 1))
	sum := (y - (first - 1)) * before * before
	if y < first {
		sum += (first - y) * (1 - before) * (1 - before)
	}
	return sum + m.total(first, hi-1, 1, 1-at, centre, spread) + m.total(first-2, lo, -1, before-m.probability(first-1), centre, spread)
}

// probability is that of a count, or a density, as a sum over f where few terms do: what is far below the
// largest need not be right.
func (m mixture) probability(y float64) float64 {
	if given, ok := m.law.(Given); ok && m.std > 0 && !math.IsInf(m.law.LogDensity(y, m.mean), -1) {
		if log, concave := given.Given(y); concave {
			return math.Exp(m.aboutMode(log))
		}
	}
	if p, ok := m.byFewTerms(y); ok {
		return p
	}
	return math.Exp(m.logDensity(y))
}

// byFewTerms is probability as a sum over a few values of f; not ok where they are not enough.
func (m mixture) byFewTerms(y float64) (p float64, ok bool) {
	if !(m.std > 0) {
		return 0, false
	}
	_, _, width := m.law.Place(y)
	if given, ok := m.law.(Given); ok && !math.IsInf(m.law.LogDensity(y, m.mean), -1) {
		log, _ := given.Given(y)
		return m.smooth(width, func(f float64) float64 {
			value, _, _ := log(f)
			return math.Exp(value)
		})
	}
	return m.smooth(width, func(f float64) float64 { return math.Exp(m.law.LogDensity(y, f)) })
}

// steep tells whether probabilities at the ends of five nodes differ by so much that no polynomial
// through the nodes has the digits that count.
func steep(a, b float64) bool {
	most, least := max(a, b), min(a, b)
	return most > 1e-8 && most > 10*least
}

// total is the sum over whole numbers k from a to end, up or down, of squares: of 1 − F(k) going up, of F(k)
// going down; left is that at a. Where it is smooth over many of them, it is an integral, and what
// Euler and Maclaurin add.
func (m mixture) total(a, end, side, left, centre, spread float64) (sum float64) {
	// The probability that is passed from k to its neighbour is that of the neighbour going up, of k going down.
	passed := func(k float64) float64 {
		if side > 0 {
			return m.probability(k + 1)
		}
		return m.probability(k)
	}
	smooth := false
	for k := a; (end-k)*side >= 0; {
		left = min(max(left, 0), 1)
		step := math.Floor(max(spread, math.Abs(k-centre)) / finer)
		step = min(step, math.Floor((end-k)*side/4))
		for step >= 2 && steep(passed(k), passed(k+4*side*step)) {
			step = math.Floor(step / 2)
		}
		var own, moved float64
		if step < 2 {
			if own = left * left; smooth { // the rest one by one again
				smooth, sum = false, sum-own/2
			}
			sum += own
			moved = passed(k)
			left -= moved
			k += side
		} else {
			var p, squares [5]float64
			for i := range p {
				p[i] = passed(k + side*step*float64(i))
			}
			squares[0] = left * left
			if !smooth {
				smooth = true
				sum += squares[0]/2 + left*p[0]/6 // −1/12 of the slope, −2 left p
			}
			was := left
			for i := range 4 {
				// Σ of p over k … k + i steps but the last: its integral and half of what the ends differ by.
				left = min(max(was-step*dot(&cumulated[i], &p)-(p[0]-p[i+1])/2, 0), 1)
				squares[i+1] = left * left
			}
			own, moved = step*dot(&cumulated[3], &squares), step*dot(&cumulated[3], &p)
			sum += own
			k += 4 * side * step
		}
		// Where nothing moves any more, what seems left is rounding, and larger steps would add it
		// up for ever.
		if (k-centre)*side >= 0 && (own <= negligible*sum || left < rounding || moved < rounding*rounding) {
			break
		}
	}
	return sum
}
