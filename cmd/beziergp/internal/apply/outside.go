package apply

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/table"
)

// Column is an input with values outside its bounds.
type Column struct {
	Name    string
	Values  int
	Unknown int // of them, those missing, or of a level, as in no training row
}

// unknown counts values that no bound is near to.
type unknown struct {
	mapping box.Box
	missing []int // by input: as in no training row
}

func newUnknown(inputs []box.Input) *unknown {
	return &unknown{box.New(inputs), make([]int, len(inputs))}
}

// add counts the values of a block, [columns, n].
func (u *unknown) add(columns [][]float64) {
	for i, in := range u.mapping.Inputs {
		if in.Missing {
			continue
		}
		for _, v := range columns[u.mapping.Column(i)] {
			if v != v {
				u.missing[i]++
			}
		}
	}
}

// of returns how many of the values outside input i are unknown.
func (u *unknown) of(i, outside int) int {
	if u.mapping.Inputs[i].Kind == table.Category {
		return outside
	}
	return u.missing[i]
}

// warnOutside warns of rows outside the box and of the columns that are to blame.
func (r *Result) warnOutside(s streams.Streams, policy box.Policy) {
	if r.Outside == 0 {
		return
	}
	const most = 3
	var blame []string
	for _, c := range r.Columns[:min(most, len(r.Columns))] {
		blame = append(blame, fmt.Sprintf("%s in %d", printable.Quoted(c.Name), c.Values))
	}
	if more := len(r.Columns) - most; more > 0 {
		blame = append(blame, fmt.Sprintf("%d more columns", more))
	}
	s.Console.Warn(fmt.Sprintf("%d of %d rows lie outside the box and are %s: %s", r.Outside, r.Rows, r.become(policy), strings.Join(blame, ", ")),
		slog.String("event", "outside_box"), slog.Int("rows", r.Outside), slog.Any("columns", r.columnCounts()))
}

// become says what rows outside the box are made to be.
func (r *Result) become(policy box.Policy) string {
	if policy == box.Flag {
		return "without prediction"
	}
	var ways []string
	if slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Values > c.Unknown }) {
		way := "moved to the nearest bound"
		if policy == box.Extrapolate {
			way = "extrapolated"
		}
		ways = append(ways, way)
	}
	if slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Unknown > 0 }) {
		ways = append(ways, "predicted without the values that are missing or of unknown levels, with intervals that may be too narrow")
	}
	return strings.Join(ways, ", or ")
}

func (r *Result) columnCounts() map[string]int {
	counts := make(map[string]int, len(r.Columns))
	for _, c := range r.Columns {
		counts[c.Name] = c.Values
	}
	return counts
}
