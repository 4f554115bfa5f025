package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"beziergp/bench/record"
	"beziergp/metric"
)

// criterion is a measure that methods are compared by, and its score of a fit, which is
// good where it is small.
type criterion struct {
	measure
	score func(record.Record) *float64
	short string // the score's name
	// relative has leads told in percent of the other's score.
	relative bool
}

func criteria() []criterion {
	all := map[string]measure{}
	for _, m := range measures() {
		all[m.name] = m
	}
	return []criterion{
		{all["rmse"], func(r record.Record) *float64 { return r.RMSE }, "RMSE", true},
		{all["ll"], func(r record.Record) *float64 { return r.NLPD }, "NLPD", false},
		{all["crps"], func(r record.Record) *float64 { return r.CRPS }, "CRPS", true},
		{all["log_loss"], func(r record.Record) *float64 { return r.LogLoss }, "log loss", true},
		{all["deviance"], func(r record.Record) *float64 { return r.Deviance }, "deviance", true},
	}
}

// told tells whether tables show a measure, be it without a value.
func (m measure) told(cells []*cell) bool { return !m.some || m.had(cells) }

// had tells whether any cell has a value of the measure.
func (m measure) had(cells []*cell) bool {
	return slices.ContainsFunc(cells, func(c *cell) bool { return !math.IsNaN(m.of(c).Mean) })
}

// criteria returns those of the grid's targets: of classes, counts and amounts those that any
// cell has, else the usual ones.
func (g *grid) criteria() (own []criterion) {
	special := false
	for _, c := range criteria() {
		if c.told(g.all) {
			own, special = append(own, c), special || c.some
		}
	}
	return slices.DeleteFunc(own, func(c criterion) bool { return special && !c.had(g.all) })
}

// common returns how many fits two methods share on a set.
func (g *grid) common(set, own, title string) (fits int) {
	a, b := g.at(set, own), g.at(set, title)
	if a == nil || b == nil {
		return 0
	}
	for _, c := range g.criteria() {
		fits = max(fits, c.paired(a, b).fits)
	}
	return fits
}

// relatives names the criteria whose leads are told in percent.
func relatives(all []criterion) string {
	var names []string
	for _, c := range all {
		if c.relative {
			names = append(names, c.short)
		}
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// criterionOf returns the criterion over a measure, if there is one.
func criterionOf(m measure) (c criterion, ok bool) {
	for _, c := range criteria() {
		if c.name == m.name {
			return c, true
		}
	}
	return c, false
}

// comparison is a paired comparison of two methods, over the fits (a split and a seed)
// that both have. Unpaired means do not compare: splits differ by more than methods do.
type comparison struct {
	fits, wins, ties, losses int
	lead                     float64 // mean difference of the scores, above 0 where the first is better
	sd                       float64 // standard error of the lead; NaN of a single fit
	own, other               float64 // mean scores
	ratio                    float64 // test rows over training rows, on average
}

// paired compares two methods on a set.
func (m criterion) paired(a, b *cell) (d comparison) {
	type fit struct {
		split int
		seed  uint64
	}
	others := map[fit]float64{}
	for _, r := range b.made {
		if v := m.score(r); v != nil {
			others[fit{r.Split, r.Seed}] = *v
		}
	}
	var leads []float64
	for _, r := range a.made {
		other, ok := others[fit{r.Split, r.Seed}]
		own := m.score(r)
		if !ok || own == nil {
			continue
		}
		switch {
		case *own < other:
			d.wins++
		case *own > other:
			d.losses++
		default:
			d.ties++
		}
		leads = append(leads, other-*own)
		d.own, d.other, d.ratio = d.own+*own, d.other+other, d.ratio+float64(r.TestRows)/float64(max(1, r.Rows))
	}
	d.fits = len(leads)
	if d.fits > 0 {
		n := float64(d.fits)
		mean, deviation := metric.MeanSD(leads)
		d.lead, d.sd, d.own, d.other, d.ratio = mean, deviation/math.Sqrt(n), d.own/n, d.other/n, d.ratio/n
	}
	return d
}

// beats tells whether a is better than b in the mean over the fits that both have, or
// in the mean that is published.
func (m criterion) beats(a, b *cell) bool {
	if a.published {
		return !a.otherUnits && m.compare(a, b) < 0 && !math.IsNaN(m.of(b).Mean)
	}
	return m.paired(a, b).lead > 0
}

// leadText writes the lead with its standard error.
func (m criterion) leadText(d comparison) string {
	scale, unit := 1.0, ""
	if m.relative {
		scale, unit = 100/math.Abs(d.other), " %"
	}
	text := signed(scale * d.lead)
	if !math.IsNaN(d.sd) {
		text += " ± " + deviation(scale*d.sd)
	}
	return text + unit
}

// comparisonText writes the lead and how many fits are better and worse.
func (m criterion) comparisonText(d comparison) string {
	if d.fits == 0 {
		return ""
	}
	count := fmt.Sprintf("%d:%d", d.wins, d.losses)
	if d.ties > 0 {
		count += fmt.Sprintf(", %d equal", d.ties)
	}
	return fmt.Sprintf("%s (%s)", m.leadText(d), count)
}

// scoreText writes a score as tables show it.
func (m criterion) scoreText(v float64) string { return m.text(-float64(m.best) * v) }

// signed writes a number in three digits, with its sign.
func signed(v float64) string {
	text := fmt.Sprintf("%.3g", math.Abs(v))
	if strings.Contains(text, "e+") {
		text = fmt.Sprintf("%.0f", math.Abs(v))
	}
	switch {
	case v > 0:
		return "+" + text
	case v < 0:
		return "−" + text
	}
	return text
}

// rivals are the cells of a set, run here, that have a fit in common with one of it.
func (g *grid) rivals(own *cell, m criterion) (cells []*cell) {
	for _, title := range g.run {
		if c := g.at(own.set, title); c != nil && c != own && m.paired(c, own).fits > 0 {
			cells = append(cells, c)
		}
	}
	return cells
}

// place returns one more than the number of methods run here that beat one on its set,
// and one more than the number of those that it is compared with. A method of few splits
// so takes a place from those that it beats there.
func (g *grid) place(own *cell, m criterion) (place, of int) {
	place, of = 1, 1
	for _, c := range g.rivals(own, m) {
		of++
		if m.beats(c, own) {
			place++
		}
	}
	return place, of
}

// first tells whether no method run here beats one of them on its set, and there are others.
func (g *grid) first(own *cell, m criterion) bool {
	place, of := g.place(own, m)
	return place == 1 && of > 1
}
