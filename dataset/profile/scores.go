package profile

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/predictive"
)

// PITBins is the number of equal parts of [0, 1] that probability integral transforms are
// counted in.
const PITBins = 20

// Scores are of predictions: those of the training rows out of fold, or those of rows that
// came later.
type Scores struct {
	// Predicted are the numbers that were predicted of rows, means or medians, and Error
	// their distances to the target, |y − predicted|, where it is known.
	Predicted, Error Column
	// PIT are rows by the part of [0, 1] that F(y) lies in, F being the distribution
	// predicted: as many in each where predictions are calibrated.
	PIT    [PITBins]int
	Inside int // rows whose target lies in their interval
	// Squared are squared errors, and Surprise −log p(y), in nats.
	Squared, Surprise Moments
}

// NewScores returns scores of no rows with bins for predictions and errors like these,
// both [n], which it sorts.
func NewScores(predicted, errors []float64) *Scores {
	s := &Scores{Predicted: columnOf(predicted), Error: columnOf(errors)}
	return s
}

// columnOf returns bins for finite values, which it sorts.
func columnOf(values []float64) Column {
	f := finder{lo: math.Inf(1), hi: math.Inf(-1), values: values}
	if len(values) > 0 {
		f.lo, f.hi = slices.Min(values), slices.Max(values)
	}
	return f.column()
}

// Add takes a row: its target, NaN where it is not known, and what was predicted of it.
func (s *Scores) Add(y, predicted, lower, upper float64, d predictive.Distribution) {
	if y != y {
		s.Predicted.add(predicted)
		return
	}
	s.AddOutcome(y, predicted, lower, upper, predictive.Outcome{LogDensity: d.LogDensity(y), Transform: d.Transform(y, s.Scored()+1)})
}

// AddOutcome takes a row whose target is known, and of which it is known what the distribution
// tells of it; its CRPS does not count.
func (s *Scores) AddOutcome(y, predicted, lower, upper float64, o predictive.Outcome) {
	s.Predicted.add(predicted)
	e := math.Abs(y - predicted)
	s.Error.add(e)
	s.Squared.Add(e * e)
	s.Surprise.Add(-o.LogDensity)
	if lower <= y && y <= upper {
		s.Inside++
	}
	s.PIT[max(0, min(int(o.Transform*PITBins), PITBins-1))]++
}

// Scored returns the number of rows whose target was known.
func (s *Scores) Scored() int { return s.Squared.N }

// Coverage returns the share of these that lie in their interval, and its standard error.
func (s *Scores) Coverage() (share, deviation float64) {
	n := float64(s.Scored())
	share = float64(s.Inside) / n
	return share, math.Sqrt(share * (1 - share) / n)
}

// RMSE returns the root of the mean squared error, and its standard error to first order,
// that of the mean square over twice the root.
func (s *Scores) RMSE() (root, deviation float64) {
	root = math.Sqrt(s.Squared.Mean)
	return root, s.Squared.Error() / (2 * root)
}

func (s *Scores) empty() *Scores {
	return &Scores{Predicted: s.Predicted.empty(), Error: s.Error.empty()}
}

func (s *Scores) check() error {
	n := s.Scored()
	for _, c := range []*Column{&s.Predicted, &s.Error} {
		if err := c.check(0); err != nil {
			return fmt.Errorf("the profile of scores: %w", err)
		}
	}
	pit := 0
	for _, count := range s.PIT {
		if count < 0 || count > n {
			return errors.New("the profile of scores: its PIT is none")
		}
		pit += count
	}
	if n < 1 || pit != n || s.Inside < 0 || s.Inside > n || s.Error.Rows() != n || s.Surprise.N != n || !s.Squared.sound() || !s.Surprise.sound() {
		return errors.New("the profile of scores: its counts are none")
	}
	return nil
}

// Moments are mean and deviation of numbers that come one by one (Welford, Technometrics
// 4, 1962).
type Moments struct {
	N       int
	Mean    float64
	squares float64 // Σ (v − mean)²
}

// Add takes a number.
func (m *Moments) Add(v float64) {
	m.N++
	d := v - m.Mean
	m.Mean += d / float64(m.N)
	m.squares += d * (v - m.Mean)
}

// Error returns the standard error of the mean; NaN of fewer than two numbers.
func (m *Moments) Error() float64 {
	return math.Sqrt(m.squares / float64(m.N-1) / float64(m.N))
}

func (m *Moments) sound() bool { return finite(m.Mean) && finite(m.squares) && m.squares >= 0 }

func finite(v float64) bool { return v-v == 0 }
