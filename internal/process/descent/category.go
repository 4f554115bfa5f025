package descent

import (
	"math"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
)

// category is an input of many more levels than a mini-batch has rows. While one is in
// use the input has a node, a slot, for each level in it, and a last one that stands for
// rows whose level is unknown, which gets the average of all levels' weights.
type category struct {
	input   int
	shares  []float32 // of the levels among the rows: how they are averaged
	squares float64   // Σ shares²
	lines   []*lines
	record  int       // numbers of a level, in all lines
	table   []float32 // [levels, record]
	slots   int
	slotOf  []int32 // by level, −1 for none
	levels  []int32 // by slot that is in use
	counts  []int32 // steps that a level has been in
	last    []int32 // the last of them
	since   []int32 // by slot: steps since then, which the penalty counts for
	// corrections are those of second moments that have moved counts times, by slot.
	corrections []float64
	arrived     [fetchParts]float32
	unknowns    bool // whether a row of the mini-batch is of no known level
}

// manyLevels is how many times more levels than rows a mini-batch has make it worth while.
const manyLevels = 4

// categories returns such inputs of a surface.
func categories(s *surface.Surface, batch int) (all []*category) {
	for input, b := range s.Group(0).Bases {
		if basis.Ordered(b) || b.Nodes() <= manyLevels*batch {
			continue
		}
		n := b.Nodes()
		c := &category{input: input, slots: batch + 1, slotOf: make([]int32, n), counts: make([]int32, n), last: make([]int32, n), since: make([]int32, batch), corrections: make([]float64, batch)}
		for level := range c.slotOf {
			c.slotOf[level] = -1
			c.shares = append(c.shares, 1/float32(n))
		}
		if average := b.Spec().Average; average != nil {
			for level, v := range average {
				c.shares[level] = float32(v)
			}
		}
		for _, share := range c.shares {
			c.squares += square(float64(share))
		}
		all = append(all, c)
	}
	return all
}

// add gives a layer of lines its place in the records.
func (c *category) add(l *lines) *lines {
	l.from, c.lines = c.record, append(c.lines, l)
	c.record += l.nodes + 1
	return l
}

// start makes the table of all weights of levels. What all buttresses have of a level lies
// together, because levels are anywhere in memory.
func (c *category) start() {
	c.table = make([]float32, c.record*len(c.slotOf))
	for _, l := range c.lines {
		l.start()
	}
}

// fetch has a part of the records of the levels in use come to the processor, many of
// them at a time.
func (c *category) fetch(part int) {
	var sum float32
	for slot := part; slot < len(c.levels); slot += fetchParts {
		own := c.table[int(c.levels[slot])*c.record:][:c.record]
		for i := 0; i < len(own); i += 16 {
			sum += own[i]
		}
	}
	c.arrived[part] = sum // so that it is not left out
}

const fetchParts = 8

// take gives the levels of a mini-batch slots, in the order of its rows, and writes them
// over its coordinates.
func (c *category) take(step, inputs int, b elbo.Batch) {
	for _, level := range c.levels {
		c.slotOf[level] = -1
	}
	c.levels, c.unknowns = c.levels[:0], false
	for at := c.input; at < len(b.X); at += inputs {
		x := b.X[at]
		if x != x {
			c.unknowns = true
			b.X[at] = float32(c.slots - 1)
			continue
		}
		level := int32(x)
		if c.slotOf[level] < 0 {
			slot := len(c.levels)
			c.slotOf[level], c.levels = int32(slot), append(c.levels, level)
			c.since[slot] = int32(step) - c.last[level]
			c.last[level] = int32(step)
			c.counts[level]++
			c.corrections[slot] = 1 / (1 - math.Pow(levelBeta2, float64(c.counts[level])))
		}
		b.X[at] = float32(c.slotOf[level])
	}
}
