package metric

import "math"

// ReliabilityBins is the number of equal parts of [0, 1] that probabilities are counted in.
const ReliabilityBins = 15

// Reliability counts how often what was said to have a probability came true. The zero value
// holds no rows.
type Reliability struct {
	bins [ReliabilityBins]reliability
	n    int
}

type reliability struct {
	n, true int
	claimed sum
	spread  sum // p (1 − p)
}

// Add takes in a probability, and whether what it was of came true.
func (r *Reliability) Add(p float64, came bool) {
	r.n++
	b := &r.bins[max(0, min(int(p*ReliabilityBins), ReliabilityBins-1))]
	b.n++
	b.claimed.add(p)
	b.spread.add(p * (1 - p))
	if came {
		b.true++
	}
}

// Bins returns, of the parts that have rows, the mean probability, the share that came true,
// and the number of rows.
func (r *Reliability) Bins() (claimed, came []float64, rows []int) {
	for _, b := range r.bins {
		if b.n > 0 {
			claimed = append(claimed, b.claimed.value()/float64(b.n))
			came = append(came, float64(b.true)/float64(b.n))
			rows = append(rows, b.n)
		}
	}
	return claimed, came, rows
}

// ECE returns the mean distance of both, weighted by rows. It panics before the first row.
func (r *Reliability) ECE() float64 {
	if r.n == 0 {
		panic(errEmpty)
	}
	var total sum
	claimed, came, rows := r.Bins()
	for i, n := range rows {
		total.add(float64(n) * max(claimed[i]-came[i], came[i]-claimed[i]))
	}
	return total.value() / float64(r.n)
}

// ChanceECE returns about what the expectation of [Reliability.ECE] is where what is said to have a probability comes true as often:
// rows of part b come true so often but for chance, of variance V_b = Σ p (1 − p),
//
//	1/n Σ_b E|X_b − E X_b|,   E|X_b − E X_b| ≈ min(√(2 V_b/π), 2 V_b)
//
// by the central limit and, of few rows or rare ones, by Poisson's law (Bröcker & Smith, Weather and Forecasting 2007, draw it). An error
// that is hardly larger is no sign of probabilities that are wrong. It panics before the first row.
func (r *Reliability) ChanceECE() float64 {
	if r.n == 0 {
		panic(errEmpty)
	}
	var total sum
	for _, b := range r.bins {
		v := b.spread.value()
		total.add(min(math.Sqrt(2*v/math.Pi), 2*v))
	}
	return total.value() / float64(r.n)
}
