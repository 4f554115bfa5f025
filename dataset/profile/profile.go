// Package profile keeps what the rows looked like that a model was trained on, in a few
// hundred bytes a column: the numbers of rows in some twenty bins of every input and of the
// target, and how good the predictions were. Rows that come later are counted in the same
// bins and can be compared (package beziergp/monitor).
//
// Rows count as one each, whatever their weights.
package profile

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/box"
)

// Profile counts rows.
type Profile struct {
	Inputs  []Column // in the order of the model's inputs
	Targets []Column
	// Scores are of predictions; nil where there were none to score.
	Scores *Scores
}

// Column counts the values of a column, or of a part of a date-time, in bins.
type Column struct {
	Nodes int // of a category ([box.Input.Nodes]); 0 of a number
	// Lo and Hi are the extremes of the training rows, and Cuts values between them,
	// ascending: both of numbers alone.
	Lo, Hi float64
	Cuts   []float64
	// Counts are rows by bin. The bins of a number v are
	//
	//	v < Lo, [Lo, Cuts[0]], (Cuts[0], Cuts[1]], …, (Cuts[k−1], Hi], v > Hi
	//
	// and those of a category its nodes, rare levels sharing the last, and then all levels
	// that have none.
	Counts  []int
	Missing int // rows without a value
}

// Rows returns the number of rows counted, without a value or with one.
func (c *Column) Rows() int { return c.Known() + c.Missing }

// Known returns the number of rows with a value.
func (c *Column) Known() (n int) {
	for _, count := range c.Counts {
		n += count
	}
	return n
}

// Unseen returns the number of rows whose level the model has no node for; 0 of a number.
func (c *Column) Unseen() int {
	if c.Nodes == 0 {
		return 0
	}
	return c.Counts[c.Nodes]
}

// Beyond returns the number of rows below the lowest training value or above the highest;
// 0 of a category.
func (c *Column) Beyond() int {
	if c.Nodes > 0 {
		return 0
	}
	return c.Counts[0] + c.Counts[len(c.Counts)-1]
}

// bin returns the bin of a value that is not missing.
func (c *Column) bin(v float64) int {
	switch {
	case c.Nodes > 0:
		return min(int(v), c.Nodes)
	// As float32, which a file may have: one that was rounded to it is not beyond.
	case float32(v) < float32(c.Lo):
		return 0
	case float32(v) > float32(c.Hi):
		return len(c.Counts) - 1
	}
	at, _ := slices.BinarySearch(c.Cuts, v)
	return 1 + at
}

func (c *Column) add(v float64) {
	if v != v {
		c.Missing++
		return
	}
	c.Counts[c.bin(v)]++
}

// addAll is add for many numbers. It compares them as integers, which takes no branch that
// depends on them.
func (c *Column) addAll(values []float64) {
	const most = 32
	if len(c.Cuts) >= most {
		for _, v := range values {
			c.add(v)
		}
		return
	}
	var cuts [most]int64
	var counts [most]int
	for k := range cuts {
		cuts[k] = math.MaxInt64
		if k < len(c.Cuts) {
			cuts[k] = ordered(c.Cuts[k])
		}
	}
	for _, v := range values {
		if !(c.Lo <= v && v <= c.Hi) { // missing or beyond
			c.add(v)
			continue
		}
		key, at := ordered(v), 0
		if cuts[15] < key {
			at = 16
		}
		if cuts[(at+7)&31] < key {
			at += 8
		}
		if cuts[(at+3)&31] < key {
			at += 4
		}
		if cuts[(at+1)&31] < key {
			at += 2
		}
		if cuts[at&31] < key {
			at++
		}
		counts[at&31]++
	}
	for k, n := range counts[:len(c.Cuts)+1] {
		c.Counts[1+k] += n
	}
}

// ordered returns an integer for a number, a larger one for a larger number.
func ordered(v float64) int64 {
	bits := int64(math.Float64bits(v + 0)) // not of −0
	return bits ^ int64(uint64(bits>>63)>>1)
}

// empty returns the same bins, which hold nothing.
func (c *Column) empty() Column {
	out := *c
	out.Counts, out.Missing = make([]int, len(c.Counts)), 0
	return out
}

// Empty returns a profile of the same bins, of no rows, to count others in. Any number may
// be counted at a time, each by one goroutine.
func (p *Profile) Empty() *Profile {
	out := &Profile{}
	for i := range p.Inputs {
		out.Inputs = append(out.Inputs, p.Inputs[i].empty())
	}
	for t := range p.Targets {
		out.Targets = append(out.Targets, p.Targets[t].empty())
	}
	if p.Scores != nil {
		out.Scores = p.Scores.empty()
	}
	return out
}

// With returns the profile with scores, without where a file could not hold them: one of no
// rows, or of a target that a prediction has for impossible.
func (p *Profile) With(s *Scores) *Profile {
	out := *p
	if s.check() == nil {
		out.Scores = s
	}
	return &out
}

// AddInputs counts n rows of the columns of a box, [columns, n], whose inputs are those of
// the profile.
func (p *Profile) AddInputs(b *box.Box, columns [][]float64, n int) {
	for i := range p.Inputs {
		c, in := &p.Inputs[i], &b.Inputs[i]
		values := columns[b.Column(i)][:n]
		if c.Nodes == 0 && in.Part == "" {
			c.addAll(values)
			continue
		}
		for _, v := range values {
			c.add(in.Of(v))
		}
	}
}

// AddTarget counts a row's value of target t.
func (p *Profile) AddTarget(t int, v float64) { p.Targets[t].add(v) }

// Rows returns the number of rows whose inputs were counted.
func (p *Profile) Rows() int { return p.Inputs[0].Rows() }

// Check returns an error unless the profile is one of rows of these inputs and of so many
// targets: it may come from a file.
func (p *Profile) Check(inputs []box.Input, targets int) error {
	if len(p.Inputs) != len(inputs) || len(p.Targets) != targets || len(inputs) == 0 {
		return fmt.Errorf("the profile is of %d inputs and %d targets", len(p.Inputs), len(p.Targets))
	}
	for i := range inputs {
		c := &p.Inputs[i]
		if err := c.check(inputs[i].Nodes()); err != nil {
			return fmt.Errorf("the profile of input %.40q: %w", inputs[i].Name, err)
		}
		if c.Rows() != p.Rows() {
			return fmt.Errorf("the profile of input %.40q has %d rows, that of the first %d", inputs[i].Name, c.Rows(), p.Rows())
		}
	}
	for t := range p.Targets {
		if err := p.Targets[t].check(0); err != nil {
			return fmt.Errorf("the profile of the target: %w", err)
		}
	}
	if p.Scores != nil {
		return p.Scores.check()
	}
	return nil
}

// mostRows bounds counts: their sums are exact in float64.
const mostRows = min(1<<53, math.MaxInt)

func (c *Column) check(nodes int) error {
	if c.Nodes != nodes || len(c.Counts) != c.bins() {
		return fmt.Errorf("%d counts of %d bins", len(c.Counts), c.bins())
	}
	left := mostRows
	for _, n := range append([]int{c.Missing}, c.Counts...) {
		if n < 0 || n > left {
			return errors.New("its counts are none")
		}
		left -= n
	}
	if nodes > 0 {
		return nil
	}
	edges := append(append([]float64{c.Lo}, c.Cuts...), c.Hi)
	for i, v := range edges {
		if math.IsNaN(v) || math.IsInf(v, 0) || i > 0 && v < edges[i-1] || i > 1 && i < len(edges)-1 && v == edges[i-1] {
			return fmt.Errorf("edge %d of its bins is out of order", i+1)
		}
	}
	return nil
}

// bins returns how many there are.
func (c *Column) bins() int {
	if c.Nodes > 0 {
		return c.Nodes + 1
	}
	return len(c.Cuts) + 3
}
