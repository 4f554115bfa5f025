package metric

import "math"

// MAE returns the mean absolute error Σ |y − predicted| / n, in the units of y.
func MAE(y, predicted []float64) float64 {
	check(y, predicted)
	var total sum
	for i, v := range y {
		total.add(math.Abs(v - predicted[i]))
	}
	return total.value() / float64(len(y))
}

// MedianAE returns the median of the absolute errors |y − predicted|, the mean of the two
// in the middle where n is even, in the units of y.
func MedianAE(y, predicted []float64) float64 {
	check(y, predicted)
	var m Median
	for i, v := range y {
		m.Add(math.Abs(v - predicted[i]))
	}
	return m.Value()
}

// MAPE returns the mean absolute percentage error as a share, not in percent:
//
//	1/n Σ |y − predicted| / max(|y|, ε), ε = 2^−52,
//
// which is huge where a target is 0: [Zeros] tells of such targets.
func MAPE(y, predicted []float64) float64 {
	check(y, predicted)
	var total sum
	for i, v := range y {
		total.add(relative(v, predicted[i]))
	}
	return total.value() / float64(len(y))
}

// epsilon is what [MAPE] divides by at least: the spacing of float64s at 1.
const epsilon = 0x1p-52

func relative(y, predicted float64) float64 {
	return math.Abs(y-predicted) / math.Max(math.Abs(y), epsilon)
}

// Zeros returns how many of the targets are nearer to 0 than ε: an error relative to them
// means nothing.
func Zeros(y []float64) (n int) {
	for _, v := range y {
		if isZero(v) {
			n++
		}
	}
	return n
}

func isZero(y float64) bool { return math.Abs(y) < epsilon }

// R2 returns the coefficient of determination
//
//	R² = 1 − Σ (y − predicted)² / Σ (y − ȳ)²
//
// with ȳ the mean of y: 1 for perfect predictions, 0 for those as good as ȳ, and no bound
// below. It is NaN where all targets are the same.
func R2(y, predicted []float64) float64 {
	check(y, predicted)
	var s spread
	var squares sum
	for i, v := range y {
		s.add(v)
		squares.add((v - predicted[i]) * (v - predicted[i]))
	}
	return s.r2(squares.value())
}

// spread is how much values vary around their mean, as they come one by one: Welford,
// Note on a method for calculating corrected sums of squares and products, 1962, with sums
// that are compensated and a mean in two float64s: the relative error is some 2^−52 whatever
// n is and wherever the mean.
type spread struct {
	n              int
	total, squares sum // of the values, and of their deviations from the mean
	low, high      float64
}

func (s *spread) add(v float64) {
	if s.n == 0 {
		s.low, s.high = v, v
	}
	s.low, s.high = min(s.low, v), max(s.high, v)
	before := s.deviation(v)
	s.n++
	s.total.add(v)
	if s.n > 1 {
		s.squares.add(before * s.deviation(v))
	}
}

// deviation returns how far v is from the mean.
func (s *spread) deviation(v float64) float64 {
	n := float64(s.n)
	mean := s.total.value() / n
	rest := (math.FMA(-n, mean, s.total.high) + s.total.low) / n
	return v - mean - rest
}

// r2 returns R² of predictions with this sum of squared errors.
func (s *spread) r2(errors float64) float64 {
	if s.low == s.high {
		return math.NaN()
	}
	return 1 - errors/s.squares.value()
}

// Pinball returns the mean pinball loss of predicted quantiles of level τ in (0, 1):
//
//	1/n Σ max(τ (y − q), (τ − 1) (y − q)),
//
// in the units of y. At τ = ½ it is half of [MAE].
func Pinball(y, quantile []float64, level float64) float64 {
	check(y, quantile)
	checkLevel(level)
	var total sum
	for i, v := range y {
		total.add(pinball(v, quantile[i], level))
	}
	return total.value() / float64(len(y))
}

func pinball(y, quantile, level float64) float64 {
	d := y - quantile
	return math.Max(level*d, (level-1)*d)
}

// Quantile gathers the pinball loss of quantiles that come one by one.
type Quantile struct {
	Level float64 // in (0, 1)
	n     int
	total sum
}

// Add takes in a row: what was observed, and the quantile that was predicted.
func (q *Quantile) Add(y, quantile float64) {
	checkLevel(q.Level)
	q.n++
	q.total.add(pinball(y, quantile, q.Level))
}

// Loss is [Pinball] over the rows so far. It panics before the first.
func (q *Quantile) Loss() float64 {
	if q.n == 0 {
		panic(errEmpty)
	}
	return q.total.value() / float64(q.n)
}

func checkLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic(errLevel)
	}
}
