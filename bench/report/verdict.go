package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// hero is the method that losses are told of: what a user gets without an option, or
// with the fewest of those that were run.
func (g *grid) hero() string {
	hero := ""
	for _, c := range g.all {
		auto := strings.HasPrefix(c.method, "BezierGP auto")
		if c.ours() && (hero == "" || auto && !strings.HasPrefix(hero, "BezierGP auto")) {
			hero = c.method
		}
	}
	return hero
}

// verdict writes, by set, what beats ours, run here or published.
func (g *grid) verdict(w io.Writer) {
	hero := g.hero()
	if hero == "" || len(g.run)+len(g.published) < 2 {
		return
	}
	fmt.Fprintf(w, "\n### What beats %s\n\nAll that is better in the mean, run here or published (†), the best first. A method that lacks splits has no place, and\n"+
		"is compared on those that it has.\n\n", markdown(hero))
	fmt.Fprintf(w, "| set | measure | %s | place here | better |\n|---|---|---|---|---|\n", markdown(hero))
	var summary strings.Builder
	for _, m := range contests() {
		first, sets := 0, 0
		var lost []string
		for _, set := range g.sets {
			own := g.at(set, hero)
			if own == nil || math.IsNaN(m.of(own).Mean) {
				continue
			}
			here := g.contestants(set, m.measure)
			place, text := slices.Index(here, own), "–"
			if place >= 0 {
				text = fmt.Sprintf("%d of %d", place+1, len(here))
			}
			switch {
			case place < 0 || len(here) < 2:
			case place == 0:
				first, sets = first+1, sets+1
			default:
				sets, lost = sets+1, append(lost, markdown(set)+" to "+markdown(here[0].method))
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", markdown(set), m.title, m.text(m.of(own).Mean), text, g.better(own, m))
		}
		if sets > 0 {
			fmt.Fprintf(&summary, "\n%s: first among the methods run here on %d of %d sets", m.title, first, sets)
			if len(lost) > 0 {
				fmt.Fprintf(&summary, "; loses %s", strings.Join(lost, ", "))
			}
			summary.WriteString(".\n")
		}
	}
	io.WriteString(w, summary.String())
}

// better lists the methods that beat one on its set, the best first.
func (g *grid) better(own *cell, m contest) string {
	var cells []*cell
	for _, title := range slices.Concat(g.run, g.published) {
		if c := g.at(own.set, title); c != nil && m.beats(c, own) {
			cells = append(cells, c)
		}
	}
	if cells == nil {
		return "–"
	}
	slices.SortStableFunc(cells, m.compare)
	var parts []string
	for _, c := range cells {
		parts = append(parts, markdown(c.title())+" "+m.text(m.of(c).Mean))
	}
	return strings.Join(parts, ", ")
}

// ranks writes the mean places of the methods run here and how often they are first.
func (g *grid) ranks(w io.Writer) {
	if len(g.run) < 2 {
		return
	}
	fmt.Fprint(w, "\n### Places among the methods run here\n\nThe mean place over the sets where a method has all splits, and how often it is first.\n\n| method |")
	for _, m := range contests() {
		fmt.Fprintf(w, " %s | first |", m.title)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---|", 2*len(contests())))
	for _, title := range g.run {
		fmt.Fprintf(w, "| %s |", markdown(title))
		for _, m := range contests() {
			places, first, sets := 0, 0, 0
			for _, set := range g.sets {
				here := g.contestants(set, m.measure)
				if place := slices.IndexFunc(here, func(c *cell) bool { return c.title() == title }); place >= 0 {
					places, sets = places+place+1, sets+1
					if place == 0 {
						first++
					}
				}
			}
			if sets == 0 {
				fmt.Fprint(w, " | |")
				continue
			}
			fmt.Fprintf(w, " %.3g | %d of %d |", float64(places)/float64(sets), first, sets)
		}
		fmt.Fprintln(w)
	}
}
