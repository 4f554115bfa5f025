package cv

import (
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/fit"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/sink"
)

// Options are the flags of cv.
type Options struct {
	Fit   *fit.Options // what is learned, and how
	Folds int          // 0 for the default
	// NoShuffle asks for folds of consecutive rows, and Fold names a column that says which
	// rows make a fold, as Fit.Source.Group and Fit.Source.Time do; one of the four at most.
	NoShuffle bool
	Fold      string
	Out       string // the file of the predictions; empty for none
	JSON      bool
	FailIf    gate.Conditions
}

// defaultFolds is as scikit-learn has it.
const defaultFolds = 5

// columns returns the column that says which rows make a fold, if any.
func (o *Options) columns() (names []string) {
	for _, name := range []string{o.Fit.Source.Group, o.Fit.Source.Time, o.Fold} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// check refuses options that contradict each other, before anything is read.
func (o *Options) check(data string) error {
	if err := o.Fit.CheckLearning(data); err != nil {
		return err
	}
	switch ways := len(o.columns()); {
	case ways > 1 || ways == 1 && o.NoShuffle:
		return exit.Usagef("--group, --time, --fold and --no-shuffle contradict each other: each says which rows make a fold")
	case o.Fold != "" && o.Folds != 0:
		return exit.Usagef("--folds and --fold contradict each other: the column says how many folds there are")
	}
	for _, name := range o.columns() {
		if o.Fit.IsTarget(name) || name == o.Fit.Weights {
			return exit.Usagef("%q is the target or the weights, and cannot say which rows make a fold", name)
		}
		if o.Fit.Source.Kinds[name] == option.Drop {
			return exit.Usagef("%q is dropped by --column, and cannot say which rows make a fold", name)
		}
	}
	if o.Out == sink.Stdout {
		return exit.Usagef("--out cannot be standard output, which has the scores: name a file")
	}
	return o.FailIf.Check(apply.PartNames())
}

// excluded returns the columns that say which rows make a fold and are no inputs, as far as
// what learns does not know that.
func (o *Options) excluded() []string {
	if o.Fold == "" && o.Fit.HoldsOut() {
		return nil
	}
	return o.columns()
}
