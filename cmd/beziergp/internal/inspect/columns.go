package inspect

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"beziergp/cmd/beziergp/internal/source"
	"beziergp/internal/printable"
	"beziergp/table"
)

const (
	// first is how many columns are printed that have not all to be, and top how many levels
	// of one are named.
	first = 20
	top   = 5
)

// printColumns writes what the training rows had in every column.
func (c *common) printColumns(w io.Writer, all bool) {
	var columns [][]input // of a date-time all parts
	for _, in := range c.Inputs {
		if last := len(columns) - 1; last >= 0 && in.Column != "" && columns[last][0].column() == in.Column {
			columns[last] = append(columns[last], in)
			continue
		}
		columns = append(columns, []input{in})
	}
	left := 0
	if !all && len(columns) > first+1 {
		left = len(columns) - first
		columns = columns[:first]
	}
	fmt.Fprint(w, "\ncolumn\tkind\tmissing\tvalues\n")
	for _, parts := range columns {
		in := parts[0]
		kind, missing := in.Kind, "no"
		if kind == "" {
			kind = table.Numeric
		}
		switch {
		case in.MissingShare != nil && *in.MissingShare > 0:
			missing = fmt.Sprintf("%.3g %%", 100**in.MissingShare)
		case in.Missing:
			missing = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", printable.Name(in.column()), kind, missing, values(parts))
	}
	if left > 0 {
		fmt.Fprintf(w, "and %d more; --all prints them\n", left)
	}
}

// column returns the name of the column that the input comes from.
func (in input) column() string {
	if in.Column != "" {
		return in.Column
	}
	return in.Name
}

// values says what a column held, by its inputs, and whether missing values are told apart.
func values(parts []input) string {
	if last := len(parts) - 1; last > 0 && parts[last].absent {
		return values(parts[:last]) + ", or missing"
	}
	in := parts[0]
	switch in.Kind {
	case table.Category:
		return in.levels()
	case table.DateTime:
		return dates(parts)
	case table.Boolean:
		if in.truth != nil {
			return fmt.Sprintf("true in %.3g %%", 100**in.truth)
		}
	}
	lo, hi := in.Lo, in.Hi
	if in.Declared && in.Lowest != nil {
		return fmt.Sprintf("%.6g to %.6g, declared %.6g to %.6g", *in.Lowest, *in.Highest, lo, hi)
	}
	switch {
	case in.Constant:
		return fmt.Sprintf("always %.6g", lo)
	case in.Declared:
		return fmt.Sprintf("declared %.6g to %.6g", lo, hi)
	}
	return fmt.Sprintf("%.6g to %.6g", lo, hi)
}

// levels names those of a category that occur most.
func (in input) levels() string {
	order := make([]int, len(in.Levels))
	for i := range order {
		order[i] = i
	}
	if in.Shares != nil {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(in.Shares[b], in.Shares[a]) })
	}
	var named []string
	for _, i := range order[:min(top, len(order))] {
		name := printable.Name(in.Levels[i])
		if in.Shares != nil {
			name += fmt.Sprintf(" %.3g %%", 100*in.Shares[i])
		}
		named = append(named, name)
	}
	if more := len(order) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	if in.Pooled > 0 {
		rare := fmt.Sprintf("%d rare ones", in.Pooled)
		if in.Shares != nil {
			rare += fmt.Sprintf(" %.3g %%", 100*floats.Sum(in.Shares[len(in.Levels):]))
		}
		named = append(named, rare)
	}
	if len(in.Levels)+in.Pooled == 1 {
		return "always " + strings.Join(named, "")
	}
	text := fmt.Sprintf("%d levels: %s", len(in.Levels)+in.Pooled, strings.Join(named, ", "))
	if in.Parts != nil {
		text += fmt.Sprintf("; made of %d one-hot columns", len(in.Parts))
	}
	return text
}

// dates says from when to when a date-time was, and what the model takes of it. The first
// of its parts is the time, in days.
func dates(parts []input) string {
	var names []string
	for _, in := range parts {
		names = append(names, printable.Name(strings.TrimPrefix(in.Name, in.Column+".")))
	}
	by := strings.Join(names, ", ")
	if of := parts[0].Parts; of != nil {
		by += ", made of " + printable.Words(strings.Join(of, ", "))
	}
	if names[0] != "time" {
		return by
	}
	return fmt.Sprintf("%s to %s, by %s", source.Date(parts[0].Lo), source.Date(parts[0].Hi), by)
}
