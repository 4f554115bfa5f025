package inspect

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"beziergp/internal/cli/size"
	"beziergp/table"
)

// print writes the description as aligned text.
func (d description) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "file\t%s, %s, format %d\n", d.File, size.Text(d.Bytes), d.Format)
	fmt.Fprintf(t, "target\t%s, mean %.6g, deviation %.6g\n", d.Target.Name, d.Target.Mean, d.Target.Deviation)
	fmt.Fprintf(t, "noise\tdeviation %.6g\n", d.Noise)
	fmt.Fprintf(t, "out of box\t%s\n", d.Policy)
	fmt.Fprintf(t, "weights\t%d\n", d.Weights)
	for g, own := range d.Groups {
		name := "buttresses"
		if len(d.Groups) > 1 {
			name = fmt.Sprintf("group %d", g+1)
		}
		fmt.Fprintf(t, "%s\t%d orderings, 10^%.1f control points each\n", name, own.Orderings, own.Log10ControlPoints)
	}
	fmt.Fprintf(t, "training\trecipe %s, %d rows, %d steps, RMSE %.6g\n", d.Training.Recipe, d.Training.Rows, d.Training.Steps, d.Training.RMSE)
	fmt.Fprintf(t, "options\t%s\n", d.Training.Options)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t, "\ninput\tlowest\thighest\tbounds\torder")
	for i, in := range d.Inputs {
		bounds := "from data"
		switch {
		case in.Constant:
			bounds = "constant"
		case in.Declared:
			bounds = "declared"
		case in.Kind == table.Category:
			bounds = fmt.Sprintf("%d levels", len(in.Levels))
			if len(in.Pooled) > 0 {
				bounds += fmt.Sprintf(", %d pooled", len(in.Pooled))
			}
		}
		var orders []string
		for _, own := range d.Groups {
			orders = append(orders, fmt.Sprint(own.Orders[i]))
		}
		fmt.Fprintf(t, "%s\t%.6g\t%.6g\t%s\t%s\n", in.Name, in.Lo, in.Hi, bounds, strings.Join(orders, ", "))
	}
	return t.Flush()
}
