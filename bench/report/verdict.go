package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"beziergp/bench/markdown"
)

// reference is the method that the others are compared with: what a user gets without an
// option, or with the fewest of those that were run.
func (g *grid) reference() string {
	reference := ""
	for _, c := range g.all {
		auto := strings.HasPrefix(c.method, "BezierGP auto")
		if c.ours() && (reference == "" || auto && !strings.HasPrefix(reference, "BezierGP auto")) {
			reference = c.method
		}
	}
	return reference
}

// comparisons writes a table a measure of how ours does against each other method run here.
func (g *grid) comparisons(w io.Writer) {
	reference := g.reference()
	if reference == "" {
		return
	}
	begun := false
	for _, m := range g.criteria() {
		var rows [][]string
		for _, title := range g.run {
			row, any := []string{markdown.Text(title)}, false
			for _, set := range g.sets {
				own, other, text := g.at(set, reference), g.at(set, title), ""
				if own != nil && other != nil && !other.ours() {
					text = m.comparisonText(m.paired(own, other))
				}
				row, any = append(row, text), any || text != ""
			}
			if any {
				rows = append(rows, row)
			}
		}
		if rows == nil {
			continue
		}
		if !begun {
			fmt.Fprintf(w, "\n### %s against each of the others\n\n"+
				"Mean lead of %s over the splits that both methods have ± its standard error, and on how many of these splits it is\n"+
				"better : worse. A lead above 0 is for %s. Of %s it is in percent of the other's mean on the same splits.\n"+
				"The splits of a set share most of their rows, so that a standard error is rather too small.\n", markdown.Text(reference), markdown.Text(reference), markdown.Text(reference), relatives(g.criteria()))
			begun = true
		}
		fmt.Fprintln(w)
		markdown.Head(w, m.title+": lead over", markdown.Texts(g.sets))
		for _, row := range rows {
			markdown.Row(w, row)
		}
	}
}

// verdict writes, by set, what beats ours, run here or published.
func (g *grid) verdict(w io.Writer) {
	reference := g.reference()
	if reference == "" || len(g.run)+len(g.published) < 2 {
		return
	}
	fmt.Fprintf(w, "\n### What beats %s\n\nEvery method that is better, with its mean; of those run here on the splits that both have, with the mean of %s on\n"+
		"these splits where they are not all. A place is one more than the number of methods run here that are better; published\n"+
		"figures (†) are of other splits and take no place.\n\n", markdown.Text(reference), markdown.Text(reference))
	markdown.Head(w, "set", "measure", markdown.Text(reference), "place", "better here", "better, published")
	var summary strings.Builder
	for _, m := range g.criteria() {
		first, sets := 0, 0
		var lost []string
		for _, set := range g.sets {
			own := g.at(set, reference)
			if own == nil || math.IsNaN(m.of(own).Mean) {
				continue
			}
			text := "–"
			if place, of := g.place(own, m); of > 1 {
				text = fmt.Sprintf("%d of %d", place, of)
				sets++
				if place == 1 {
					first++
				} else {
					lost = append(lost, markdown.Text(set)+" to "+markdown.Text(g.best(own, m).method))
				}
			}
			here, published := g.better(own, m)
			markdown.Row(w, markdown.Text(set), m.title, m.text(m.of(own).Mean), text, here, published)
		}
		if sets > 0 {
			fmt.Fprintf(&summary, "\n%s: first among the methods run here on %d of %d sets", m.title, first, sets)
			if len(lost) > 0 {
				fmt.Fprintf(&summary, "; behind on %s", strings.Join(lost, ", "))
			}
			summary.WriteString(".\n")
		}
	}
	io.WriteString(w, summary.String())
}

// best returns the method run here that leads one on its set by most.
func (g *grid) best(own *cell, m criterion) *cell {
	return slices.MaxFunc(g.rivals(own, m), func(a, b *cell) int {
		if m.paired(a, own).lead > m.paired(b, own).lead {
			return 1
		}
		return -1
	})
}

// better lists the methods that beat one on its set, the best first. A part of another
// one that does is passed over.
func (g *grid) better(own *cell, m criterion) (here, published string) {
	list := func(titles []string, text func(*cell) string) string {
		var cells []*cell
		for _, title := range titles {
			c, whole := g.at(own.set, title), g.at(own.set, g.whole(title))
			if c != nil && m.beats(c, own) && (whole == nil || c.published || !m.beats(whole, own)) {
				cells = append(cells, c)
			}
		}
		slices.SortStableFunc(cells, m.compare)
		var parts []string
		for _, c := range cells {
			parts = append(parts, markdown.Text(c.title())+" "+text(c))
		}
		if parts == nil {
			return "–"
		}
		return strings.Join(parts, "; ")
	}
	return list(g.run, func(c *cell) string {
			d := m.paired(c, own)
			text := m.scoreText(d.own)
			if d.fits < len(own.made) {
				text += fmt.Sprintf(" (%d of %d splits: against %s)", d.fits, len(own.made), m.scoreText(d.other))
			}
			return text
		}), list(g.published, func(c *cell) string {
			return m.text(m.of(c).Mean)
		})
}

// ranks writes the mean places of the methods run here and how often they are first.
func (g *grid) ranks(w io.Writer) {
	if len(g.run) < 2 {
		return
	}
	fmt.Fprint(w, "\n### Places among the methods run here\n\nThe mean place of a method, among those that share splits with it, and on how many sets no other is better.\n\n")
	var titles []string
	for _, m := range g.criteria() {
		titles = append(titles, m.title, "first")
	}
	markdown.Head(w, "method", titles)
	for _, title := range g.run {
		row := []string{markdown.Text(title)}
		for _, m := range g.criteria() {
			places, first, sets := 0, 0, 0
			for _, set := range g.sets {
				c := g.at(set, title)
				if c == nil {
					continue
				}
				if place, of := g.place(c, m); of > 1 {
					places, sets = places+place, sets+1
					if place == 1 {
						first++
					}
				}
			}
			if sets == 0 {
				row = append(row, "", "")
				continue
			}
			row = append(row, fmt.Sprintf("%.3g", float64(places)/float64(sets)), fmt.Sprintf("%d of %d", first, sets))
		}
		markdown.Row(w, row)
	}
}
