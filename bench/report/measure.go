package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"beziergp/bench/record"
	"beziergp/internal/cli/size"
)

// measure is one of the things that tables show.
type measure struct {
	name, title string
	of          func(*cell) Stat
	text        func(v float64) string
	// best is −1 where small values are good, 1 where large ones are, 0 where there is
	// no contest.
	best int
}

func measures() []measure {
	return []measure{
		{"rmse", "RMSE", func(c *cell) Stat { return c.rmse }, number, -1},
		{"ll", "Log-likelihood of a test row", func(c *cell) Stat { return Stat{-c.nlpd.Mean, c.nlpd.SD} }, number, 1},
		{"crps", "CRPS", func(c *cell) Stat { return c.crps }, number, -1},
		{"coverage95", "Share of test rows in their 95 % interval", func(c *cell) Stat { return c.coverage }, share, 0},
		{"conformal95", "Share of test rows in their conformal interval", func(c *cell) Stat { return c.conformal }, share, 0},
		{"fit_seconds", "Seconds to fit", func(c *cell) Stat { return c.fit }, number, 0},
		{"predict_seconds", "Seconds to predict and score", func(c *cell) Stat { return c.predict }, number, 0},
		{"peak_memory", "Peak memory of the fit", func(c *cell) Stat { return c.memory }, memory, 0},
	}
}

// contest is a measure that methods are compared by, and its score of a fit.
type contest struct {
	measure
	score func(record.Record) *float64
}

func contests() []contest {
	all := measures()
	return []contest{
		{all[0], func(r record.Record) *float64 { return r.RMSE }},
		{all[1], func(r record.Record) *float64 { return r.NLPD }},
		{all[2], func(r record.Record) *float64 { return r.CRPS }},
	}
}

// beats tells whether a is better than b in the mean over the splits and seeds that
// both have, or in the mean that is published.
func (m contest) beats(a, b *cell) bool {
	if a.published {
		return !a.otherUnits && m.compare(a, b) < 0 && !math.IsNaN(m.of(b).Mean)
	}
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
	gain := 0.0 // all scores are good where they are small
	for _, r := range a.made {
		if v, ok := others[fit{r.Split, r.Seed}]; ok && m.score(r) != nil {
			gain += v - *m.score(r)
		}
	}
	return gain > 0
}

func number(v float64) string { return minus(fmt.Sprintf("%.4g", v)) }

func deviation(v float64) string {
	if v >= 100 && v < 1e6 { // in two digits it would have an exponent
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

func share(v float64) string { return fmt.Sprintf("%.3f", v) }

func memory(v float64) string { return size.Text(int64(v)) }

// minus has negative numbers begin with the sign, which is longer than a hyphen.
func minus(text string) string {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "−" + rest
	}
	return text
}

// write returns a value as tables show it, "" where there is none.
func (m measure) write(s Stat) string {
	switch {
	case math.IsNaN(s.Mean):
		return ""
	case math.IsNaN(s.SD) || m.best == 0:
		return m.text(s.Mean)
	}
	return m.text(s.Mean) + " ± " + deviation(s.SD)
}

// compare orders cells, the better first and those without a value last.
func (m measure) compare(a, b *cell) int {
	x, y := m.of(a).Mean, m.of(b).Mean
	if math.IsNaN(x) || math.IsNaN(y) {
		return -cmp.Compare(x, y) // NaN is below all numbers
	}
	return -m.best * cmp.Compare(x, y)
}
