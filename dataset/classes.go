package dataset

import (
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/table"
	"beziergp/table/cell"
)

// A text column is rather a name than a class, and taken only if it is asked for, where it has
// more levels than mostClasses, or more than fewClasses and less than rowsOfClass rows a level.
const (
	mostClasses = 100
	fewClasses  = 10
	rowsOfClass = 3
)

// LikeNames tells whether so many levels of so many rows seem to be names.
func LikeNames(levels, rows int) bool {
	return levels > mostClasses || levels > fewClasses && rows < rowsOfClass*levels
}

// checkTarget refuses a column that cannot be a target.
func (o Options) checkTarget(t *table.Table, name string) error {
	f, ok := t.Field(name)
	if o.Some && ok {
		return o.checkOneOfSeveral(f)
	}
	switch {
	case ok && (f.Kind == table.DateTime || f.Kind == table.Category && !o.classifies()):
		return fmt.Errorf("target %q %s", name, NoNumber(f))
	case !ok || f.Kind != table.Category:
		return numeric(t, "target", name)
	case o.Likelihood == nil && LikeNumbers(f):
		return fmt.Errorf("target %q %s", name, NoNumber(f))
	case o.Likelihood == nil && LikeNames(len(f.Levels), t.Rows()):
		return fmt.Errorf("target %q is a category of %d levels in %d rows: it seems to be a name; choose another target, or ask for the likelihood categorical", name, len(f.Levels), t.Rows())
	}
	return nil
}

// LikeNumbers tells whether all levels of a category are numbers with units or signs.
func LikeNumbers(f table.Field) bool {
	return all(f.Levels, cell.LikeNumber)
}

// all tells whether there are levels, and all are such.
func all(levels []string, are func(string) bool) bool {
	return len(levels) > 0 && !slices.ContainsFunc(levels, func(level string) bool { return !are(level) })
}

// plainly is how to write numbers that people write with more than digits.
const plainly = "without units, signs and separators of thousands"

// AsTexts says, in words that follow its name, how to write the values of a category that are all numbers with units or signs,
// or all dates as people write them. It is empty for any other field.
func AsTexts(f table.Field) string {
	remedy := ""
	switch {
	case f.Kind != table.Category:
		return ""
	case LikeNumbers(f):
		remedy = "write numbers " + plainly
	case all(f.Levels, cell.LikeTime):
		remedy = "write dates as 2024-02-29"
	default:
		return ""
	}
	return fmt.Sprintf("holds texts like %s and is taken as a category: %s", printable.Quoted(f.Levels[0]), remedy)
}

// classifies tells whether a category can be a target.
func (o Options) classifies() bool {
	return o.Likelihood == nil || likelihood.Classifies(o.Likelihood)
}

// classes returns rows whose targets that are categories have the levels alone that occur.
func (m *memory) classes(c columns) (*memory, error) {
	for _, j := range c.targets {
		if m.fields[j].Kind != table.Category {
			continue
		}
		kept, codes := m.occurring(j)
		if len(kept) == len(m.fields[j].Levels) {
			continue
		}
		all := make([]table.Column, len(m.columns))
		for k, f := range m.fields {
			all[k] = table.NewColumn(f, m.columns[k])
		}
		all[j].Levels, all[j].Pooled = kept, nil
		all[j].Values = make([]float64, len(m.columns[j]))
		table.Recode(all[j].Values, m.columns[j], codes)
		t, err := table.New(all...)
		if err != nil {
			return nil, err
		}
		own := newMemory(t)
		own.all, own.places = m.all, m.places
		m = own
	}
	return m, nil
}

// occurring returns the levels of a column that rows have, and the codes that all levels
// become.
func (m *memory) occurring(column int) (kept []string, codes []float64) {
	f := m.fields[column]
	counts := make([]int, f.Other()+1)
	for _, v := range m.columns[column] {
		counts[int(v)]++
	}
	codes = make([]float64, len(counts))
	for k, level := range f.Levels {
		codes[k] = float64(len(kept))
		if counts[k] > 0 {
			kept = append(kept, level)
		}
	}
	return kept, codes
}

// law returns the likelihood of a target as training begins with it, and the target with
// its classes.
func (s *Set) law(o Options, f table.Field, target box.Target) (likelihood.Likelihood, box.Target, error) {
	if f.Kind == table.Boolean || f.Kind == table.Category {
		target.Kind = f.Kind
	}
	if f.Kind == table.Category {
		if target.Levels = f.Levels; len(f.Levels) < 2 {
			return nil, target, fmt.Errorf("target %q is the same in every training row: there is nothing to learn; choose another target", target.Name)
		}
	}
	law := o.Likelihood
	if law == nil {
		law = likelihood.OfTarget(target)
	}
	if target.Transform != "" && law.Name() != (likelihood.Gaussian{}).Name() {
		return nil, target, &limit.OptionError{Option: "target transform", Problem: fmt.Sprintf("it goes with the likelihood gaussian alone, and that of the target %q is %s; leave it out", target.Name, law.Name())}
	}
	if target.Range != nil && !likelihood.IsGaussian(law) {
		return nil, target, &limit.OptionError{Option: "range", Problem: fmt.Sprintf("the likelihood %s says itself where the target %q can lie; leave it out", law.Name(), target.Name)}
	}
	return law, target, nil
}
