// Package dataset makes a training set of a table: which columns are inputs, which rows
// count and how much, how inputs and targets are scaled, and which rows they were.
//
// A table is read in blocks of rows, be it in memory ([FromTable]) or out of core
// ([FromCache]). Every step is one function over blocks, so that the same rows give the
// same training set to the bit wherever they are kept.
package dataset

import (
	"context"
	"fmt"
	"sync"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/dataset/seen"
	"beziergp/internal/limit"
	"beziergp/likelihood"
	"beziergp/table"
	"beziergp/tablecache"
)

// Description is what a training set says of its rows without holding them.
type Description struct {
	Inputs     []box.Input  // d scalings
	Targets    []box.Target // T scalings, which the likelihood has chosen
	Likelihood likelihood.Likelihood
	Offset     *box.OffsetColumn // nil where there is none
	Seen       *seen.Rows        // which rows they are
	Profile    *profile.Profile  // what they look like
	Rows       int               // n
	Dropped    int               // rows that were left out: without a target, or of weight 0
	LeftOut    int               // inputs that were left out: [Set.Only]
}

// Set is a training set. Any number of goroutines may use it.
type Set struct {
	Description
	rows    blocks
	columns columns
	box     box.Box
	from    []int       // of the columns of the box: columns of rows
	codes   [][]float64 // of a category among these: what the codes of its levels become; else nil
	weights *weighing   // nil for equal ones
	unused  sync.Pool   // of *scratch
}

// FromTable returns the training set of the rows of a table that have all targets, or some if
// that is enough, and a weight above 0 ([Keeps]). The table is not copied unless rows are left out. Errors about
// a value are [box.RowError]s, whose rows are those of the table.
func FromTable(t *table.Table, o Options) (*Set, error) {
	inputs, err := o.choose(t)
	if err != nil {
		return nil, err
	}
	if t, err = t.Select(o.used(inputs)...); err != nil {
		return nil, err
	}
	all := newMemory(t)
	c := o.find(inputs, all.fields)
	rows, err := all.keep(c, o.Some)
	if err != nil {
		return nil, err
	}
	if rows, err = rows.classes(c); err != nil {
		return nil, err
	}
	s, err := newSet(context.Background(), rows, inputs, o)
	return s, box.MoveRow(err, rows.place)
}

// FromCache returns the training set of all rows of a cache, which have all targets and a
// weight above 0. Inputs are scaled by the extremes of all rows and a sample of them, the
// same as in memory where the sample holds all. It fails as FromTable does, with a
// [*tablecache.DiskError], and when ctx is done.
func FromCache(ctx context.Context, c *tablecache.Cache, o Options) (*Set, error) {
	inputs, err := o.choose(c.Sample())
	if err != nil {
		return nil, err
	}
	var rows blocks = c
	if o.Apart != nil {
		rows = &parted{c, o.Apart}
	}
	return newSet(ctx, rows, inputs, o)
}

// newSet fits the scalings to the rows and records which rows they are.
func newSet(ctx context.Context, rows blocks, inputs []string, o Options) (*Set, error) {
	if rows.Rows() < 2 {
		return nil, fmt.Errorf("too few training rows with a target, %d: at least 2 are needed", rows.Rows())
	}
	rows, inputs, err := o.joined(ctx, rows, inputs)
	if err != nil {
		return nil, err
	}
	s := &Set{Description: Description{Rows: rows.Rows(), Dropped: rows.Dropped()}, rows: rows, columns: o.find(inputs, rows.Fields())}
	if err := s.checkSplit(ctx); err != nil {
		return nil, err
	}
	if err := s.fitWeights(ctx, o); err != nil {
		return nil, err
	}
	if err := s.fitOffset(ctx, o); err != nil {
		return nil, err
	}
	for k := range o.Targets {
		if err := s.fitTarget(ctx, o, k); err != nil {
			return nil, err
		}
	}
	if err := s.fitBox(ctx, o); err != nil {
		return nil, err
	}
	if err := s.record(ctx, o.Split); err != nil {
		return nil, err
	}
	return s, nil
}

// fitTarget scales target k and starts its law.
func (s *Set) fitTarget(ctx context.Context, o Options, k int) error {
	law, target, err := s.law(o, s.rows.Fields()[s.columns.targets[k]], o.Targets[k])
	if err != nil {
		return err
	}
	all := func(visit func([]float64) error) error { return values(ctx, s.rows, s.columns.targets[k], visit) }
	if sizer, ok := law.(likelihood.Sizer); ok {
		if law, err = sizer.Sized(all); err != nil {
			return fmt.Errorf("target %q: %w", target.Name, err)
		}
	}
	if _, ofTwo := law.(likelihood.Law); ofTwo && likelihood.Classifies(law) && len(target.Levels) > 2 {
		return &limit.OptionError{Option: "likelihood", Problem: fmt.Sprintf("the target %q has %d classes, and %s has two; take categorical", target.Name, len(target.Levels), law.Name())}
	}
	if m, ok := s.rows.(*memory); ok && o.Some {
		target, err = m.scaleKnown(law, target, s.columns.targets[k])
	} else {
		target, err = law.Scale(target, s.Rows, all)
	}
	if err != nil {
		return err
	}
	if s.Offset != nil && !likelihood.TakesOffset(law) {
		return &limit.OptionError{Option: o.offsetOption(), Problem: fmt.Sprintf("the likelihood %s takes neither an offset nor an exposure; leave it out, or choose another likelihood", law.Name())}
	}
	if o.Exposure != "" && !likelihood.LogLink(law) { // twice the exposure would not be twice as much
		return &limit.OptionError{Option: "exposure", Problem: fmt.Sprintf("the likelihood %s takes none, for its mean is not in proportion to it; leave it out, or give an offset", law.Name())}
	}
	if starter, ok := law.(likelihood.Starter); ok {
		if law, err = starter.Started(s.Rows, all, s.offsets(ctx)); err != nil {
			return err
		}
	}
	s.Likelihood, s.Targets = law, append(s.Targets, target)
	return nil
}

// record finds what a model remembers of the rows: in a first pass which they are and the
// bins of their profile, in a second one its counts. Of rows apart every rank takes its own.
func (s *Set) record(ctx context.Context, split string) error {
	hasher, rows := seen.NewHasher(&s.box, s.names()...), seen.Recorder{}
	looks := profile.NewRecorder(&s.box, len(s.Targets), s.Rows)
	if a := s.Apart(); a != nil {
		first, _ := a.Own(0, s.Rows)
		looks.From(first)
	}
	work, y, targets := s.newScratch(), make([]float64, len(s.Targets)), make([][]float64, len(s.Targets))
	pass := func(visit func(inputs [][]float64, n int)) error {
		return each(ctx, s.rows, func(block [][]float64, n int) error {
			for k, j := range s.columns.targets {
				targets[k] = block[j]
			}
			visit(s.pick(block, work), n)
			return nil
		})
	}
	err := pass(func(inputs [][]float64, n int) {
		for i := range n {
			for k := range targets {
				y[k] = targets[k][i]
			}
			rows.Add(hasher.Sum(inputs, i, y...))
		}
		looks.Find(inputs, targets, n)
	})
	err = s.join(rows.Bytes, rows.Join, err)
	if err = s.join(looks.Found, looks.JoinFound, err); err == nil {
		err = pass(func(inputs [][]float64, n int) { looks.Count(inputs, targets, n) })
		err = s.join(looks.Counted, looks.JoinCounted, err)
	}
	s.Seen, s.Profile = rows.Rows(split), looks.Profile()
	return err
}

// names returns the names of the targets.
func (s *Set) names() (names []string) {
	for _, t := range s.Targets {
		names = append(names, t.Name)
	}
	return names
}

// Sample returns the rows that memory holds as a set of their own, in the same scalings: the
// set itself in memory, and a random sample of the rows out of core.
func (s *Set) Sample() *Set {
	if !s.OutOfCore() {
		return s
	}
	rows := newMemory(s.rows.Sample())
	about := s.Description
	about.Rows = rows.Rows()
	return &Set{Description: about, rows: rows, columns: s.columns, box: s.box, from: s.from, codes: s.codes, weights: s.weights}
}

// Place returns the row of the table that was the k-th of the set, both counted from 1.
func (s *Set) Place(k int) int {
	if m, ok := s.rows.(*memory); ok {
		return m.place(k)
	}
	return k
}

// OutOfCore tells whether the rows are those of a cache.
func (s *Set) OutOfCore() bool {
	_, inMemory := s.rows.(*memory)
	return !inMemory
}

// Only returns what the set says of its rows with some of its inputs alone, categories maybe with the levels that [Set.Levels]
// has of them. split is as in [Options].
func (s *Set) Only(ctx context.Context, inputs []box.Input, split string) (Description, error) {
	own := s.of(inputs)
	own.LeftOut = named(s.Inputs) - named(inputs)
	err := own.record(ctx, split)
	return own.Description, err
}

// of returns the rows with inputs of the same columns in the place of those that the set has.
func (s *Set) of(inputs []box.Input) *Set {
	own := &Set{Description: s.Description, rows: s.rows, columns: s.columns, weights: s.weights, box: box.New(inputs)}
	own.Inputs = inputs
	own.findColumns()
	return own
}

// named returns how many of the inputs are of columns' values, not of whether these are missing.
func named(inputs []box.Input) (n int) {
	for _, in := range inputs {
		if in.Part != box.Absent {
			n++
		}
	}
	return n
}
