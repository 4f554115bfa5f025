package describe

import (
	"fmt"
	"strings"

	"beziergp/internal/printable"
	"beziergp/table"
)

// So much is shown unless all is asked for: columns of a kind, warnings of a sort,
// correlations.
const (
	mostColumns  = 40
	mostWarnings = 10
	mostLinks    = 10
)

// printer writes parts of a description.
type printer struct {
	b     *strings.Builder
	width int // of the terminal; 0 for any
	all   bool
}

// shown returns how many of n are.
func (p printer) shown(n, most int) int {
	if p.all {
		return n
	}
	return min(n, most)
}

// part writes a grid, and how many of n rows it has not.
func (p printer) part(g grid, n int) {
	p.b.WriteString("\n")
	g.write(p.b, p.width)
	if more := n - len(g.rows); more > 0 {
		fmt.Fprintf(p.b, "and %d more; --all shows them\n", more)
	}
}

// columns writes those of a kind, a line each.
func (p printer) columns(kind table.Kind, of []column) {
	if len(of) == 0 {
		return
	}
	g := heads[kind]
	for _, c := range of[:p.shown(len(of), mostColumns)] {
		g.rows = append(g.rows, c.cells())
	}
	p.part(g, len(of))
}

// links writes correlations.
func (p printer) links(title string, of []link, name func(link) string) {
	if len(of) == 0 {
		return
	}
	g := grid{head: []string{title, "", ""}, left: 2}
	for _, l := range of[:p.shown(len(of), mostLinks)] {
		g.rows = append(g.rows, []string{name(l), fmt.Sprintf("%.3f", l.Value), string(l.Measure)})
	}
	p.part(g, len(of))
}

// warnings writes what to look at, what is of one sort together.
func (p printer) warnings(all []warning) {
	if len(all) == 0 {
		return
	}
	counts := map[string]int{}
	g := grid{head: []string{"look at", "", ""}, left: 1}
	for _, w := range all {
		if counts[w.About]++; counts[w.About] <= p.shown(len(all), mostWarnings) {
			g.rows = append(g.rows, []string{short(w.Column), w.About, w.Text})
		}
	}
	p.part(g, len(all))
}

// short returns a name that leaves room beside it.
func short(name string) string {
	const most = 28
	runes := []rune(printable.Name(name))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2+1:])
}
