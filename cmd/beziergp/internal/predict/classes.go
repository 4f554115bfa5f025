package predict

import (
	"fmt"
	"math"
	"strings"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/table/exact"
)

// target is what kind of target is predicted.
type target struct {
	outputs []string // the names of several targets; nil for one
	classes []string // nil for numbers
	least   float64  // that a class has to have to be in the set of a row
}

// setSeparator stands between the classes of a set.
const setSeparator = "|"

// prefixes are what names of columns have before them, output by output.
func (t target) prefixes() []string {
	if t.outputs == nil {
		return []string{""}
	}
	var all []string
	for _, name := range t.outputs {
		all = append(all, name+"_")
	}
	return all
}

// target returns that of the models of a file, and refuses what cannot be told of it.
func (o *Options) target(models []serve.Model) (t target, err error) {
	m := models[0]
	if len(models) > 1 {
		t.outputs = apply.Targets(models)
		for flag, given := range map[string]bool{"sets": o.Sets, "probabilities": len(o.Counts) > 0, "gradient": o.Gradient} {
			if given {
				return t, exit.Dataf("--%s: the model has %d targets; name one of them by --output", flag, len(models))
			}
		}
		return t, nil
	}
	t.classes = m.Classes()
	if t.classes == nil {
		if o.Sets {
			return t, exit.Dataf("--sets: the target %q has no classes; its interval tells where it lies", m.Target().Name)
		}
		return t, o.checkCounts(m)
	}
	switch {
	case len(o.Counts) > 0:
		return t, exit.Dataf("--probabilities: every class of the target %q has its column; leave it out", m.Target().Name)
	case len(o.Quantiles) > 0:
		return t, exit.Dataf("--quantiles: the target %q has classes, whose probabilities are told; leave it out", m.Target().Name)
	case o.Point == model.MedianPoint:
		return t, exit.Dataf("--point %s: the target %q has classes, of which the likeliest is told; leave it out", o.Point, m.Target().Name)
	case o.StdF && len(t.classes) > 2:
		return t, exit.Dataf("--std-f: the target %q has a function for each of %d classes; leave it out", m.Target().Name, len(t.classes))
	case o.Level != 0 && !o.Sets:
		return t, exit.Dataf("--level: the target %q has classes, and no interval: with --sets it is the coverage of sets", m.Target().Name)
	case o.Sets:
		t.least, err = o.Least(m)
	}
	return t, err
}

// checkCounts refuses probabilities of single numbers where they have none.
func (o *Options) checkCounts(m serve.Model) error {
	if len(o.Counts) == 0 || serve.HoldsCounts(m) {
		return nil
	}
	return exit.Dataf("--probabilities: the target %q holds no counts to the model, and single numbers have no probability; fit with --likelihood poisson, say", m.Target().Name)
}

// names returns those of the columns in the place of mean, std, lower and upper.
func (t target) names(o *Options) (names []string) {
	names = append(names, "class")
	for _, class := range t.classes {
		names = append(names, "p_"+class)
	}
	if o.Sets {
		names = append(names, "set"+o.percent())
	}
	return names
}

// columns returns these of a block.
func (t target) columns(o *Options, b *apply.Block) []*exact.Column {
	n, k := len(b.InBox), len(t.classes)
	likely, sets := make([]string, n), make([]string, n)
	probabilities := make([][]float64, k)
	for c := range probabilities {
		probabilities[c] = make([]float64, n)
	}
	for i := range n {
		for c, p := range b.Probabilities(i) {
			probabilities[c][i] = p
		}
		if own := b.Class(i); own >= 0 {
			likely[i] = t.classes[own]
		}
		if o.Sets {
			var names []string
			for _, c := range b.Set(i, t.least) {
				names = append(names, t.classes[c])
			}
			sets[i] = strings.Join(names, setSeparator)
		}
	}
	all := []*exact.Column{exact.Texts(likely)}
	for _, p := range probabilities {
		all = append(all, exact.Numbers(p))
	}
	if o.Sets {
		all = append(all, exact.Texts(sets))
	}
	return all
}

// counts returns the columns of probabilities of single numbers.
func (o *Options) counts(b *apply.Block) (all []*exact.Column) {
	for _, count := range o.Counts {
		p := make([]float64, len(b.Mean))
		for i := range p {
			if p[i] = math.NaN(); b.Mean[i] == b.Mean[i] {
				p[i] = math.Exp(b.Distribution(i).LogDensity(float64(count)))
			}
		}
		all = append(all, exact.Numbers(p))
	}
	return all
}

// countNames returns the names of the columns of single numbers.
func (o *Options) countNames() (names []string) {
	for _, count := range o.Counts {
		names = append(names, fmt.Sprintf("p%d", count))
	}
	return names
}
