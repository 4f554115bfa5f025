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
	inside, zeros              int
	squares, absolute, percent sum
	logDensity, crps           sum
	width, beyond              sum
	targets                    spread // which also counts the rows
	pit                        [PITBins]int
}

// PITBins is the number of equal parts of [0, 1] that [Scores.PIT] counts in.
const PITBins = 10

// Add takes in a row: what was observed, the mean and the interval that were
// predicted, and the distribution. It returns the row's probability integral
// transform.
func (s *Scores) Add(y, mean, lower, upper float64, d predictive.Distribution) (pit float64) {
	return s.AddOutcome(y, mean, lower, upper, d.Outcome(y, s.N()+1))
}

// AddOutcome is [Scores.Add] where it is known what the distribution tells of y.
func (s *Scores) AddOutcome(y, mean, lower, upper float64, o predictive.Outcome) (pit float64) {
	s.targets.add(y)
	s.squares.add((y - mean) * (y - mean))
	s.absolute.add(math.Abs(y - mean))
	s.percent.add(relative(y, mean))
	if isZero(y) {
		s.zeros++
	}
	s.logDensity.add(o.LogDensity)
	s.crps.add(o.CRPS)
	s.width.add(upper - lower)
	s.beyond.add(outside(y, lower, upper))
	if lower <= y && y <= upper {
		s.inside++
	}
	if pit = o.Transform; pit == pit {
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
		shares[i] = float64(n) / float64(s.N())
	}
	return shares
}

// N returns the number of rows so far.
func (s *Scores) N() int { return s.targets.n }

// RMSE is [RMSE] over the rows so far.
func (s *Scores) RMSE() float64 { return math.Sqrt(s.mean(s.squares)) }

// MAE is [MAE] over the rows so far.
func (s *Scores) MAE() float64 { return s.mean(s.absolute) }

// MAPE is [MAPE] over the rows so far.
func (s *Scores) MAPE() float64 { return s.mean(s.percent) }

// Zeros is [Zeros] of the targets so far.
func (s *Scores) Zeros() int { return s.zeros }

// R2 is [R2] over the rows so far.
func (s *Scores) R2() float64 {
	s.check()
	return s.targets.r2(s.squares.value())
}

// NLPD is [NLPD] over the rows so far.
func (s *Scores) NLPD() float64 { return -s.mean(s.logDensity) }

// CRPS is [CRPS] over the rows so far.
func (s *Scores) CRPS() float64 { return s.mean(s.crps) }

// Coverage is [Coverage] over the rows so far.
func (s *Scores) Coverage() float64 {
	s.check()
	return float64(s.inside) / float64(s.N())
}

// Width is [MeanWidth] over the rows so far.
func (s *Scores) Width() float64 { return s.mean(s.width) }

// IntervalScore is [IntervalScore] over the rows so far, whose intervals are to hold their
// targets with probability level.
func (s *Scores) IntervalScore(level float64) float64 {
	return intervalScore(s.mean(s.width), s.mean(s.beyond), level)
}

func (s *Scores) mean(total sum) float64 {
	s.check()
	return total.value() / float64(s.N())
}

func (s *Scores) check() {
	if s.N() == 0 {
		panic(errEmpty)
	}
}
