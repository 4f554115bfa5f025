package fit

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"

	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/likelihood"
)

// suggest tells of a law that the targets seem to have, and of a range that they seem to keep
// to and predictions may leave: sizes and counts are not negative, and a model of numbers does
// not know it. Neither is chosen for anybody.
func (o *Options) suggest(s streams.Streams, r *rows) {
	f, _ := r.sample().Field(o.Target)
	if !likelihood.IsGaussian(o.law(f)) {
		return
	}
	if o.isTruth(r) {
		remedy := "the mean predicted estimates the probability of 1, and predict --range 0:1 keeps it within these"
		if o.learnsLaws() {
			remedy = "--likelihood bernoulli gives the probabilities of both"
		}
		s.Console.Note(fmt.Sprintf("%q is 0 or 1 and learned as a number: %s", o.Target, remedy), slog.String("event", "truth_target"))
		return
	}
	if o.Method == methodBezier && o.Transform == "" {
		y := slices.DeleteFunc(slices.Clone(r.targets(o.Target)), math.IsNaN)
		if why, names := likelihood.Suggested(y); names != nil {
			s.Console.Note(fmt.Sprintf("%q %s: try --likelihood %s, and compare the scores", o.Target, why, strings.Join(names, " or ")),
				slog.String("event", "likelihood"), slog.Any("likelihoods", names))
		}
	}
	low, high := r.span(o.Target)
	// Means go a tenth of the targets' range beyond it, and intervals further.
	if o.Range != nil || low < 0 || low-(high-low)/10 >= 0 {
		return
	}
	s.Console.Note(fmt.Sprintf("no %q is below 0, and predictions can be: if none ever is, give --range 0: here or to predict", o.Target),
		slog.String("event", "range"), slog.Float64("lowest", low))
}

// isTruth tells whether all targets are 0 or 1.
func (o *Options) isTruth(r *rows) bool {
	return !slices.ContainsFunc(r.targets(o.Target), func(y float64) bool { return y == y && y != 0 && y != 1 })
}
