package fit

import (
	"fmt"
	"log/slog"

	"beziergp/cmd/beziergp/internal/streams"
)

// suggestRange tells of a range that the targets seem to keep to and predictions may
// leave: sizes and counts are not negative, and a model does not know it.
func (o *Options) suggestRange(s streams.Streams, r *rows) {
	low, high := r.span(o.Target)
	// Means go a tenth of the targets' range beyond it, and intervals further.
	if o.Range != nil || low < 0 || low-(high-low)/10 >= 0 {
		return
	}
	s.Console.Note(fmt.Sprintf("no %q is below 0, and predictions can be: if none ever is, give --range 0: here or to predict", o.Target),
		slog.String("event", "range"), slog.Float64("lowest", low))
}
