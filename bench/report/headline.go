package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"beziergp/bench/markdown"
	"beziergp/bench/suite"
)

// headlines writes a line a suite: where ours is first, and by how much it is behind elsewhere.
func headlines(w io.Writer, reference string, grids []*grid) {
	fmt.Fprintf(w, "\n## Summary\n\n%s beside the other programs and methods of each suite, by the mean over the splits that both have; a method counts on a set\n"+
		"where it has at least half as many of these as another. A lead below 0 is how far %s is behind the best of them, in nats a row of the NLPD and else\n"+
		"in percent of the other's score, ± its standard error over the splits.\n\n", markdown.Text(reference), markdown.Text(reference))
	for _, g := range grids {
		if g.reference() != reference {
			continue
		}
		line := ""
		switch s, _ := suite.Named(g.suite); s.Varies {
		case suite.OverSeconds:
			line = g.sooner()
		case suite.OverMethods:
			line = g.headline(reference)
		}
		if line != "" {
			fmt.Fprintf(w, "- **%s**: %s\n", markdown.Text(g.suite), line)
		}
	}
}

// headline tells on how many sets ours is first by each criterion, where it is not, and what it takes; "" where nothing compares.
func (g *grid) headline(reference string) string {
	var parts []string
	for _, m := range g.criteria() {
		first, of := 0, 0
		var behind []string
		for _, set := range g.sets {
			best, lead := g.strongest(set, reference, m)
			switch {
			case best == nil:
				continue
			case lead.lead >= 0:
				first++
			default:
				behind = append(behind, fmt.Sprintf("%s %s (%s)", markdown.Text(set), m.leadText(lead), markdown.Text(best.method)))
			}
			of++
		}
		if of == 0 {
			continue
		}
		part := fmt.Sprintf("first in %s on %d of %d", m.short, first, of)
		if behind != nil {
			part += ", behind on " + strings.Join(behind, ", ")
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return ""
	}
	if seconds := g.seconds(reference); seconds != "" {
		parts = append(parts, "a fit takes "+seconds)
	}
	return strings.Join(parts, "; ") + "."
}

// strongest returns the method of others that does best beside ours on a set, and our lead over it; nil if there is none.
func (g *grid) strongest(set, reference string, m criterion) (best *cell, lead comparison) {
	own := g.at(set, reference)
	if own == nil {
		return nil, lead
	}
	others := slices.DeleteFunc(g.rivals(own, m), func(c *cell) bool { return c.ours() })
	most := 0
	for _, other := range others {
		most = max(most, m.paired(own, other).fits)
	}
	for _, other := range others {
		d := m.paired(own, other)
		// A method of few splits may have had easy ones.
		if 2*d.fits >= most && (best == nil || m.share(d) < m.share(lead)) {
			best, lead = other, d
		}
	}
	return best, lead
}

// share returns a lead in the other's score, if it is told so.
func (m criterion) share(d comparison) float64 {
	if m.relative {
		return d.lead / math.Abs(d.other)
	}
	return d.lead
}

// seconds returns the range over the sets of what a fit takes.
func (g *grid) seconds(title string) string {
	var all []float64
	busy := false
	for _, set := range g.sets {
		if c := g.at(set, title); c != nil && !math.IsNaN(c.fit.Mean) {
			all = append(all, c.fit.Mean)
			busy = busy || c.busy
		}
	}
	if len(all) == 0 {
		return ""
	}
	if lowest, highest := fmt.Sprintf("%.0f", slices.Min(all)), fmt.Sprintf("%.0f", slices.Max(all)); lowest != highest {
		return timed(lowest+" to "+highest+" s", busy)
	}
	return timed(fmt.Sprintf("%.0f s", all[0]), busy)
}

// sooner tells how many times as quick ours is as good as each method with a curve.
func (g *grid) sooner() string {
	var order []string
	sets := map[string][]string{}
	for _, r := range g.reaches() {
		if sets[r.title] == nil {
			order = append(order, r.title)
		}
		text := "never"
		if r.own != nil {
			text = r.times() + " times as quick"
		}
		sets[r.title] = append(sets[r.title], fmt.Sprintf("%s on %s", text, markdown.Text(r.set)))
	}
	var parts []string
	for _, title := range order {
		parts = append(parts, fmt.Sprintf("as good as %s %s", markdown.Text(title), strings.Join(sets[title], ", ")))
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}
