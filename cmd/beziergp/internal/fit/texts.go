package fit

import (
	"fmt"
	"log/slog"

	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/dataset"
	"beziergp/internal/printable"
)

// warnOfTexts warns of inputs that are numbers or dates to people and names to the model, unless an option says that they are names.
func (o *Options) warnOfTexts(s streams.Streams, r *rows) {
	t := r.sample()
	for _, name := range t.Names() {
		if _, told := o.Source.Kinds[name]; told || o.IsTarget(name) || name == o.Source.Group {
			continue
		}
		f, _ := t.Field(name)
		if text := dataset.AsTexts(f); text != "" {
			s.Console.Warn(fmt.Sprintf("column %s: it %s, or give --column %s=category where they are names", printable.Quoted(name), text, name),
				slog.String("event", "texts"), slog.String("column", name))
		}
	}
}
