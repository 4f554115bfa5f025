package box

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"beziergp/table"
)

// A category has so many nodes at most. A level in fewer than MinLevelRows rows, or in
// less than a hundredth of the rows where that is less, is pooled with its like.
const (
	MaxNodes     = 256
	MinLevelRows = 5
)

// MaxLevels is the largest number of nodes of a category whose rare levels have one each.
const MaxLevels = 1<<16 - 2

// maxPooled is the number of pooled levels whose fingerprints a model keeps, so as to
// tell them from unknown ones.
const maxPooled = 10000

// FitCategory returns the input of a category from the numbers of rows of its levels:
// those that are not rare ([MinLevelRows]), at most [MaxNodes] less one of them, the
// most frequent, have a node each, and the others share one. Of those the input keeps
// no names: they may be persons. So many rows have no level; where these are not rare, they
// have a function of their own.
func FitCategory(f table.Field, rows []int, missing int) (Input, error) {
	return fitCategory(f, rows, missing, false)
}

// FitLevels is [FitCategory] with a node for every level, at most [MaxLevels], the most frequent: behind those nodes, in this order, further
// levels that are not rare have one each, and rare ones, of which the input keeps no names either ([table.Fingerprints]).
func FitLevels(f table.Field, rows []int, missing int) (Input, error) {
	return fitCategory(f, rows, missing, true)
}

func fitCategory(f table.Field, rows []int, missing int, further bool) (Input, error) {
	in := Input{Name: f.Name, Kind: table.Category, Parts: f.Parts, Missing: missing > 0}
	var seen []int
	all := 0
	for code := range f.Levels {
		if code < len(rows) && rows[code] > 0 {
			seen = append(seen, code)
			all += rows[code]
		}
	}
	if len(seen) == 0 {
		return in, &EmptyError{Column: f.Name}
	}
	slices.SortStableFunc(seen, func(a, b int) int { return cmp.Compare(rows[b], rows[a]) })
	least := leastRows(all)
	in.MissingLevel = missing >= least
	own := 0
	for own < min(len(seen), MaxNodes-1) && rows[seen[own]] >= least {
		own++
	}
	if own == len(seen)-1 && own < MaxNodes-1 {
		own++ // one level needs nobody to share with
	}
	slices.Sort(seen[:own])
	if further {
		seen = seen[:min(len(seen), MaxLevels)]
		before := own
		for own < len(seen) && rows[seen[own]] >= least {
			own++
		}
		slices.Sort(seen[before:own])
	}
	slices.Sort(seen[own:])
	for _, code := range seen[:own] {
		in.Levels = append(in.Levels, f.Levels[code])
	}
	var rare []string
	for _, code := range seen[own:] {
		rare = append(rare, f.Levels[code])
	}
	switch {
	case !further:
		in.Pooled = Pool(in.Name, in.Levels, rare)
	case rare != nil:
		in.Pooled = table.NewFingerprints(in.Name, in.Levels, rare)
		in.Pooled.Apart = true
	}
	return in, in.Check()
}

// Pool returns the fingerprints of the levels of a category that share a node, of the
// first [maxPooled] where they are more; nil of none. levels are those with a node each.
func Pool(column string, levels, pooled []string) *table.Fingerprints {
	if len(pooled) == 0 {
		return nil
	}
	return table.NewFingerprints(column, levels, pooled[:min(len(pooled), maxPooled)])
}

// Nodes returns the number of nodes of a category.
func (in *Input) Nodes() int {
	return len(in.Levels) + in.Pooled.Numbers()
}

// Functions returns the number of functions of a category: one a node, and one of rows without
// a level where [Input.MissingLevel] says so.
func (in *Input) Functions() int {
	if in.MissingLevel {
		return in.Nodes() + 1
	}
	return in.Nodes()
}

// node returns the node of a level, given as its index in [Input.Field], and whether
// the level is known.
func (in *Input) node(code float64) (float32, bool) {
	switch k := int(code); {
	case k < in.Nodes():
		return float32(k), true
	case in.PoolsUnknown():
		return float32(len(in.Levels)), false
	default:
		return nan, false
	}
}

// PoolsUnknown tells whether a level that is none of the training rows' goes to the node of rare ones; else it counts as missing.
func (in *Input) PoolsUnknown() bool { return in.Pooled.Len() > 0 && !in.Pooled.Apart }

func (in Input) checkLevels() error {
	if in.Nodes() == 0 {
		return fmt.Errorf("column %q: a category without levels", in.Name)
	}
	if in.Pooled != nil {
		if err := in.Pooled.Check(); err != nil {
			return fmt.Errorf("column %q: %w", in.Name, err)
		}
	}
	if len(in.Knots) > 0 || len(in.Ranks) > 0 {
		return fmt.Errorf("column %q: a category has no knots", in.Name)
	}
	if in.MissingLevel && !in.Missing {
		return fmt.Errorf("column %q: a function of rows without a level, and every row has one", in.Name)
	}
	seen := make(map[string]bool, len(in.Levels))
	for _, level := range in.Levels {
		if seen[level] {
			return fmt.Errorf("column %q: level %q stands twice", in.Name, level)
		}
		if in.Parts != nil && level != table.NoLevel && !slices.Contains(in.Parts, level) {
			return fmt.Errorf("column %q: level %q is none of its one-hot columns", in.Name, level)
		}
		seen[level] = true
	}
	if in.Parts != nil {
		if err := table.CheckNames(in.Parts); err != nil {
			return fmt.Errorf("column %q: one-hot columns: %w", in.Name, err)
		}
	}
	if in.Part != "" || in.Lo != 0 || in.Hi != 0 {
		return errors.New("column " + in.Name + ": a category has no bounds and no parts")
	}
	return nil
}

// leastRows returns how many of the rows a function of their own needs at least.
func leastRows(rows int) int { return min(MinLevelRows, (rows+99)/100) }
