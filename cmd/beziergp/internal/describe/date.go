package describe

import (
	"fmt"
	"slices"
	"strings"

	"beziergp/internal/printable"
	"beziergp/table"
)

// findDate tells which columns fit reads as one date-time: those that are parts of a date by
// their names, in every row, and whose kinds nobody has given.
func (d *description) findDate(t *table.Table, target string, kinds map[string]table.Kind) {
	var fields []table.Field
	for _, name := range t.Names() {
		if f, _ := t.Field(name); kinds[name] == "" && name != target {
			fields = append(fields, f)
		}
	}
	parts := table.FindDate(fields)
	if parts == nil {
		return
	}
	dates, err := t.ValuesAs(table.Field{Kind: table.DateTime, Parts: parts})
	if err != nil || slices.ContainsFunc(dates, func(v float64) bool { return v != v }) {
		return
	}
	d.Warnings = append(d.Warnings, warning{parts[0], "date", fmt.Sprintf("makes a date-time with %s: fit reads them as one; --column %s=numeric keeps them as they are",
		printable.Words(strings.Join(parts[1:], ", ")), printable.Words(parts[0]))})
}
