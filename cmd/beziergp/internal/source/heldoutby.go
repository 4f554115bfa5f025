package source

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"beziergp/table"
	"beziergp/tablefile"
)

// heldOutBy returns which rows of a table are held out, [rows], by a column of it, which it
// reads by itself: of groups those that their value draws, or the last share in time.
func (o Options) heldOutBy(ctx context.Context, path string) ([]bool, error) {
	name := o.Group + o.Time
	options := tablefile.Options{Context: ctx}
	if o.Group != "" { // so that all verbs and all files have the same texts for its values
		options.Kinds = map[string]table.Kind{name: table.Category}
	}
	r, err := o.Scored().open(path, options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Select(name); err != nil {
		return nil, err
	}
	t, err := r.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	field, _ := t.Field(name)
	values, _ := t.Column(name)
	if i := slices.IndexFunc(values, math.IsNaN); i >= 0 {
		e := r.Locate(ctx, i+1, name)
		e.Problem, e.Remedy = "the value is missing, and nothing else says whether the row is held out", "give one or remove the row"
		return nil, e
	}
	if o.Group != "" {
		mask := drawn(field.Levels, values, o.Holdout)
		if all := slices.Contains(mask, true); !all || !slices.Contains(mask, false) {
			return nil, &tablefile.Error{File: Name(path), Column: name, Remedy: "hold out another share, or mark the rows by --test-mask",
				Problem: fmt.Sprintf("a share of %g draws %s of the %d groups, each by its value", o.Holdout, map[bool]string{false: "none", true: "all"}[all], len(field.Levels))}
		}
		return mask, nil
	}
	if field.Kind == table.Category {
		return nil, &tablefile.Error{File: Name(path), Column: name, Problem: "it holds texts, which have no order in time", Remedy: "name a column of numbers, or of dates and times as ISO 8601 writes them"}
	}
	mask, err := last(values, o.Holdout)
	if err != nil {
		return nil, &tablefile.Error{File: Name(path), Column: name, Problem: err.Error(), Remedy: "hold out another share"}
	}
	return mask, nil
}

// drawn returns which rows are held out of groups, by the codes of these: each group is
// with the given chance, as a hash of its text alone decides.
func drawn(levels []string, codes []float64, share float64) []bool {
	group := make([]bool, len(levels))
	for k, level := range levels {
		hash := fnv.New64a()
		hash.Write([]byte(level))
		group[k] = heldOut(int(hash.Sum64()>>1), share)
	}
	mask := make([]bool, len(codes))
	for i, code := range codes {
		mask[i] = group[int(code)]
	}
	return mask
}

// last returns which rows are the last share in time. Rows of one time are on one side: they
// are held out.
func last(times []float64, share float64) ([]bool, error) {
	sorted := slices.Sorted(slices.Values(times))
	n := len(sorted)
	if n == 0 {
		return nil, nil // the reader refuses it
	}
	cut := sorted[min(n-1, n-int(math.Round(share*float64(n))))]
	if cut == sorted[0] {
		return nil, fmt.Errorf("the last share of %g begins at the first of all times, %g, and leaves no row before it", share, cut)
	}
	mask := make([]bool, n)
	for i, t := range times {
		mask[i] = t >= cut
	}
	return mask, nil
}
