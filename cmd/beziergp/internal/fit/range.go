package fit

import (
	"fmt"
	"log/slog"
	"slices"

	"beziergp/cmd/beziergp/internal/streams"
)

// isTruth tells whether all targets are 0 or 1.
func (o *Options) isTruth(r *rows) bool {
	return !slices.ContainsFunc(r.targets(o.Target), func(y float64) bool { return y == y && y != 0 && y != 1 })
}

// suggestRange tells of a range that the targets seem to keep to and predictions may
// leave: sizes and counts are not negative, and a model does not know it.
func (o *Options) suggestRange(s streams.Streams, r *rows) {
	low, high := r.span(o.Target)
	if o.isTruth(r) {
		s.Console.Note(fmt.Sprintf("%q is yes or no and learned as the number 1 or 0: the mean predicted estimates the probability of 1, predict --range 0:1 keeps it within these, and the interval means nothing; classification is not there yet", o.Target),
			slog.String("event", "truth_target"))
		return
	}
	// Means go a tenth of the targets' range beyond it, and intervals further.
	if o.Range != nil || low < 0 || low-(high-low)/10 >= 0 {
		return
	}
	s.Console.Note(fmt.Sprintf("no %q is below 0, and predictions can be: if none ever is, give --range 0: here or to predict", o.Target),
		slog.String("event", "range"), slog.Float64("lowest", low))
}
