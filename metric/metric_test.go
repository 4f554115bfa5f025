package metric_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/metric"
	"beziergp/predictive"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if got == want { // infinities too
		return
	}
	if !(math.Abs(got-want) <= tolerance*math.Max(math.Abs(want), tolerance)) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

// draw makes n predictions and outcomes in units far from 1 and off centre.
func draw(n int, seed uint64) (y, mean, std []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		m, s := 300+20*rng.NormFloat64(), 2+5*rng.Float64()
		y, mean, std = append(y, m+1.3*s*rng.NormFloat64()), append(mean, m), append(std, s)
	}
	return y, mean, std
}

func TestByHand(t *testing.T) {
	y := []float64{1, 2, 4, 8}
	near(t, "RMSE", metric.RMSE(y, []float64{1, 3, 2, 8}), math.Sqrt(5.0/4), 1e-15)
	near(t, "Coverage", metric.Coverage(y, []float64{1, 3, 0, 0}, []float64{1, 4, 3, 8}), 0.5, 0)
	// −log N(2 | 1, 2²) = ½·log 2π + log 2 + ½·(1/2)², and log 2π = 1.8378770664093454836.
	near(t, "NLPD", metric.NLPD([]float64{2}, []float64{1}, []float64{2}),
		1.8378770664093454836/2+0.69314718055994530942+0.125, 1e-15)
	mean, sd := metric.MeanSD([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	near(t, "mean", mean, 5, 0)
	near(t, "sd", sd, math.Sqrt(32.0/7), 1e-15)
	if _, sd := metric.MeanSD([]float64{3}); !math.IsNaN(sd) {
		t.Errorf("the deviation of one value is %v", sd)
	}
}

func TestPointsAndIntervalsByHand(t *testing.T) {
	y, predicted := []float64{1, -2, 4, 8}, []float64{1, -3, 2, 8.5}
	near(t, "MAE", metric.MAE(y, predicted), 3.5/4, 0)
	near(t, "median", metric.MedianAE(y, predicted), 0.75, 0)
	near(t, "median of three", metric.MedianAE(y[:3], predicted[:3]), 1, 0)
	near(t, "MAPE", metric.MAPE(y, predicted), (0.5+0.5+0.0625)/4, 0)
	near(t, "R²", metric.R2(y, predicted), 1-5.25/(85-121./4), 1e-15)
	near(t, "pinball", metric.Pinball(y, predicted, 0.9), (0.9*1+0.9*2+0.1*0.5)/4, 1e-15)
	if n := metric.Zeros([]float64{0, 1e-17, -1e-17, 1e-15, 1}); n != 3 {
		t.Errorf("%d zeros", n)
	}
	lower, upper := []float64{0, 0, 4, 0}, []float64{1, 1, 5, 7}
	near(t, "width", metric.MeanWidth(lower, upper), 2.5, 0)
	// Outside are −2, by 2, and 8, by 1; 2/α is 20.
	near(t, "interval score", metric.IntervalScore(y, lower, upper, 0.9), 2.5+20*3/4., 1e-14)
}

// The interval score is 2/α times the pinball losses of both ends.
func TestIntervalScoreIsOfTwoQuantiles(t *testing.T) {
	y, mean, std := draw(500, 3)
	lower, upper := make([]float64, len(y)), make([]float64, len(y))
	for _, level := range []float64{0.5, 0.8, 0.95} {
		for i := range y {
			lower[i], upper[i] = metric.GaussianInterval(mean[i], std[i], level)
		}
		alpha := 1 - level
		near(t, "interval score", metric.IntervalScore(y, lower, upper, level),
			2/alpha*(metric.Pinball(y, lower, alpha/2)+metric.Pinball(y, upper, 1-alpha/2)), 1e-12)
	}
}

// Of more values than are kept, the median is that of a sample: within the ranks that the
// documentation names.
func TestMedianOfManyValues(t *testing.T) {
	const n = 3 * metric.MedianRows
	var m metric.Median
	for i := range n {
		m.Add(float64(i) * 0x9e3779b1 / n) // in order, as sorted tables come
	}
	if rank := m.Value() / 0x9e3779b1; math.Abs(rank-0.5) > 0.0015 {
		t.Errorf("the median has rank %g", rank)
	}
	m.Add(math.NaN())
	if got := m.Value(); !math.IsNaN(got) {
		t.Errorf("with NaN: %g", got)
	}
}

// Φ at 0, ±1, ±2 and −6 from its Taylor series in 60-digit arithmetic; the first
// three are in Abramowitz and Stegun, table 26.1. The last would vanish in 1 − Φ(6).
func TestPIT(t *testing.T) {
	y := []float64{10, 13, 7, 16, 4, -8}
	want := []float64{0.5, 0.84134474606854294859, 0.15865525393145705141,
		0.97724986805182079279, 0.022750131948179207200, 9.8658764503769814070e-10}
	for i, got := range metric.PIT(y, []float64{10, 10, 10, 10, 10, 10}, []float64{3, 3, 3, 3, 3, 3}) {
		near(t, "PIT", got, want[i], 1e-13)
	}
}

// Quantiles of the normal distribution, by bisection of Φ as above.
func TestGaussianInterval(t *testing.T) {
	for _, c := range []struct{ level, z float64 }{
		{0.50, 0.67448975019608174320}, {0.90, 1.6448536269514727148},
		{0.95, 1.9599639845400542355}, {0.99, 2.5758293035489007610},
	} {
		lower, upper := metric.GaussianInterval(-3, 0.5, c.level)
		near(t, "lower end", lower, -3-0.5*c.z, 1e-14)
		near(t, "upper end", upper, -3+0.5*c.z, 1e-14)
	}
	if lower, upper := metric.GaussianInterval(7, 0, 0.95); lower != 7 || upper != 7 {
		t.Errorf("interval of a certain prediction: %v, %v", lower, upper)
	}
}

// CRPS is defined as an integral; Simpson's rule on each side of the jump at y
// has an error of about (h/std)⁴ = 1e−9.
func TestCRPSIsItsIntegral(t *testing.T) {
	for _, c := range []struct{ y, mean, std float64 }{
		{0, 0, 1}, {2.5, 0, 1}, {-1, 3, 0.7}, {310, 300, 25}, {5, 5.001, 0.01}, {9, 1, 1},
	} {
		square := func(x float64, above float64) float64 {
			d := math.Erfc((c.mean-x)/c.std/math.Sqrt2)/2 - above
			return d * d
		}
		low := math.Min(c.y, c.mean) - 12*c.std
		high := math.Max(c.y, c.mean) + 12*c.std
		want := simpson(func(x float64) float64 { return square(x, 0) }, low, c.y) +
			simpson(func(x float64) float64 { return square(x, 1) }, c.y, high)
		got := metric.CRPS([]float64{c.y}, []float64{c.mean}, []float64{c.std})
		near(t, "CRPS", got, want, 1e-8)
	}
}

func simpson(f func(float64) float64, a, b float64) float64 {
	const n = 4000
	h := (b - a) / n
	total := f(a) + f(b)
	for i := 1; i < n; i++ {
		total += f(a+float64(i)*h) * float64(2+2*(i%2))
	}
	return total * h / 3
}

// NLPD is minus the log of the slope of the distribution function, which PIT
// gives: a central difference with h = std/1000 is right to about 1e−6.
func TestNLPDIsTheSlopeOfPIT(t *testing.T) {
	y, mean, std := draw(200, 5)
	for i := range y {
		h := std[i] / 1000
		one := func(x float64) float64 { return metric.PIT([]float64{x}, mean[i:i+1], std[i:i+1])[0] }
		want := -math.Log((one(y[i]+h) - one(y[i]-h)) / (2 * h))
		near(t, "NLPD", metric.NLPD(y[i:i+1], mean[i:i+1], std[i:i+1]), want, 1e-5)
	}
}

func TestCertainPredictions(t *testing.T) {
	y, mean, zero := []float64{1, 2}, []float64{1, 4}, []float64{0, 0}
	inf := math.Inf(1)
	near(t, "CRPS", metric.CRPS(y, mean, zero), 1, 0)
	near(t, "NLPD, right", metric.NLPD(y[:1], mean[:1], zero[:1]), -inf, 0)
	near(t, "NLPD, wrong", metric.NLPD(y[1:], mean[1:], zero[1:]), inf, 0)
	near(t, "NLPD, one wrong of many", metric.NLPD(y, mean, []float64{1, 0}), inf, 0)
	near(t, "NLPD, one wrong first", metric.NLPD([]float64{2, 1}, []float64{4, 1}, []float64{0, 1}), inf, 0)
	if both := metric.NLPD(y, mean, zero); !math.IsNaN(both) {
		t.Errorf("NLPD, right and wrong: %v", both)
	}
	for i, want := range []float64{0.5, 0, 1} {
		near(t, "PIT", metric.PIT([]float64{4, 3, 5}, []float64{4, 4, 4}, []float64{0, 0, 0})[i], want, 0)
	}
	// A std so small that (y − mean)/std overflows is as good as 0.
	near(t, "CRPS, tiny std", metric.CRPS([]float64{2}, []float64{5}, []float64{1e-310}), 3, 1e-15)
	near(t, "NLPD, tiny std", metric.NLPD([]float64{2}, []float64{5}, []float64{1e-310}), inf, 0)
}

func TestMisusePanics(t *testing.T) {
	one, two := []float64{1}, []float64{1, 2}
	for want, misuse := range map[string]func(){
		"metric: slices differ in length":             func() { metric.RMSE(one, two) },
		"metric: no rows to score":                    func() { metric.CRPS(nil, nil, nil) },
		"metric: negative standard deviation":         func() { metric.NLPD(one, one, []float64{-1}) },
		"metric: level of an interval outside (0, 1)": func() { metric.GaussianInterval(0, 1, 1) },
		"metric: a deviance of power 0.5":             func() { metric.UnitDeviance(1, 1, 0.5) },
		"metric: a deviance of power 3.5":             func() { metric.UnitDeviance(1, 1, 3.5) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			misuse()
		}()
	}
	defer func() {
		if recover() == nil {
			t.Error("scores of no rows do not panic")
		}
	}()
	new(metric.Scores).RMSE()
}

// The scores of a stream are those of the whole.
func TestScoresOfAStream(t *testing.T) {
	y, mean, std := draw(1001, 9)
	lower, upper := make([]float64, len(y)), make([]float64, len(y))
	y[7], y[8] = 0, 0
	var s metric.Scores
	for i := range y {
		lower[i], upper[i] = metric.GaussianInterval(mean[i], std[i], 0.95)
		s.Add(y[i], mean[i], lower[i], upper[i], predictive.Distribution{Location: mean[i], Scale: std[i]})
	}
	if s.N() != len(y) {
		t.Errorf("N = %d, want %d", s.N(), len(y))
	}
	near(t, "RMSE", s.RMSE(), metric.RMSE(y, mean), 0)
	near(t, "NLPD", s.NLPD(), metric.NLPD(y, mean, std), 0)
	near(t, "CRPS", s.CRPS(), metric.CRPS(y, mean, std), 0)
	near(t, "coverage", s.Coverage(), metric.Coverage(y, lower, upper), 0)
	near(t, "MAE", s.MAE(), metric.MAE(y, mean), 0)
	near(t, "MAPE", s.MAPE(), metric.MAPE(y, mean), 0)
	near(t, "R²", s.R2(), metric.R2(y, mean), 0)
	if want := metric.Zeros(y); s.Zeros() != want || want == 0 {
		t.Errorf("%d zeros, want %d, and some", s.Zeros(), want)
	}
	near(t, "width", s.Width(), metric.MeanWidth(lower, upper), 0)
	near(t, "interval score", s.IntervalScore(0.95), metric.IntervalScore(y, lower, upper, 0.95), 0)
	var shares [metric.PITBins]float64
	for _, u := range metric.PIT(y, mean, std) {
		shares[min(int(u*metric.PITBins), metric.PITBins-1)] += 1 / float64(len(y))
	}
	for i, share := range s.PIT() {
		near(t, "PIT", share, shares[i], 1e-12)
	}
}

// Of outcomes drawn from the predictions themselves 95 % lie in their intervals:
// of 100000, within five deviations of √(0.95·0.05/100000) = 0.0007.
func TestCoverageOfCalibratedPredictions(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	inside := 0.0
	for range 100000 {
		m, sd := 50*rng.NormFloat64(), rng.ExpFloat64()
		lower, upper := metric.GaussianInterval(m, sd, 0.95)
		inside += metric.Coverage([]float64{m + sd*rng.NormFloat64()}, []float64{lower}, []float64{upper}) / 100000
	}
	if c := inside; math.Abs(c-0.95) > 0.0035 {
		t.Errorf("coverage %v", c)
	}
}

// Ten million equal squares summed plainly lose half of their digits.
func TestLongSumsKeepTheirDigits(t *testing.T) {
	const n = 10_000_000
	y, mean := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i] = 0.1
	}
	near(t, "RMSE", metric.RMSE(y, mean), 0.1, 1e-15)
}

// The deviation does not depend on where 0 is: 2⁴⁰ + k is exact.
func TestMeanSDFarFromZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var small, far []float64
	for range 1000 {
		x := float64(rng.IntN(100))
		small, far = append(small, x), append(far, x+(1<<40))
	}
	mean, sd := metric.MeanSD(small)
	farMean, farSD := metric.MeanSD(far)
	near(t, "mean", farMean-(1<<40), mean, 1e-5)
	near(t, "sd", farSD, sd, 1e-12)
}

func BenchmarkScores(b *testing.B) {
	y, mean, std := draw(4096, 1)
	b.SetBytes(int64(8 * len(y)))
	for b.Loop() {
		var s metric.Scores
		for i, v := range y {
			s.Add(v, mean[i], mean[i]-std[i], mean[i]+std[i], predictive.Distribution{Location: mean[i], Scale: std[i]})
		}
	}
}
