package metric

import "math"

// Scores gathers the scores of Gaussian predictions that come block by block, in
// memory that does not grow. The zero value holds no rows. All methods but
// [Scores.Add] and [Scores.N] panic before the first row. A Scores is used by one
// goroutine at a time.
type Scores struct {
	n, inside                 int
	squares, logDensity, crps sum
}

// Add takes in a block of rows, [m] each, which may be empty.
func (s *Scores) Add(y, mean, std []float64) {
	if len(mean) != len(y) || len(std) != len(y) {
		panic(errLength)
	}
	for i, v := range y {
		m, sd := mean[i], std[i]
		lower, upper := GaussianInterval(m, sd, 0.95)
		s.add(v, m, lower, upper, logDensity(v, m, sd), crps(v, m, sd))
	}
}

func (s *Scores) add(y, mean, lower, upper, logDensity, crps float64) {
	s.n++
	s.squares.add((y - mean) * (y - mean))
	s.logDensity.add(logDensity)
	s.crps.add(crps)
	if lower <= y && y <= upper {
		s.inside++
	}
}

// N returns the number of rows so far.
func (s *Scores) N() int { return s.n }

// RMSE is [RMSE] over the rows so far.
func (s *Scores) RMSE() float64 { return math.Sqrt(s.mean(s.squares)) }

// NLPD is [NLPD] over the rows so far.
func (s *Scores) NLPD() float64 { return -s.mean(s.logDensity) }

// CRPS is [CRPS] over the rows so far.
func (s *Scores) CRPS() float64 { return s.mean(s.crps) }

// Coverage95 is [Coverage] of the central 95 % intervals over the rows so far.
func (s *Scores) Coverage95() float64 {
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
