package descent

import (
	"math"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// category is an input of many more levels than a mini-batch has rows, or, in one group, of
// very many steps. While one is in
// use the input has a node, a slot, for each level in it, and a last one that stands for
// rows whose level is unknown, which gets the average of all levels' weights.
type category struct {
	input int
	steps *neighbours // of steps; nil of a category's levels
	// find returns the level of a coordinate that groups with another basis take, too; nil where the coordinate is
	// the level.
	find    func(x float32) int
	all     []level
	squares float64 // Σ shares²
	lines   []*lines
	record  int           // numbers of a level, in all lines
	table   *simd.Records // of the levels
	slots   int
	last    []float32        // the indicator of the last slot
	levels  []int32          // by slot that is in use
	since   []int32          // by slot: steps since the last that it was in use for
	own     []simd.LineShare // by slot
	// corrections are those of second moments, by how often they have moved.
	corrections []float32
	arrived     []float32   // by chunk
	spare       [][]float32 // by chunk: lines of a layer
	unknowns    bool        // whether a row of the mini-batch is of no known level
}

// level is what a category knows of one.
type level struct {
	share float32 // of the rows: how levels are averaged
	slot  int32   // −1 for none
	count int32   // steps that it has been in
	last  int32   // the last of them
}

// manyLevels is how many times more levels than rows a mini-batch has make it worth while.
const manyLevels = 4

// categories returns such inputs of a surface, of every group: a category is one in all of
// them where they have its levels alike, and steps are in a group of their own.
func categories(s *surface.Surface, batch int) (all []*category, byGroup [][]*category) {
	for g := range s.Groups() {
		own := make([]*category, len(s.Group(g).Bases))
		for input, b := range s.Group(g).Bases {
			steps, isSteps := basis.Bare(b).(basis.Steps)
			levels, isCategory := basis.Bare(b).(basis.Category)
			switch alike := alike(s, input); {
			case isSteps && b.Nodes() > ManySteps:
				own[input] = newCategory(input, b, batch)
				own[input].steps, own[input].find = newNeighbours(own[input].all), steps.Interval
			case !isCategory || b.Nodes() <= manyLevels*batch:
				continue
			case alike && g > 0:
				own[input] = byGroup[0][input]
				continue
			default:
				if own[input] = newCategory(input, b, batch); !alike {
					own[input].find = func(x float32) int { return levels.Function(int(x)) }
				}
			}
			all = append(all, own[input])
		}
		byGroup = append(byGroup, own)
	}
	return all, byGroup
}

// alike tells whether all groups have as many functions of an input.
func alike(s *surface.Surface, input int) bool {
	for g := range s.Groups() {
		if s.Group(g).Bases[input].Nodes() != s.Group(0).Bases[input].Nodes() {
			return false
		}
	}
	return true
}

func newCategory(input int, b basis.Basis, batch int) *category {
	n := b.Nodes()
	c := &category{
		input: input, slots: batch + 1, all: make([]level, n), since: make([]int32, batch), own: make([]simd.LineShare, batch),
		corrections: []float32{0}, arrived: make([]float32, (batch+chunk-1)/chunk), last: make([]float32, batch+1),
	}
	c.last[batch] = 1
	average := b.Spec().Average
	for i := range c.all {
		c.all[i] = level{share: 1 / float32(n), slot: -1}
		if average != nil {
			c.all[i].share = float32(average[i])
		}
		c.squares += square(float64(c.all[i].share))
	}
	return c
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
	c.table = simd.NewRecords(len(c.all), c.record)
	most := 0
	for _, l := range c.lines {
		l.start()
		most = max(most, l.nodes)
	}
	for range c.arrived {
		c.spare = append(c.spare, make([]float32, chunk*most))
	}
}

// chunk is how many slots are brought in and moved at a time: their records are to stay in
// a core's cache.
const chunk = 64

// load brings in a chunk of the records of the levels in use, many of them at a time.
func (c *category) load(part int, params []float32) {
	from := part * chunk
	count := min(chunk, len(c.levels)-from)
	if count <= 0 && from > 0 {
		return
	}
	count = max(count, 0)
	c.arrived[part] = c.table.Fetch(from, from+count) // kept, so that it is not left out
	for _, l := range c.lines {
		l.load(params, from, count, c.spare[part])
		if from == 0 && c.unknowns {
			l.loadUnknown(params)
		}
	}
}

// take gives the levels of a mini-batch slots, in the order of its rows, and writes them
// over its coordinates.
func (c *category) take(step, inputs int, lambda float64, b elbo.Batch) {
	for _, i := range c.levels {
		c.all[i].slot = -1
	}
	c.levels, c.unknowns = c.levels[:0], false
	for at := c.input; at < len(b.X); at += inputs {
		x := b.X[at]
		if x != x {
			c.unknowns = true
			c.place(&b.X[at], c.slots-1)
			continue
		}
		i := c.levelOf(x)
		own := &c.all[i]
		if own.slot < 0 {
			slot := len(c.levels)
			c.levels = append(c.levels, int32(i))
			c.since[slot] = int32(step) - own.last
			own.slot, own.last = int32(slot), int32(step)
			own.count++
			c.own[slot] = simd.LineShare{Due: float32(lambda * float64(c.since[slot])), Correction: c.correction(own.count), Share: own.share}
		}
		c.place(&b.X[at], int(own.slot))
	}
	c.table.Choose(c.levels)
}

// levelOf returns the level of a coordinate.
func (c *category) levelOf(x float32) int {
	if c.find != nil {
		return c.find(x)
	}
	return int(x)
}

// place writes a slot over the coordinate of a level, unless it is one of other groups, too: there
// [slotBasis] finds the slot.
func (c *category) place(x *float32, slot int) {
	if c.find == nil {
		*x = float32(slot)
	}
}

// slotOf returns the slot of a row of the mini-batch by its coordinate.
func (c *category) slotOf(x float32) int {
	switch {
	case c.find == nil:
		return int(x)
	case x != x:
		return c.slots - 1
	}
	return int(c.all[c.levelOf(x)].slot)
}

// correction returns the correction of a second moment that has moved so often.
func (c *category) correction(count int32) float32 {
	for n := len(c.corrections); n <= int(count); n++ {
		c.corrections = append(c.corrections, float32(1/(1-math.Pow(levelBeta2, float64(n)))))
	}
	return c.corrections[count]
}
