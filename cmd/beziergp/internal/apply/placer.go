package apply

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"beziergp/internal/splitmix"
	"beziergp/table/cell"
	"beziergp/table/exact"
)

// placer tells to which group a cell belongs: a level of a text or of a category, a truth
// value, one of few numbers, a part of many that has as many rows as the others, a day, a
// month or a year.
type placer struct {
	parse  *exact.Kind // of a file of text; nil where columns have types
	levels bool        // a category of the model, whatever it looks like

	numbers int // seen
	values  map[float64]bool
	sample  []float64
	few     []float64 // that are groups, in order
	edges   []float64 // of parts, where they are not
	first   time.Time
	last    time.Time
	layout  string // of dates
	parsed  exact.Column
	current *exact.Column
}

const (
	fewNumbers = 24 // that are groups of their own: hours, months
	parts      = 5
	sampled    = 1 << 16 // numbers that the edges of parts come from
)

// take makes cells the current ones, with their types. It returns the number of one that is
// no longer what the column was found to be, −1 where there is none.
func (p *placer) take(c *exact.Column) (bad int) {
	if p.current = c; p.parse == nil || p.levels {
		return -1
	}
	p.current = &p.parsed
	return exact.Parse(&p.parsed, *p.parse, c)
}

// look takes in the current cells before the groups are settled.
func (p *placer) look() {
	c := p.current
	for i := range c.Len() {
		switch {
		case c.IsMissing(i):
		case c.Type == exact.Number:
			p.number(c.Numbers[i])
		case c.Type == exact.Integer:
			p.number(float64(c.Integers[i]))
		case c.Type == exact.Date, c.Type == exact.Time:
			at := c.Clock(i)
			if p.first.IsZero() || at.Before(p.first) {
				p.first = at
			}
			if at.After(p.last) {
				p.last = at
			}
		}
	}
}

// number takes in a number: algorithm R of Vitter, Random sampling with a reservoir, 1985.
func (p *placer) number(v float64) {
	if p.values == nil {
		p.values = map[float64]bool{}
	}
	if len(p.values) <= fewNumbers {
		p.values[v] = true
	}
	if len(p.sample) < sampled {
		p.sample = append(p.sample, v)
	} else if at := splitmix.At(uint64(p.numbers)|1<<61) % uint64(p.numbers+1); at < sampled {
		p.sample[at] = v
	}
	p.numbers++
}

// settle finds the groups.
func (p *placer) settle() {
	if len(p.values) <= fewNumbers {
		p.few = slices.Sorted(maps.Keys(p.values))
	} else {
		slices.Sort(p.sample)
		for k := 1; k < parts; k++ {
			p.edges = append(p.edges, p.sample[k*len(p.sample)/parts])
		}
		p.edges = slices.Compact(p.edges)
	}
	p.sample = nil
	const day = 24 * time.Hour
	switch span := p.last.Sub(p.first); {
	case span <= 62*day:
		p.layout = time.DateOnly
	case span <= 5*366*day:
		p.layout = "2006-01"
	default:
		p.layout = "2006"
	}
}

// of returns the group of cell i of the current block.
func (p *placer) of(i int) group {
	c := p.current
	switch {
	case c.IsMissing(i):
		return group{lastGroup, "(missing)"}
	case p.levels || c.Type == exact.Text:
		return group{0, cell.Level(string(c.AppendText(nil, i)))}
	case c.Type == exact.Number:
		return p.part(c.Numbers[i])
	case c.Type == exact.Integer:
		return p.part(float64(c.Integers[i]))
	case c.Type == exact.Truth:
		return group{0, string(c.AppendText(nil, i))}
	}
	return group{0, c.Clock(i).Format(p.layout)}
}

// part returns the group of a number. A part begins with its lower edge and ends before the
// upper one.
func (p *placer) part(v float64) group {
	if p.edges == nil {
		at, _ := slices.BinarySearch(p.few, v)
		return group{at, cell.Canonical(v)}
	}
	at, equal := slices.BinarySearch(p.edges, v)
	if equal {
		at++
	}
	switch at {
	case 0:
		return group{at, fmt.Sprintf("below %.4g", p.edges[0])}
	case len(p.edges):
		return group{at, fmt.Sprintf("from %.4g", p.edges[at-1])}
	}
	return group{at, fmt.Sprintf("%.4g to %.4g", p.edges[at-1], p.edges[at])}
}
