package apply

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/rival"
	"beziergp/serve"
)

// ClassUsage is what help says of the flag --class.
const ClassUsage = "of a target of three classes or more: the `LEVEL` whose function is meant"

// LoadFunction is [Load] where a verb tells of functions ([Function]), and notes which is.
func LoadFunction(ctx context.Context, s streams.Streams, path, output, class, verb string) (serve.Model, error) {
	loaded, err := Load(ctx, s, path, output)
	if err != nil {
		return nil, err
	}
	// Predictions of three classes or more are no one number that could be told of.
	if r, ok := loaded.(*rival.Model); ok && len(r.Classes()) > 2 {
		return nil, exit.Dataf("%s is a model of the method %s with %d classes: beziergp %s takes three classes or more of the method bezier alone, one of them by --class; fit with --method bezier",
			path, r.Method(), len(r.Classes()), verb)
	}
	function, err := Function(loaded, class)
	if err != nil {
		return nil, err
	}
	if m, ok := loaded.(*model.Model); ok && function != loaded {
		s.Console.Note(fmt.Sprintf("what is told is of the function behind the likelihood %s, %s, not of the target itself", m.Likelihood().Name(), printable.Quoted(function.Target().Name)),
			slog.String("event", "natural_parameter"), slog.String("likelihood", m.Likelihood().Name()))
	}
	return function, nil
}

// Function returns the function of a model that effects and attributions are of: a model of a
// number is itself, and of one whose target has a law of its own it is the law's natural
// parameter, of a class where there are three or more.
func Function(loaded serve.Model, class string) (serve.Model, error) {
	m, ok := loaded.(*model.Model)
	several := len(loaded.Classes()) > 2
	switch {
	case class != "" && !(ok && several):
		return nil, exit.Dataf("--class %s: the target %q has one function; leave it out", printable.Quoted(class), loaded.Target().Name)
	case !ok || likelihood.IsGaussian(m.Likelihood()):
		return loaded, nil
	}
	code := 0
	if several {
		names := m.Classes()
		switch code = slices.Index(names, class); {
		case code < 0 && class != "":
			return nil, exit.Dataf("--class %s: the target %q has no such class; give one of %s", printable.Quoted(class), m.Target().Name, classList(names))
		case code < 0:
			return nil, exit.Dataf("the target %q has a function for each of its classes: give --class, one of %s", m.Target().Name, classList(names))
		}
	}
	natural, err := m.Natural(code)
	if err != nil {
		return nil, exit.Dataf("%w", err)
	}
	return natural, nil
}

// WithoutOffset returns a model of any kind as values are told of it that are of no rows, or that
// compare rows: as the natural parameter of a Bézier process, without exposure and offset. It notes
// that.
func WithoutOffset(s streams.Streams, m serve.Model) serve.Model {
	r, ok := m.(*rival.Model)
	if !ok || r.Offset() == nil {
		return m
	}
	what, value := "offset", 0
	if r.Offset().Exposure {
		what, value = "exposure", 1
	}
	s.Console.Note(fmt.Sprintf("the column %s is the %s and no input: what is told is of predictions at an %s of %d", printable.Quoted(r.Offset().Column), what, what, value),
		slog.String("event", "without_offset"), slog.String("column", r.Offset().Column))
	return r.WithoutOffset()
}

// classList names some classes.
func classList(names []string) string {
	const most = 10
	var all []string
	for _, name := range names[:min(most, len(names))] {
		all = append(all, printable.Quoted(name))
	}
	if more := len(names) - most; more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", ")
}
