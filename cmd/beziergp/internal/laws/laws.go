// Package laws is the flags that say how inputs are distributed, and the analysis of a model
// under them: what effects, sensitivity and integrate share.
package laws

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/measure"
	"beziergp/model"
	"beziergp/serve"
)

// Options are the flags.
type Options struct {
	Inputs   []string // NAME=LAW
	At       []string // NAME=VALUE
	Truncate bool
}

// About is what the help of a verb says of the flags.
const About = `Inputs are taken as independent, each with the distribution that it had in the
training rows, unless --input gives it another on its own scale: uniform, over its
bounds or all levels, uniform(a,b), normal(mean,sd), lognormal(mean,sd) of the
logarithm's, triangular(lowest,likeliest,highest), levels(v:w,v:w) of single values
or levels with weights, or at(v). --at NAME=VALUE gives an input a value. Parts of a
date are inputs of their own, like ordered.hour; inspect lists them.`

// Section returns the flags.
func (o *Options) Section() option.Section {
	s := option.NewSection("Inputs")
	s.Flags.StringArrayVar(&o.Inputs, "input", nil, "give an input a distribution, `NAME=LAW`, as in 'x=uniform(0,1)'; repeatable")
	s.Flags.StringArrayVar(&o.At, "at", nil, "give an input a value, `NAME=VALUE`; repeatable")
	s.Flags.BoolVar(&o.Truncate, "truncate", false, "cut distributions off at the bounds that the model knows, where they are refused else")
	return s
}

// None tells whether nothing is asked for.
func (o *Options) None() bool { return len(o.Inputs) == 0 && len(o.At) == 0 && !o.Truncate }

// Check refuses flags that cannot be right whatever the model.
func (o *Options) Check() error {
	for _, text := range o.Inputs {
		_, law, ok := strings.Cut(text, "=")
		if !ok {
			return exit.Usagef("--input %s: give a name and a distribution, as in 'x=uniform(0,1)'", text)
		}
		if strings.Count(text, "=") > 1 {
			continue // the name or a level may hold one
		}
		if _, err := measure.Parse(law); err != nil {
			return exit.Usagef("--input %s: %w", text, err)
		}
	}
	for _, text := range o.At {
		if !strings.Contains(text, "=") {
			return exit.Usagef("--at %s: give a name and a value, as in x=3", text)
		}
	}
	return nil
}

// Process returns the Bézier process that a file holds. verb is who asks.
func Process(file string, m serve.Model, verb string) (*model.Model, error) {
	p, ok := m.(*model.Model)
	if !ok {
		return nil, exit.Dataf("%s: %s has closed forms of a Bézier process, and this is a model of another method; fit with --method bezier", file, verb)
	}
	return p, nil
}

// Analysis returns the analysis of a model under the laws, and notes what is cut off.
func (o *Options) Analysis(s streams.Streams, file string, m *model.Model) (*analysis.Analysis, error) {
	laws, err := o.parse(m.Inputs())
	if err != nil {
		return nil, err
	}
	a, err := analysis.New(m, analysis.Options{Laws: laws, Truncate: o.Truncate})
	if err != nil {
		return nil, Coded(file, err)
	}
	o.noteTruncated(s, a)
	return a, nil
}

// parse returns the laws by input.
func (o *Options) parse(inputs []box.Input) (map[string]measure.Law, error) {
	laws := map[string]measure.Law{}
	for _, own := range []struct {
		flag  string
		texts []string
	}{{"--input", o.Inputs}, {"--at", o.At}} {
		for _, text := range own.texts {
			name, value := split(text, inputs)
			law := measure.At(value)
			if own.flag == "--input" {
				var err error
				if law, err = measure.Parse(value); err != nil {
					return nil, exit.Usagef("--input %s: %w", text, err)
				}
			}
			if _, twice := laws[name]; twice {
				return nil, exit.Usagef("%s %s: input %q has a distribution already", own.flag, text, name)
			}
			laws[name] = law
		}
	}
	return laws, nil
}

// Distributed is inputs with laws: an [*analysis.Analysis] or an [*analysis.Estimator].
type Distributed interface {
	Inputs() []box.Input
	Input(name string) (int, error)
	Law(i int) measure.Law
	Rule(i int) *measure.Rule
}

func (o *Options) noteTruncated(s streams.Streams, a Distributed) {
	for i, in := range a.Inputs() {
		if outside := a.Rule(i).Outside; o.Truncate && outside > 1e-6 {
			s.Console.Note(fmt.Sprintf("%s of %s is cut off at the bounds [%g, %g]: probability %.3g lies beyond", a.Law(i), in.Name, in.Lo, in.Hi, outside),
				slog.String("event", "truncated"), slog.String("input", in.Name), slog.Float64("outside", outside))
		}
	}
}

// split returns the name of an input and what it is given: an input's name may hold the sign
// between them.
func split(text string, inputs []box.Input) (name, value string) {
	for _, in := range inputs {
		if value, ok := strings.CutPrefix(text, in.Name+"="); ok && len(in.Name) >= len(name) {
			name, text = in.Name, in.Name+"="+value
		}
	}
	if name != "" {
		return name, text[len(name)+1:]
	}
	name, value, _ = strings.Cut(text, "=")
	return name, value
}

// Coded returns an error of an analysis with its code: what the command line asks for is not in
// the model.
func Coded(file string, err error) error {
	var input *analysis.InputError
	var law *measure.LawError
	var outside *measure.OutsideError
	var coded *exit.Error
	switch {
	case errors.As(err, &coded):
		return err
	case errors.As(err, &input), errors.As(err, &law):
		return exit.Usagef("%s: %w", file, err)
	case errors.As(err, &outside):
		if strings.HasPrefix(outside.Law.String(), "at(") || outside.Outside > 0.999999 {
			return exit.Usagef("%s: input %q: %s lies outside the bounds [%g, %g] that the model knows", file, outside.Input, outside.Law, outside.Lo, outside.Hi)
		}
		return exit.Usagef("%s: input %q: %s has probability %.3g beyond the bounds [%g, %g] that the model knows; choose another distribution, or cut it off there by --truncate",
			file, outside.Input, outside.Law, outside.Outside, outside.Lo, outside.Hi)
	}
	return exit.Dataf("%s: %w", file, err)
}

// Unit returns what values of f are in: the target's units, or those of the transformed
// target.
func Unit(t box.Target) string {
	if t.Transform == box.Log1p {
		return "log(1 + " + t.Name + ")"
	}
	return t.Name
}

// Note says on which scale values are, where it is not the target's, and warns where the deviations of averages are too
// small, which it returns.
func Note(s streams.Streams, m *model.Model) (lowerBound bool) {
	if t := m.Target(); t.Transform != box.Identity {
		s.Console.Note(fmt.Sprintf("the model learned %s: values are on that scale", Unit(t)), slog.String("event", "transformed"), slog.String("scale", Unit(t)))
	}
	lowerBound = m.Output().Epistemic != nil && m.Training().Residuals == nil
	if lowerBound {
		s.Console.Warn("deviations of averages are lower bounds: the recipe auto learns how uncertain f is at a row, and takes the errors of rows that are apart for independent",
			slog.String("event", "lower_bounds"))
	}
	return lowerBound
}
