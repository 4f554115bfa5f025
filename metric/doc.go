// Package metric scores predictions against what was observed.
//
// # Shapes and units
//
// y holds observed values, mean and std the means and standard deviations of
// Gaussian predictive distributions, predicted numbers that stand for them,
// lower and upper the ends of intervals, all [n] and all in the units of y. RMSE,
// MAE, widths, pinball losses, interval scores and CRPS are in these units,
// coverage and PIT are shares between 0 and 1, MAPE and R² have no unit, and NLPD
// is in nats, of a density in one over these units. Every row counts the same:
// no score is weighted.
//
// # Certain predictions
//
// A std of 0 puts all the probability on the mean. The functions follow the
// limit std → 0: CRPS becomes |y − mean|; NLPD becomes +Inf where y differs from
// the mean and −Inf where it does not, and NaN over rows of both kinds; PIT
// becomes 0 or 1, and ½ where y is the mean.
//
// # Errors
//
// The functions panic on slices of different lengths, on no rows at all, and on a
// negative std. NaN in an argument gives NaN, and an interval with a NaN end
// contains nothing.
//
// Sums are compensated, so that their error does not grow with n.
package metric

const (
	errLength = "metric: slices differ in length"
	errEmpty  = "metric: no rows to score"
	errStd    = "metric: negative standard deviation"
	errLevel  = "metric: level of an interval outside (0, 1)"
)

// check panics unless all the slices hold as many rows as y, and at least one.
func check(y []float64, others ...[]float64) {
	for _, s := range others {
		if len(s) != len(y) {
			panic(errLength)
		}
	}
	if len(y) == 0 {
		panic(errEmpty)
	}
}
