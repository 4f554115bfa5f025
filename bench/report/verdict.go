package report

import (
	"fmt"
	"io"
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
	fmt.Fprintf(w, "\n### What beats %s\n\nAll that is better in the mean, run here or published (†), the best first; a method without all splits does not count.\n\n", hero)
	fmt.Fprint(w, "| set | measure | "+hero+" | place here | better |\n|---|---|---|---|---|\n")
	var summary []string
	for _, m := range contests() {
		first, sets := 0, 0
		var lost []string
		for _, set := range g.sets {
			here := g.contestants(set, m)
			place := slices.IndexFunc(here, func(c *cell) bool { return c.method == hero })
			if place < 0 || len(here) < 2 {
				continue
			}
			sets++
			if place == 0 {
				first++
			} else {
				lost = append(lost, fmt.Sprintf("%s to %s", set, here[0].method))
			}
			own := here[place]
			better := slices.Clone(here[:place])
			for _, title := range g.published {
				if c := g.at(set, title); c != nil && m.compare(c, own) < 0 {
					better = append(better, c)
				}
			}
			fmt.Fprintf(w, "| %s | %s | %s | %d of %d | %s |\n", set, m.title, m.text(m.of(own).Mean), place+1, len(here), names(better, m))
		}
		if sets > 0 {
			line := fmt.Sprintf("%s: first among the methods run here on %d of %d sets", m.title, first, sets)
			if len(lost) > 0 {
				line += "; loses " + strings.Join(lost, ", ")
			}
			summary = append(summary, line)
		}
	}
	for _, line := range summary {
		fmt.Fprintf(w, "\n%s.\n", line)
	}
}

// names lists cells with their values, the best first.
func names(cells []*cell, m measure) string {
	slices.SortStableFunc(cells, m.compare)
	var parts []string
	for _, c := range cells {
		parts = append(parts, c.title()+" "+m.text(m.of(c).Mean))
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
		fmt.Fprintf(w, "| %s |", title)
		for _, m := range contests() {
			places, first, sets := 0, 0, 0
			for _, set := range g.sets {
				here := g.contestants(set, m)
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
