package apply

import (
	"fmt"
	"log/slog"
	"strings"

	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/model"
)

// Counts are numbers of rows by what was held of them: a number for every name that
// [model.Held] has.
type Counts map[string]int

func newCounts() Counts {
	c := Counts{}
	for _, bit := range model.HeldBits() {
		c[bit.String()] = 0
	}
	return c
}

// add counts rows.
func (c Counts) add(rows []model.Held) {
	for _, held := range rows {
		for _, bit := range model.HeldBits() {
			if held&bit != 0 {
				c[bit.String()]++
			}
		}
	}
}

// heldWords say what the bits are, but for rows outside the box, which have a warning
// of their own.
var heldWords = []struct {
	bit  model.Held
	text string
}{
	{model.HeldMean, "mean held at the limit"},
	{model.HeldStd, "deviation held at the limit"},
	{model.HeldShape, "shape held at the limit"},
	{model.HeldInterval, "interval widened to the point"},
}

// warnHeld says of how many rows something was held within its limits.
func (r *Result) warnHeld(s streams.Streams) {
	var parts []string
	for _, w := range heldWords {
		if n := r.Held[w.bit.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d with the %s", n, w.text))
		}
	}
	if parts == nil {
		return
	}
	s.Console.Warn(fmt.Sprintf("of %d rows %s; predict --held tells which", r.Rows, strings.Join(parts, ", ")),
		slog.String("event", "held"), slog.Any("held", r.Held))
}

// warnBeyond says of how many rows the target was one that the range excludes.
func (r *Result) warnBeyond(s streams.Streams) {
	if r.Beyond > 0 {
		s.Console.Warn(fmt.Sprintf("the target of %d of %d rows lies beyond the range, where predictions have no probability: NLPD is infinite; widen --range", r.Beyond, r.Rows),
			slog.String("event", "beyond_range"), slog.Int("rows", r.Beyond))
	}
}
