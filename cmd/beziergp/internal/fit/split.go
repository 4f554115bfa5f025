package fit

import (
	"fmt"
	"log/slog"
	"slices"

	"beziergp/cmd/beziergp/internal/alike"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/table"
)

// learnedBy returns the name of a column by which rows are split if what learns does split
// them, and nothing else: rows of --valid are chosen whatever their group or time.
func (o *Options) learnedBy(name string) string {
	if o.HoldsOut() && o.Source.Valid.Path == "" && (name == o.Source.Group || name == o.Source.Time) {
		return name
	}
	return ""
}

// excluded returns the columns that are read and are no inputs.
func (o *Options) excluded() (names []string) {
	for _, name := range o.Exclude {
		if o.learnedBy(name) != "" {
			names = append(names, name)
		}
	}
	return names
}

// checkSplit refuses columns that cannot split rows, or that would split none.
func (o *Options) checkSplit(data string) error {
	for flag, name := range map[string]string{"group": o.Source.Group, "time": o.Source.Time} {
		switch {
		case name == "":
		case o.IsTarget(name) || name == o.Weights:
			return exit.Usagef("--%s: %q is the target or the weights", flag, name)
		case o.Source.Kinds[name] == option.Drop:
			return exit.Usagef("--%s: %q is dropped by --column", flag, name)
		case !o.HoldsOut() && o.Source.Holdout == 0:
			return exit.Usagef("--%s: %s holds no rows out by itself; give --holdout, which it then acts on, or leave it out", flag, o.learner())
		case o.Source.Valid.Path != "" && o.Source.Holdout == 0:
			return exit.Usagef("--%s: --valid says which rows to choose by, whatever is in %q; give --holdout, which it then acts on, or leave it out", flag, name)
		}
		if _, bounded := o.Bounds[name]; bounded && name != "" {
			return exit.Usagef("--bounds: %q is no input: --%s names it", name, flag)
		}
	}
	return o.Source.CheckValid(data)
}

// learner says what learns.
func (o *Options) learner() string {
	all := o.learners()
	i := slices.IndexFunc(all, func(l learner) bool {
		return l.method == o.Method && (l.recipe == "" || l.recipe == o.Recipe)
	})
	return all[max(0, i)].String()
}

// warnOfCopies warns of columns by which rows are near copies, unless rows are split.
func (o *Options) warnOfCopies(s streams.Streams, r *rows) {
	if o.Source.Group != "" || o.Source.Time != "" || o.Source.Mask.Path != "" && !o.HoldsOut() {
		return
	}
	t := r.sample()
	if o.several != nil {
		return // which tells of one target
	}
	if f, ok := t.Field(o.Target); !ok || f.Kind == table.Category || f.Kind == table.DateTime {
		return // which fit refuses
	}
	for _, c := range alike.Find(t, o.Target) {
		s.Console.Warn(fmt.Sprintf("column %q: %s", c.Name, c.Text()),
			slog.String("event", "near_copies"), slog.String("column", c.Name), slog.String("flag", c.Flag), slog.Float64("share", c.Share))
	}
}
