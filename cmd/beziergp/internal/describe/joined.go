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
	keep := func(first string) string {
		return fmt.Sprintf("fit reads them as one; --column %s=numeric keeps them as they are", printable.Words(first))
	}
	if date, ok := t.FindDate(names); ok {
		if dates, err := t.ValuesAs(date); err == nil && !slices.ContainsFunc(dates, date.Fails) {
			first := date.Parts[0]
			d.Warnings = append(d.Warnings, warning{first, "date", fmt.Sprintf("makes a date-time with %s: %s", printable.Words(strings.Join(date.Parts[1:], ", ")), keep(first))})
			names = slices.DeleteFunc(names, date.HasPart)
		}
	}
	for _, f := range t.FindOneHot(names, slices.Collect(maps.Keys(kinds))) {
		first, last := f.Parts[0], f.Parts[len(f.Parts)-1]
		d.Warnings = append(d.Warnings, warning{first, "one_hot", fmt.Sprintf("the first of %d one-hot columns of a category, to %s: %s", len(f.Parts), printable.Words(last), keep(first))})
	}
}
