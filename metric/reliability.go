package metric

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
}

// Add takes in a probability, and whether what it was of came true.
func (r *Reliability) Add(p float64, came bool) {
	r.n++
	b := &r.bins[max(0, min(int(p*ReliabilityBins), ReliabilityBins-1))]
	b.n++
	b.claimed.add(p)
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
