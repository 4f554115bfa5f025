package fit

import (
	"encoding/csv"
	"slices"
	"strings"

	"beziergp/cmd/beziergp/internal/exit"
)

// Several targets stand between commas, as a line of CSV has them; a text that is a column's
// name is that column.

// named returns the names between the commas of --target.
func (o *Options) named() []string {
	names, err := csv.NewReader(strings.NewReader(o.Target)).Read()
	if err != nil { // quotes that do not end are part of a name
		return []string{o.Target}
	}
	return names
}

// resolve tells one target from several, given the columns that there are.
func (o *Options) resolve(columns []string) error {
	names := o.named()
	if o.several = nil; len(names) == 1 || slices.Contains(columns, o.Target) {
		if o.Auto.Share != "" {
			return exit.Usagef("--share: there is one target, %q; name several between commas, or leave it out", o.Target)
		}
		return nil
	}
	for k, name := range names {
		switch {
		case name == "":
			return exit.Usagef("--target: an empty name among %q", names)
		case slices.Contains(names[:k], name):
			return exit.Usagef("--target: %q stands twice", name)
		}
	}
	o.several = names
	return o.checkSeveral()
}

// checkSeveral refuses what several targets cannot have.
func (o *Options) checkSeveral() error {
	switch {
	case !o.HoldsOut():
		return exit.Usagef("--target: %d targets, and %s learns one: take --recipe auto, or learn them one by one", len(o.several), o.learner())
	case o.Exposure != "" || o.Offset != "":
		return exit.Usagef("--exposure and --offset go with one target, and there are %d; learn them one by one", len(o.several))
	case o.Curve != "":
		return exit.Usagef("--curve draws the scores of one target, and there are %d; learn them one by one, or leave it out", len(o.several))
	}
	return nil
}

// Several returns the targets where they are several, once the columns are known; nil for one.
func (o *Options) Several() []string { return slices.Clone(o.several) }

// targetNames returns the targets.
func (o *Options) targetNames() []string {
	if o.several != nil {
		return slices.Clone(o.several)
	}
	return []string{o.Target}
}

// IsTarget tells whether a column is the target, or may be one of several.
func (o *Options) IsTarget(name string) bool {
	return name == o.Target || slices.Contains(o.named(), name)
}
