package explain

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"beziergp/internal/printable"
)

// print writes the summary.
func (t *total) print(w io.Writer) error {
	if t.options.JSON {
		return printable.Encoder(w).Encode(t)
	}
	against := "averages of the training rows"
	if t.options.Background != "" {
		against = printable.Line(t.options.Background)
	}
	fmt.Fprintf(w, "%s of %d rows against %s: %.6g without any column\n\n", printable.Name(t.quantity()), t.Rows, against, t.Base)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	printAll(out, "column", t.Columns, t.options.Top)
	if err := out.Flush(); err != nil {
		return err
	}
	if len(t.Interactions) > 0 {
		fmt.Fprintln(w)
		printAll(out, "pair", t.Interactions, t.options.Top)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\nvalues and predictions agree within %s of the target's deviation, by %d of %d nodes\n", rounded(t.Additivity), t.Nodes, t.Exact)
	return err
}

// rounded is a power of ten above v: the digits of an error say nothing.
func rounded(v float64) string {
	if v == 0 {
		return "0"
	}
	return fmt.Sprintf("%.0e", math.Pow(10, math.Ceil(math.Log10(v))))
}

// printAll writes a line each of those that matter most.
func printAll(w io.Writer, what string, all []effect, top int) {
	fmt.Fprintf(w, "%s\tmean_abs\tlowest\thighest\n", what)
	for k, e := range all {
		if k == top {
			fmt.Fprintf(w, "and %d more; --top prints them\n", len(all)-top)
			return
		}
		name := printable.Name(e.Column)
		if e.Other != "" {
			name += " * " + printable.Name(e.Other)
		}
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%.4g\n", name, e.MeanAbs, e.Lowest, e.Highest)
	}
}
