package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"beziergp/box"
	"beziergp/internal/printable"
	"beziergp/monitor"
)

const (
	// A column is told of as one that may give the target away where it alone explains so much
	// of the variance of f and f so much of that of the target.
	leakShare, leakR2 = 0.95, 0.98
	// named is how many columns a warning names.
	named = 4
)

// warnings says what a reader should know before they rely on the numbers.
func (b *Builder) warnings(r *Report) (all []string) {
	warn := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	if b.seen != nil && !b.seen.Chance(b.split) {
		warn("%d of the %d rows scored equal rows that the model was trained on: scores are better than those of new rows. Out-of-fold scores are not.", b.seen.Equal(), b.observed)
	}
	b.warnOfLeaks(r, warn)
	for _, reason := range box.Reasons() {
		if own := b.outside[reason]; own.rows > 0 {
			warn("%d of %d rows %s: %s.", own.rows, b.n, reasons[reason], ranked(own.values))
		}
	}
	if b.nothing > 0 {
		warn("%d of %d rows have no prediction, for they lie outside the box; they are in no figure.", b.nothing, b.n)
	}
	if b.held > 0 {
		warn("A limit holds the mean of %d of %d rows: what columns add is told of f before limits.", b.held, b.n)
	}
	if b.beyond > 0 {
		warn("The target of %d of %d rows lies beyond the range of predictions, where these have no probability: NLPD does not exist.", b.beyond, b.observed)
	}
	if b.watch != nil && b.n > 0 {
		warnOfShift(b.watch.Report(), warn)
	}
	if r.Scale != r.Target {
		warn("The model learned %s: importance, effects and what columns add are in units of that. Scores and predictions are in units of %s.", r.Scale, r.Target)
	}
	return all
}

// reasons say what rows outside the box have.
var reasons = map[box.Reason]string{
	box.Beyond:   "have a number beyond those of the training rows",
	box.NewLevel: "have a level that no training row had",
	box.NewGap:   "lack a value that no training row lacked",
}

// warnOfLeaks names inputs that explain nearly everything by themselves.
func (b *Builder) warnOfLeaks(r *Report, warn func(string, ...any)) {
	r2, known := r.value("r2")
	if rmse, ok := r.value("rmse"); !known && ok && r.Scale == r.Target {
		deviation := b.model.Target().SD
		r2, known = 1-rmse*rmse/(deviation*deviation), true
	}
	for _, own := range r.Indices {
		if known && r2 >= leakR2 && own.First >= leakShare && len(r.Indices) > 1 {
			warn("%s alone explains %.3g %% of the predictions, and these %.3g %% of the target: it may give the target away, as a column does that is only known afterwards. If so, fit without it.",
				own.Input, 100*own.First, 100*r2)
		}
	}
}

// warnOfShift names inputs that have moved from the training rows, and says where errors or
// intervals are not what they were.
func warnOfShift(w *monitor.Report, warn func(string, ...any)) {
	var moved, gaps []string
	for _, in := range w.Inputs {
		if in.HasMoved() {
			moved = append(moved, fmt.Sprintf("%s (%s, PSI %.2g)", printable.Name(in.Name), in.Verdict, in.PSI))
		}
		if in.Missing > in.MissingTrained+0.1 {
			gaps = append(gaps, fmt.Sprintf("%s (%.3g %%, of the training rows %.3g %%)", printable.Name(in.Name), 100*in.Missing, 100*in.MissingTrained))
		}
	}
	if len(moved) > 0 {
		warn("Inputs are distributed otherwise than in the training rows: %s.", listed(moved))
	}
	if len(gaps) > 0 {
		warn("More values are missing than in the training rows: %s.", listed(gaps))
	}
	if w.Scores == nil {
		return
	}
	switch w.Scores.Calibration {
	case monitor.TooNarrow, monitor.TooWide:
		warn("Intervals are %s for these rows.", w.Scores.Calibration)
	case monitor.Off:
		warn("The distributions predicted do not fit these rows: see calibration.")
	}
	if w.Scores.Errors == monitor.Larger {
		warn("Errors are larger than out of fold.")
	}
}

// ranked names the inputs with most values.
func ranked(values map[string]int) string {
	var names []string
	for name := range values {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s in %d", printable.Name(name), values[name])
	}
	return listed(names)
}

func listed(all []string) string {
	if more := len(all) - named; more > 1 {
		all = append(slices.Clone(all[:named]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", ")
}
