package inspect

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"beziergp/internal/printable"
	"beziergp/table"
)

// print writes the description as aligned text: what own writes after what all models
// have, then the inputs, with their orders if there are any.
func (d common) print(w io.Writer, own func(io.Writer), orders func(input int) string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "file\t%s, %s, format %d\n", printable.Line(d.File), printable.Size(d.Bytes), d.Format)
	fmt.Fprintf(t, "target\t%s, mean %.6g, deviation %.6g\n", printable.Name(d.Target.Name), d.Target.Mean, d.Target.Deviation)
	if d.Target.Range != nil {
		fmt.Fprintf(t, "range\t%v\n", d.Target.Range)
	}
	if d.Noise != nil {
		fmt.Fprintf(t, "noise\tdeviation %.6g\n", *d.Noise)
	}
	fmt.Fprintf(t, "out of box\t%s\n", printable.Name(string(d.Policy)))
	if d.HashedRows != nil {
		fmt.Fprintf(t, "remembers\thashes of %d rows\n", *d.HashedRows)
	}
	own(t)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(t, "\ninput\tlowest\thighest\tbounds")
	if orders != nil {
		fmt.Fprint(t, "\torder")
	}
	fmt.Fprintln(t)
	for i, in := range d.Inputs {
		fmt.Fprintf(t, "%s\t%.6g\t%.6g\t%s", printable.Name(in.Name), in.Lo, in.Hi, in.bounds())
		if orders != nil {
			fmt.Fprintf(t, "\t%s", orders(i))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// bounds says where an input's bounds come from.
func (in input) bounds() string {
	switch {
	case in.Constant:
		return "constant"
	case in.Declared:
		return "declared"
	case in.Kind == table.Category && in.Pooled > 0:
		return fmt.Sprintf("%d levels, %d pooled", len(in.Levels), in.Pooled)
	case in.Kind == table.Category:
		return fmt.Sprintf("%d levels", len(in.Levels))
	}
	return "from data"
}

func (d process) print(w io.Writer) error {
	return d.common.print(w, func(t io.Writer) {
		if l := d.Limits; l != nil {
			fmt.Fprintf(t, "limits\tmean from %.6g to %.6g", l.Lo, l.Hi)
			if l.StdF > 0 {
				fmt.Fprintf(t, ", deviation of the function at most %.6g", l.StdF)
			}
			fmt.Fprintln(t)
		}
		fmt.Fprintf(t, "weights\t%d\n", d.Weights)
		for g, own := range d.Groups {
			name := "buttresses"
			if len(d.Groups) > 1 {
				name = fmt.Sprintf("group %d", g+1)
			}
			fmt.Fprintf(t, "%s\t%d orderings, 10^%.1f control points each\n", name, own.Orderings, own.Log10ControlPoints)
		}
		rows := fmt.Sprintf("%d rows", d.Training.Rows)
		if d.Training.Sampled > 0 {
			rows = fmt.Sprintf("%d rows drawn by lot out of %d", d.Training.Sampled, d.Training.Rows)
		}
		fmt.Fprintf(t, "training\trecipe %s, %s, %d steps, RMSE %.6g\n", printable.Name(d.Training.Recipe), rows, d.Training.Steps, d.Training.RMSE)
		fmt.Fprintf(t, "options\t%s\n", printable.Line(string(d.Training.Options)))
	}, func(i int) string {
		var orders []string
		for _, own := range d.Groups {
			orders = append(orders, fmt.Sprint(own.Orders[i]))
		}
		return strings.Join(orders, ", ")
	})
}
