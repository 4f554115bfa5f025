package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"beziergp"
	"beziergp/bench/markdown"
	"beziergp/metric"
	"beziergp/rival/method/linear"
	"beziergp/train/auto"
)

// testRows is the number of rows that fits are scored on.
const testRows = 2000

// result is what came of one table. Errors are of predicted means from targets without
// noise, as root mean squares over the deviation of targets and noise together.
type result struct {
	kind         string
	rows, inputs int
	ours         float64
	leastSquares float64 // that of least norm; NaN where it cannot be had
	mean         float64 // of the training targets
	noise        float64 // what no prediction is without, in the same unit
	coverage     float64 // of the 95 % intervals
	seconds      float64
	refused      bool // for the training targets are all the same
	err          error
}

// fit draws a table from the seed of the recipe, fits it and scores what is predicted of more rows.
func fit(ctx context.Context, k kind, n, d int, recipe auto.Recipe) (r result) {
	r = result{kind: k.name, rows: n, inputs: d}
	rng := rand.New(rand.NewPCG(recipe.Seed, uint64(n)<<32+uint64(d)))
	training, clean, err := k.draw(n, d, nil, rng)
	if err != nil {
		r.err = err
		return r
	}
	test, want, err := k.draw(testRows, d, training, rng)
	if err != nil {
		r.err = err
		return r
	}
	y, _ := training.Column("y")
	average := make([]float64, testRows)
	for i := range average {
		average[i] = stat.Mean(y, nil)
	}
	unit := math.Hypot(stat.StdDev(append(clean, want...), nil), k.scale)
	errorOf := func(predicted []float64) float64 { return metric.RMSE(want, predicted) / unit }
	r.mean, r.leastSquares, r.noise = errorOf(average), math.NaN(), k.scale/unit
	if m, err := beziergp.FitRival(ctx, training, "y", linear.Method{}, beziergp.RivalOptions{}); err == nil {
		if p, err := m.Predict(ctx, test, beziergp.PredictOptions{}); err == nil {
			r.leastSquares = errorOf(p.Mean)
		}
	}
	runtime.GC()
	began := time.Now()
	m, err := beziergp.Fit(ctx, training, "y", beziergp.Options{Recipe: recipe})
	r.seconds = time.Since(began).Seconds()
	var refused *beziergp.DataError
	if r.refused = errors.As(err, &refused) && slices.Min(y) == slices.Max(y); r.refused {
		return r
	}
	if err != nil {
		r.err = err
		return r
	}
	p, err := m.Predict(ctx, test, beziergp.PredictOptions{})
	if err != nil {
		r.err = err
		return r
	}
	for i, mean := range p.Mean {
		if !(math.Abs(mean) < math.Inf(1)) || !(p.Std[i] > 0) || !(p.Lower[i] < p.Upper[i]) {
			r.err = fmt.Errorf("test row %d is predicted as %g ± %g, from %g to %g", i, mean, p.Std[i], p.Lower[i], p.Upper[i])
			return r
		}
	}
	observed, _ := test.Column("y")
	r.ours, r.coverage = errorOf(p.Mean), metric.Coverage(observed, p.Lower, p.Upper)
	return r
}

// lost tells whether the fit failed, or erred clearly more than the better of least squares
// and the mean, in what a user sees: errors with the noise. Few rows tell little, and
// what little costs is forgiven.
func (r result) lost() bool {
	if r.refused {
		return false
	}
	best := r.mean
	if r.leastSquares < best {
		best = r.leastSquares
	}
	return r.err != nil || !(math.Hypot(r.ours, r.noise) <= 1.1*math.Hypot(best, r.noise)+1/math.Sqrt(float64(r.rows)))
}

// row writes the result as a row of the page's table.
func (r result) row(w io.Writer) {
	verdict := ""
	switch {
	case r.err != nil:
		verdict = r.err.Error()
	case r.refused:
		verdict = "refused: a constant target"
	case r.lost():
		verdict = "**lost**"
	}
	digits := func(precision int, v float64) string { return strconv.FormatFloat(v, 'f', precision, 64) }
	markdown.Row(w, r.kind, r.rows, r.inputs, digits(3, r.ours), digits(3, r.leastSquares), digits(3, r.mean), digits(2, r.coverage), digits(1, r.seconds), verdict)
}

// text is the row alone.
func (r result) text() string {
	var row strings.Builder
	r.row(&row)
	return strings.TrimSpace(row.String())
}

// page writes all results.
func page(w io.Writer, effort string, results []result) {
	fmt.Fprintf(w, "# A grid of tables\n\nMade by `go run ./bench/cmd/grid`: generated tables, fitted with effort %s beside least squares (of least norm, where inputs are "+
		"more than rows) and the mean. Errors are root mean squares of predicted means from %d further targets without their noise, over the deviation of "+
		"targets and noise; lost is what is worse than the better of both by a tenth and 1/√rows, noise included.\n\n", effort, testRows)
	for _, k := range kinds {
		fmt.Fprintf(w, "- %s: %s.\n", k.name, k.about)
	}
	fmt.Fprintln(w)
	markdown.Head(w, "kind", "rows", "inputs", "error", "least squares", "the mean's", "95 % coverage", "seconds", "")
	for _, r := range results {
		r.row(w)
	}
}
