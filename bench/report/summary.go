package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"beziergp/bench/markdown"
)

// library tells methods of other programs from those of this one.
func (c cell) library() bool {
	return !c.published && len(c.made) > 0 && !strings.HasPrefix(c.made[0].Version, "beziergp")
}

// libraries returns the methods of other programs, but for those that are another one's part.
func (g *grid) libraries() (titles []string) {
	for _, title := range g.run {
		isLibrary := slices.ContainsFunc(g.all, func(c *cell) bool { return c.title() == title && c.library() })
		if isLibrary && g.whole(title) == "" {
			titles = append(titles, title)
		}
	}
	slices.Sort(titles)
	return titles
}

// whole returns the method run here that a method is a part of, if there is one: A + B
// predicts the means of A with something more around them.
func (g *grid) whole(title string) string {
	at := slices.IndexFunc(g.run, func(other string) bool { return strings.HasPrefix(other, title+" + ") })
	if at < 0 {
		return ""
	}
	return g.run[at]
}

// summary writes a line for each library that ours is compared with, over all suites.
func summary(w io.Writer, grids []*grid) {
	var rows [][]any
	reference, shown := "", shownIn(grids)
	for _, g := range grids {
		own := g.reference()
		for _, title := range g.libraries() {
			sets := g.shared(own, title)
			if own == "" || sets == nil || reference != "" && own != reference {
				continue
			}
			reference = own
			fits := 0
			for _, set := range sets {
				fits += g.common(set, own, title)
			}
			row := []any{markdown.Text(g.suite), markdown.Text(title), len(sets), fits}
			for _, m := range shown {
				row = append(row, g.balance(own, title, sets, m))
			}
			rows = append(rows, append(row, g.cost(own, title, sets)))
		}
	}
	if reference == "" {
		return
	}
	headlines(w, reference, grids)
	fmt.Fprintf(w, "\n### Library by library\n\n%s against other libraries, set by set on the splits that both have, by the mean over these. The lead on a set, below 0\n"+
		"where %s is behind, is in percent of the other's %s, and in nats a row of the log-likelihood, ± its standard\n"+
		"error over the splits. The time is that of a fit of %s over that of the other, the geometric mean over the sets.\n\n", markdown.Text(reference), markdown.Text(reference), relatives(shown), markdown.Text(reference))
	var titles []string
	for _, m := range shown {
		titles = append(titles, m.title)
	}
	markdown.Head(w, "suite", "against", "sets", "splits", titles, "time")
	for _, row := range rows {
		markdown.Row(w, row...)
	}
	fmt.Fprint(w, "\nA ~ marks times of fits beside other work, as is told below.\n")
}

// shownIn returns the criteria that any of the grids has.
func shownIn(grids []*grid) (all []criterion) {
	for _, c := range criteria() {
		if slices.ContainsFunc(grids, func(g *grid) bool {
			return slices.ContainsFunc(g.criteria(), func(own criterion) bool { return own.name == c.name })
		}) {
			all = append(all, c)
		}
	}
	return all
}

// shared returns the sets that two methods have scores on, of a common fit.
func (g *grid) shared(own, title string) (sets []string) {
	for _, set := range g.sets {
		if g.common(set, own, title) > 0 {
			sets = append(sets, set)
		}
	}
	return sets
}

// balance tells on how many sets ours leads, and by how much it is behind on the others.
func (g *grid) balance(own, title string, sets []string, m criterion) string {
	ahead, of := 0, 0
	var behind, equal []string
	for _, set := range sets {
		d := m.paired(g.at(set, own), g.at(set, title))
		switch {
		case d.fits == 0:
			continue
		case d.lead > 0:
			ahead++
		case d.lead == 0:
			equal = append(equal, markdown.Text(set))
		default:
			behind = append(behind, markdown.Text(set)+" "+m.leadText(d))
		}
		of++
	}
	if of == 0 {
		return ""
	}
	text := fmt.Sprintf("ahead on %d of %d", ahead, of)
	if behind != nil {
		text += "; behind on " + strings.Join(behind, ", ")
	}
	if equal != nil {
		text += "; equal on " + strings.Join(equal, ", ")
	}
	return text
}

// cost returns how many times the other's time ours takes.
func (g *grid) cost(own, title string, sets []string) string {
	total, busy := 0.0, false
	for _, set := range sets {
		a, b := g.at(set, own), g.at(set, title)
		total += math.Log(a.fit.Mean / b.fit.Mean)
		busy = busy || a.busy || b.busy
	}
	return timed(fmt.Sprintf("%.2g ×", math.Exp(total/float64(len(sets)))), busy)
}
