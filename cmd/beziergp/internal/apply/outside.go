package apply

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
)

// Outside counts, for every reason why rows lie outside the box, these rows, and by input
// the values. A row may have several.
type Outside struct {
	Rows   map[box.Reason]int
	Values map[box.Reason]map[string]int
	box    box.Box
}

// NewOutside returns one of no rows of a model with these inputs.
func NewOutside(inputs []box.Input) *Outside {
	o := &Outside{Rows: map[box.Reason]int{}, Values: map[box.Reason]map[string]int{}, box: box.New(inputs)}
	for _, reason := range box.Reasons() {
		o.Rows[reason], o.Values[reason] = 0, map[string]int{}
	}
	return o
}

// namesOutside are those of the reasons in reports.
var namesOutside = map[box.Reason]string{box.Beyond: "outside_box", box.NewLevel: "new_level", box.NewGap: "new_missing"}

// report returns the rows by reason.
func (o *Outside) report() (all []RowsOutside) {
	for _, reason := range box.Reasons() {
		all = append(all, RowsOutside{namesOutside[reason], o.Rows[reason]})
	}
	return all
}

// Add counts a block, [columns, n].
func (o *Outside) Add(columns [][]float64, inBox []bool) {
	for row, inside := range inBox {
		if inside {
			continue
		}
		met := map[box.Reason]bool{}
		for i, in := range o.box.Inputs {
			if reason := in.Reason(columns[o.box.Column(i)][row]); reason != box.Inside {
				o.Values[reason][in.Name]++
				met[reason] = true
			}
		}
		for reason := range met {
			o.Rows[reason]++
		}
	}
}

// Warn tells of the rows, and of the columns that are to blame.
func (o *Outside) Warn(s streams.Streams, rows int, policy box.Policy) {
	for _, reason := range box.Reasons() {
		if n := o.Rows[reason]; n > 0 {
			s.Console.Warn(fmt.Sprintf("%d of %d rows %s: %s", n, rows, consequence(reason, policy), o.Blame(reason)),
				slog.String("event", string(reason)), slog.Int("rows", n), slog.Any("columns", o.Values[reason]))
		}
	}
}

// consequence says what rows have, and what becomes of them.
func consequence(reason box.Reason, policy box.Policy) string {
	become := map[box.Reason]string{
		box.Beyond:   "are moved to the nearest bound",
		box.NewLevel: "are predicted as if it were rare or missing, with intervals that may be too narrow",
		box.NewGap:   "are predicted without it, with intervals that may be too narrow",
	}[reason]
	switch {
	case policy == box.Flag:
		become = "have no prediction"
	case policy == box.Extrapolate && reason == box.Beyond:
		become = "are extrapolated"
	}
	have := map[box.Reason]string{
		box.Beyond:   "lie outside the box and ",
		box.NewLevel: "have a level not seen in training and ",
		box.NewGap:   "lack a value that no training row lacked and ",
	}[reason]
	return have + become
}

// Blame names the inputs with most values outside for a reason.
func (o *Outside) Blame(reason box.Reason) string {
	const most = 3
	values := o.Values[reason]
	var names []string
	for name := range values {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(most, len(names))] {
		parts = append(parts, fmt.Sprintf("%s in %d", printable.Quoted(name), values[name]))
	}
	if more := len(names) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more columns", more))
	}
	return strings.Join(parts, ", ")
}
