package describe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"beziergp/internal/printable"
	"beziergp/table"
)

// findJoined tells which columns fit reads as one: those that make a date-time in every row, and those that are the
// one-hot columns of a category, where nobody has given their kinds.
func (d *description) findJoined(t *table.Table, target string, kinds map[string]table.Kind) {
	names := slices.DeleteFunc(t.Names(), func(name string) bool { return kinds[name] != "" || name == target })
	for _, f := range t.FindJoined(names, slices.Collect(maps.Keys(kinds))) {
		first, last := f.Parts[0], f.Parts[len(f.Parts)-1]
		kind, what := "one_hot", fmt.Sprintf("the first of %d one-hot columns of a category, to %s", len(f.Parts), printable.Words(last))
		if f.Kind == table.DateTime {
			if dates, err := t.ValuesAs(f); err != nil || slices.ContainsFunc(dates, f.Fails) {
				continue
			}
			kind, what = "date", "makes a date-time with "+printable.Words(strings.Join(f.Parts[1:], ", "))
		}
		d.Warnings = append(d.Warnings, warning{first, kind, fmt.Sprintf("%s: fit reads them as one; --column %s=numeric keeps them as they are", what, printable.Words(first))})
	}
}
