package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"beziergp/bench/markdown"
)

// grid is a suite's cells by method and set.
type grid struct {
	suite     string
	sets      []string
	run       []string // methods run here
	published []string // methods that others have published
	cells     map[[2]string]*cell
	all       []*cell
}

// newGrid returns the cells of a suite, those run here first.
func newGrid(suite string, cells []*cell) *grid {
	g := &grid{suite: suite, cells: map[[2]string]*cell{}, all: cells}
	for _, c := range cells {
		if !slices.Contains(g.sets, c.set) {
			g.sets = append(g.sets, c.set)
		}
		into := &g.run
		if c.published {
			into = &g.published
		}
		if !slices.Contains(*into, c.title()) {
			*into = append(*into, c.title())
		}
		g.cells[[2]string{c.set, c.title()}] = c
	}
	return g
}

// at returns a cell, or nil.
func (g *grid) at(set, title string) *cell { return g.cells[[2]string{set, title}] }

// fits returns how many fits the methods have on a set that have the most.
func (g *grid) fits(set string) int {
	most := 0
	for _, title := range g.run {
		if c := g.at(set, title); c != nil {
			most = max(most, len(c.made))
		}
	}
	return most
}

// table writes a measure of all methods on all sets, the first in bold, if any has it.
func (g *grid) table(w io.Writer, m measure) {
	if !slices.ContainsFunc(g.all, func(c *cell) bool { return m.write(m.of(c)) != "" }) {
		return
	}
	fmt.Fprintf(w, "\n### %s\n\n", m.title)
	markdown.Head(w, "method", markdown.Texts(g.sets))
	criterion, compared := criterionOf(m)
	for _, title := range slices.Concat(g.run, g.published) {
		row, any := []string{markdown.Text(title)}, false
		for _, set := range g.sets {
			c := g.at(set, title)
			text := g.text(c, m)
			any = any || text != ""
			if compared && c != nil && !c.published && g.first(c, criterion) {
				text = "**" + text + "**"
			}
			row = append(row, text)
		}
		if any {
			markdown.Row(w, row)
		}
	}
	if m.name == "rmse" {
		g.floors(w)
	}
}

// text returns what stands in a cell.
func (g *grid) text(c *cell, m measure) string {
	switch {
	case c == nil:
		return ""
	case len(c.made) == 0 && len(c.errors) > 0:
		return "failed"
	}
	text := m.write(m.of(c))
	if text == "" || c.published {
		return text
	}
	fits := len(c.made)
	if m.timed {
		fits = c.timed
		text = timed(text, c.busy)
	}
	if most := g.fits(c.set); fits < most {
		text += fmt.Sprintf(" (%d of %d)", fits, most)
	}
	return text
}

// floors writes a row of the best that there can be, where that is known.
func (g *grid) floors(w io.Writer) {
	row, any := []string{"*the noise: none is below*"}, false
	for _, set := range g.sets {
		text := ""
		for _, c := range g.all {
			if c.set == set && !math.IsNaN(c.floor) {
				text, any = "*"+number(c.floor)+"*", true
			}
		}
		row = append(row, text)
	}
	if any {
		markdown.Row(w, row)
	}
}

// shapes writes how large the sets are and how many fits there are of each.
func (g *grid) shapes(w io.Writer) {
	fmt.Fprintln(w)
	markdown.Head(w, "set", "rows trained on", "inputs", "fits a method")
	for _, set := range g.sets {
		rows, inputs := 0, 0
		for _, title := range g.run {
			if c := g.at(set, title); c != nil {
				rows, inputs = max(rows, c.rows), max(inputs, c.inputs)
			}
		}
		markdown.Row(w, markdown.Text(set), rows, inputs, g.fits(set))
	}
}

// failures names the fits without scores and why.
func (g *grid) failures(w io.Writer) {
	type failed struct{ method, why string }
	var order []failed
	sets := map[failed][]string{}
	for _, c := range g.all {
		for _, why := range c.errors {
			f := failed{c.method, why}
			if sets[f] == nil {
				order = append(order, f)
			}
			if !slices.Contains(sets[f], c.set) {
				sets[f] = append(sets[f], c.set)
			}
		}
	}
	if len(order) > 0 {
		fmt.Fprint(w, "\nFits without scores:\n\n")
	}
	for _, f := range order {
		fmt.Fprintf(w, "- %s on %s: %s\n", markdown.Text(f.method), strings.Join(markdown.Texts(sets[f]), ", "), markdown.Text(f.why))
	}
}

// sources names where published figures are from.
func (g *grid) sources(w io.Writer) {
	var sources []string
	methods := map[string][]string{}
	for _, c := range g.all {
		if !c.published {
			continue
		}
		if methods[c.source] == nil {
			sources = append(sources, c.source)
		}
		if !slices.Contains(methods[c.source], c.method) {
			methods[c.source] = append(methods[c.source], c.method)
		}
	}
	if len(sources) == 0 {
		return
	}
	fmt.Fprint(w, "\n† published, on splits of their own:\n\n")
	for _, source := range sources {
		fmt.Fprintf(w, "- %s: %s\n", markdown.Text(source), strings.Join(markdown.Texts(methods[source]), ", "))
	}
}
