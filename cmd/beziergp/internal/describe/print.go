package describe

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"beziergp/internal/printable"
	"beziergp/table"
)

// print writes the description as aligned text.
func (d *description) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s: %s, %s\n\n", printable.Line(d.File), count(d.Rows, "row"), count(len(d.Columns), "column"))
	fmt.Fprintln(t, "column\tkind\tmissing\tdistinct\tvalues")
	for _, c := range d.Columns {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\n", printable.Name(c.Name), c.Kind, c.Missing, c.Distinct, c.values())
	}
	if len(d.Warnings) > 0 {
		fmt.Fprintln(t, "\nlook at")
	}
	for _, warning := range d.Warnings {
		fmt.Fprintf(t, "%s\t%s\t%s\n", printable.Name(warning.Column), warning.About, warning.Text)
	}
	return t.Flush()
}

// count says how many things there are.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// values returns the range of a column or the levels that occur most.
func (c column) values() string {
	if c.Kind == table.Category {
		var named []string
		for _, l := range c.Top {
			named = append(named, fmt.Sprintf("%s (%d)", printable.Name(l.Level), l.Count))
		}
		if more := c.Distinct - len(c.Top); more > 0 {
			named = append(named, fmt.Sprintf("%d more", more))
		}
		return strings.Join(named, ", ")
	}
	switch {
	case c.Min == nil:
		return ""
	case c.Kind == table.DateTime:
		return date(*c.Min) + " to " + date(*c.Max)
	}
	return fmt.Sprintf("%.6g to %.6g", *c.Min, *c.Max)
}

func date(seconds float64) string {
	return time.Unix(int64(math.Floor(seconds)), 0).UTC().Format("2006-01-02 15:04:05")
}
