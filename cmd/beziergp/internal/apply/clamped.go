package apply

import (
	"fmt"
	"log/slog"
	"strings"

	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/model"
)

// Counts are numbers of rows by what was clamped of them: a number for every name that
// [model.Clamped] has.
type Counts map[string]int

func newCounts() Counts {
	c := Counts{}
	for _, bit := range model.ClampedBits() {
		c[bit.String()] = 0
	}
	return c
}

// add counts rows.
func (c Counts) add(rows []model.Clamped) {
	for _, clamped := range rows {
		for _, bit := range model.ClampedBits() {
			if clamped&bit != 0 {
				c[bit.String()]++
			}
		}
	}
}

// clampedWords say what the bits are, but for rows outside the box, which have a warning
// of their own.
var clampedWords = []struct {
	bit  model.Clamped
	text string
}{
	{model.ClampedMean, "mean held at the limit"},
	{model.ClampedStd, "deviation held at the limit"},
	{model.ClampedShape, "shape held at the limit"},
	{model.ClampedInterval, "interval widened to the point"},
}

// warnClamped says of how many rows something was clamped.
func (r *Result) warnClamped(s streams.Streams) {
	var parts []string
	for _, w := range clampedWords {
		if r.classes && w.bit != model.ClampedInputs { // of logits, where a class is as good as certain
			continue
		}
		if n := r.Clamped[w.bit.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d with the %s", n, w.text))
		}
	}
	if parts == nil {
		return
	}
	s.Console.Warn(fmt.Sprintf("of %d rows %s; predict --held tells which", r.Rows, strings.Join(parts, ", ")),
		slog.String("event", "held"), slog.Any("held", r.Clamped))
}

// warnUnknown says of how many rows the class is none that the model knows.
func (r *Result) warnUnknown(s streams.Streams) {
	if r.Unknown > 0 {
		s.Console.Warn(fmt.Sprintf("%d of %d rows are of a class that no training row had, and are not scored: a model gives such a class no probability", r.Unknown, r.Rows),
			slog.String("event", "new_class"), slog.Int("rows", r.Unknown))
	}
}

// warnBeyond says of how many rows the target was one that the range excludes.
func (r *Result) warnBeyond(s streams.Streams) {
	if r.Beyond > 0 {
		s.Console.Warn(fmt.Sprintf("the target of %d of %d rows lies beyond the range, where predictions have no probability: NLPD is infinite; widen --range", r.Beyond, r.Rows),
			slog.String("event", "beyond_range"), slog.Int("rows", r.Beyond))
	}
}
