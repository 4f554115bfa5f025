package descent

import (
	"math"

	"beziergp/internal/simd"
)

// lines is a layer between the nodes of one input and the levels of a category: a line of
// weights a level, which shares a second moment.
type lines struct {
	*category
	nodes       int
	here, whole view      // of the weights, in use and in the whole surface
	weights     []float32 // of the whole surface, from the layer's on
	from        int       // where a line is in its level's record
	mean        []float64 // of all levels, by node
	step        simd.LineStep
	slopes      []float32 // of a chunk of columns
	// unknown is what stands in where the level is unknown, by node: the mean, or for
	// log-weights of a variance, of which the basis is squared, Σ share² exp(V). In rows that
	// is divided by Σ share², which columns have. The basis has the mean of the products of a
	// level's weights on either side, and this is the product of their means.
	unknown  []float64
	divisor  float64
	variance bool
}

// view tells where the weight of a line and a node is: the first, and how far apart.
type view struct{ at, line, node int }

// newColumns returns a layer of which levels are the columns.
func newColumns(c *category, whole []float32, at, nodes int, ordered, variance bool) *lines {
	return c.add(&lines{category: c, nodes: nodes, here: view{at, 1, c.slots}, whole: view{0, 1, len(c.all)}, weights: whole, step: simd.LineStep{Edges: simd.Edges(nodes, ordered)}, variance: variance, divisor: 1})
}

// newRows returns a layer of which levels are the rows.
func newRows(c *category, whole []float32, at, nodes int, ordered, variance bool) *lines {
	return c.add(&lines{category: c, nodes: nodes, here: view{at, nodes, 1}, whole: view{0, nodes, 1}, weights: whole, step: simd.LineStep{Edges: simd.Edges(nodes, ordered)}, variance: variance, divisor: c.squares})
}

// start copies the weights to the category's table.
func (l *lines) start() {
	n := l.nodes
	l.mean, l.slopes = make([]float64, n), make([]float32, chunk*n)
	l.step.Place, l.step.Center, l.step.Moved = l.from, make([]float32, n), make([]float32, n)
	l.step.Beta2, l.step.Epsilon = levelBeta2, levelEpsilon
	l.unknown = l.mean
	if l.variance {
		l.unknown = make([]float64, n)
	}
	for i := range l.all {
		own, share := l.line(int32(i)), float64(l.all[i].share)
		for k := range own {
			own[k] = l.weights[i*l.whole.line+k*l.whole.node]
			l.mean[k] += share * float64(own[k])
			if l.variance {
				l.unknown[k] += square(share) * math.Exp(float64(own[k]))
			}
		}
	}
}

func square(v float64) float64 { return v * v }

// line returns a level's weights.
func (l *lines) line(level int32) []float32 {
	return l.table.Record(level)[l.from : l.from+l.nodes]
}

// load brings in the lines of count levels in use from one on; spare is overwritten.
func (l *lines) load(params []float32, from, count int, spare []float32) {
	to := params[l.here.at+from*l.here.line:]
	if l.here.node == 1 {
		l.table.Load(to, l.from, l.nodes, from, count)
		return
	}
	l.table.Load(spare, l.from, l.nodes, from, count)
	simd.Transpose(to, spare, count, l.nodes, l.here.node, l.nodes)
}

// loadUnknown brings in what stands in for unknown levels.
func (l *lines) loadUnknown(params []float32) {
	to := params[l.here.at+(l.slots-1)*l.here.line:]
	for i, w := range l.unknown {
		if l.variance {
			w = math.Log(w / l.divisor)
		}
		to[i*l.here.node] = float32(w)
	}
}

// move moves the lines of the levels in use. Those that are not have no gradient but the
// penalty's, which counts for all steps since the last when a level is in use again: the
// lines are shrunk to their mean, and neighbours in a line to each other.
func (l *lines) move(gradient []float32, rate float64) {
	n := l.nodes
	for i, w := range l.mean {
		l.step.Center[i] = float32(w)
	}
	clear(l.step.Moved)
	l.step.Rate = float32(levelRate * rate)
	gradient = gradient[l.here.at:][:l.slots*n]
	for from := 0; from < len(l.levels); from += chunk {
		to := min(from+chunk, len(l.levels))
		l.step.From, l.step.Lines = from, l.own[from:to]
		l.step.Gradient = gradient[from*l.here.line:]
		if l.here.node != 1 {
			simd.Transpose(l.slopes, l.step.Gradient, n, to-from, n, l.here.node)
			l.step.Gradient = l.slopes
		}
		l.smooth(from, to)
		l.countVariance(from, to, -1)
		l.table.Move(&l.step)
		l.countVariance(from, to, 1)
	}
	for i, v := range l.step.Moved {
		l.mean[i] += float64(v)
	}
	if l.here.node != 1 || l.unknowns {
		clear(gradient)
	}
}

// countVariance adds lines of levels in use to what stands in for unknown levels, or takes
// them from it.
func (l *lines) countVariance(from, to int, sign float64) {
	if !l.variance {
		return
	}
	for slot := from; slot < to; slot++ {
		squared := sign * square(float64(l.own[slot].Share))
		for i, w := range l.line(l.levels[slot]) {
			l.unknown[i] += squared * math.Exp(float64(w))
		}
	}
}

// end writes the lines to the whole surface.
func (l *lines) end() {
	l.fill()
	for level := range l.all {
		for i, w := range l.line(int32(level)) {
			l.weights[level*l.whole.line+i*l.whole.node] = w
		}
	}
}
