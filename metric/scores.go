package metric

import (
	"math"

	"beziergp/predictive"
)

// Scores gathers the scores of predictions that come row by row, in
// memory that does not grow. The zero value holds no rows. All methods but
// [Scores.Add] and [Scores.N] panic before the first row. A Scores is used by one
// goroutine at a time.
type Scores struct {
	n, inside                 int
	squares, logDensity, crps sum
	pit                       [PITBins]int
}

// PITBins is the number of equal parts of [0, 1] that [Scores.PIT] counts in.
const PITBins = 10

// Add takes in a row: what was observed, the mean and the interval that were
// predicted, and the distribution. It returns the row's probability integral
// transform.
func (s *Scores) Add(y, mean, lower, upper float64, d predictive.Distribution) (pit float64) {
	s.n++
	s.squares.add((y - mean) * (y - mean))
	s.logDensity.add(d.LogDensity(y))
	s.crps.add(d.CRPS(y))
	if lower <= y && y <= upper {
		s.inside++
	}
	if pit = d.CDF(y); pit == pit {
		s.pit[min(int(pit*PITBins), PITBins-1)]++
	}
	return pit
}

// PIT returns the shares of the rows so far whose probability integral transform
// F(y) lies in each tenth of [0, 1]: a tenth each when predictions are calibrated.
func (s *Scores) PIT() [PITBins]float64 {
	s.check()
	var shares [PITBins]float64
	for i, n := range s.pit {
		shares[i] = float64(n) / float64(s.n)
	}
	return shares
}

// N returns the number of rows so far.
func (s *Scores) N() int { return s.n }

// RMSE is [RMSE] over the rows so far.
func (s *Scores) RMSE() float64 { return math.Sqrt(s.mean(s.squares)) }

// NLPD is [NLPD] over the rows so far.
func (s *Scores) NLPD() float64 { return -s.mean(s.logDensity) }

// CRPS is [CRPS] over the rows so far.
func (s *Scores) CRPS() float64 { return s.mean(s.crps) }

// Coverage is [Coverage] over the rows so far.
func (s *Scores) Coverage() float64 {
	s.check()
	return float64(s.inside) / float64(s.n)
}

func (s *Scores) mean(total sum) float64 {
	s.check()
	return total.value() / float64(s.n)
}

func (s *Scores) check() {
	if s.n == 0 {
		panic(errEmpty)
	}
}
