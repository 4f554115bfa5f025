package describe

import (
	"fmt"
	"io"
	"strings"

	"beziergp/internal/printable"
	"beziergp/table"
)

// print writes the description as aligned text, within so many columns of a terminal, 0 for
// any.
func (d *description) print(w io.Writer, width int, all bool) error {
	var b strings.Builder
	p := printer{&b, width, all}
	fmt.Fprintf(&b, "%s: %s, %s: %s\n", printable.Line(d.File), count(d.Rows, "row"), count(len(d.Columns), "column"), d.kinds())
	if d.Described < d.Rows {
		fmt.Fprintf(&b, "memory does not hold them: what follows is of %d rows drawn at random (more by --memory)\n", d.Described)
	}
	if d.Repeated > 0 {
		fmt.Fprintf(&b, "%s equal to one before, in all columns\n", count(d.Repeated, "row"))
	}
	for _, kind := range kindOrder {
		var of []column
		for _, c := range d.Columns {
			if c.Kind == kind {
				of = append(of, c)
			}
		}
		p.columns(kind, of)
	}
	p.links(fmt.Sprintf("correlation with the target%s", d.compared()), d.Correlations.Target, func(l link) string { return printable.Name(l.Column) })
	pairs := "correlation of pairs" + d.compared()
	if d.Correlations.Columns > 0 {
		pairs += fmt.Sprintf(", among %d columns", d.Correlations.Columns)
	}
	p.links(pairs, d.Correlations.Pairs, func(l link) string { return printable.Name(l.Column) + " – " + printable.Name(l.With) })
	p.warnings(d.Warnings)
	_, err := io.WriteString(w, b.String())
	return err
}

var kindOrder = []table.Kind{table.Numeric, table.Boolean, table.DateTime, table.Category}

// kinds says how many columns there are of each kind.
func (d *description) kinds() string {
	counts := map[table.Kind]int{}
	for _, c := range d.Columns {
		counts[c.Kind]++
	}
	var parts []string
	for _, kind := range kindOrder {
		if n := counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	return strings.Join(parts, ", ")
}

// compared says of how many rows correlations are, where these are not all.
func (d *description) compared() string {
	if d.Correlations.Rows == d.Described {
		return ""
	}
	return fmt.Sprintf(", of %d rows drawn at random", d.Correlations.Rows)
}

// count says how many things there are.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
