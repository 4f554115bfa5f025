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
	if t.sampled != nil {
		against += ", estimated"
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
	if s := t.sampled; s != nil {
		_, err := fmt.Fprintf(w, "\nestimates by %d pairs of permutations of each of %d background rows; std_error is the mean of the values' standard errors\n", s.Permutations, s.Background)
		return err
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
	estimated := ""
	if len(all) > 0 && all[0].Error != nil {
		estimated = "\tstd_error"
	}
	fmt.Fprintf(w, "%s\tmean_abs\tlowest\thighest%s\n", what, estimated)
	for k, e := range all {
		if k == top {
			fmt.Fprintf(w, "and %d more; --top prints them\n", len(all)-top)
			return
		}
		name := printable.Name(e.Column)
		if e.Other != "" {
			name += " * " + printable.Name(e.Other)
		}
		if e.Error != nil {
			estimated = fmt.Sprintf("\t%.2g", *e.Error)
		}
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%.4g%s\n", name, e.MeanAbs, e.Lowest, e.Highest, estimated)
	}
}
