package fit

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/likelihood"
	"beziergp/rival"
	"beziergp/table"
	"beziergp/train/auto"
)

// autoLaw asks for the law that the target's column calls for.
const autoLaw = "auto"

// targets is the flags about what the target is.
func (o *Options) targets() option.Section {
	laws := option.NewSection("Target")
	laws.Topic, laws.About = topicTargets, "classes, counts, amounts, and numbers with a range have"
	laws.Flags.Var(lawFlag(&o.Likelihood), "likelihood", "the law of the target given the inputs (default auto: by the target's column)")
	laws.Flags.StringVar(&o.Exposure, "exposure", "", "a column `NAME` above 0, of years or of persons, in proportion to which the target is expected; it is no input")
	laws.Flags.StringVar(&o.Offset, "offset", "", "a column `NAME` that is added to the natural parameter, as a logarithm; it is no input")
	laws.Flags.Var(option.ClassWeights(&o.ClassWeights), "class-weights", "balanced, or factors of the weights of rows by class, as in 'yes=5'; repeatable")
	laws.Flags.Var(option.New(&o.Transform, "none|log1p", box.ParseTransform), "target-transform", "log1p learns log(1 + y), for counts and sizes")
	laws.Flags.Var(option.New(&o.Auto.Share, "auto|all|none", auto.ParseShare), "share", "of several targets: whether they share a process (default auto: as far as held-out rows gain)")
	laws.Flags.Var(option.Range(&o.Range), "range", "where the target can lie, as in 0:; predictions stay within")
	return laws
}

// lawFlag takes a law by its name.
func lawFlag(dst *likelihood.Likelihood) pflag.Value {
	return option.New(dst, "NAME", func(text string) (likelihood.Likelihood, error) {
		if text == autoLaw {
			return nil, nil
		}
		law, err := likelihood.Named(text)
		if name, _, given := strings.Cut(text, ":"); err != nil && given && slices.Contains(likelihood.Names(), name) {
			return nil, err
		}
		if err != nil {
			return nil, errors.New("there is no such likelihood; there are " + strings.Join(append([]string{autoLaw}, likelihood.Names()...), ", "))
		}
		return law, nil
	})
}

// checkLaw refuses what does not go with the law asked for.
func (o *Options) checkLaw() error {
	if o.Likelihood != nil && !likelihood.IsGaussian(o.Likelihood) {
		switch {
		case o.Transform != box.Identity:
			return exit.Usagef("--target-transform %s and --likelihood %s contradict each other: a likelihood is of the target as it is", o.Transform, o.Likelihood.Name())
		case o.Range != nil:
			return exit.Usagef("--range and --likelihood %s contradict each other: the likelihood says itself where the target can lie", o.Likelihood.Name())
		}
	}
	for flag, name := range map[string]string{"--exposure": o.Exposure, "--offset": o.Offset} {
		switch {
		case name == "":
		case o.IsTarget(name) || name == o.Weights || slices.Contains(o.Exclude, name) || o.Source.Kinds[name] == option.Drop:
			return exit.Usagef("%s: %q is the target, the weights, excluded or dropped by --column", flag, name)
		case o.Likelihood != nil && !likelihood.TakesOffset(o.Likelihood):
			return exit.Usagef("%s: the likelihood %s takes none; leave it out, or take poisson, say", flag, o.Likelihood.Name())
		case flag == "--exposure" && o.Likelihood != nil && !likelihood.LogLink(o.Likelihood):
			return exit.Usagef("--exposure: the likelihood %s takes none; leave it out, or give --offset", o.Likelihood.Name())
		}
	}
	if o.Exposure != "" && o.Offset != "" {
		return exit.Usagef("--exposure and --offset contradict each other: add the logarithm of the one to the other")
	}
	return nil
}

// learnsLaws tells whether the method learns more than numbers with Gaussian noise.
func (o *Options) learnsLaws() bool {
	m, other := rival.Find(o.Method)
	return !other || m.Laws
}

// law returns the law of a target that is this column.
func (o *Options) law(f table.Field) likelihood.Likelihood {
	switch {
	case !o.learnsLaws():
		return likelihood.Gaussian{}
	case o.Likelihood != nil:
		return o.Likelihood
	}
	return likelihood.OfTarget(box.Target{Kind: f.Kind, Levels: f.Levels})
}
