package descent

import "math"

// lines is a layer between the nodes of one input and the levels of a category: a line of
// weights a level, which shares a second moment.
type lines struct {
	*category
	nodes         int
	here, whole   view      // of the weights, in use and in the whole surface
	weights       []float32 // of the whole surface, from the layer's on
	from          int       // where a line is in its level's record
	ordered       bool      // whether nodes have neighbours
	mean          []float64 // of all levels, by node
	moved         []float32 // what a step adds to that
	center, slope []float32 // of a line: the mean when a step began, and the gradient
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
	return c.add(&lines{category: c, nodes: nodes, here: view{at, 1, c.slots}, whole: view{0, 1, len(c.slotOf)}, weights: whole, ordered: ordered, variance: variance, divisor: 1})
}

// newRows returns a layer of which levels are the rows.
func newRows(c *category, whole []float32, at, nodes int, ordered, variance bool) *lines {
	return c.add(&lines{category: c, nodes: nodes, here: view{at, nodes, 1}, whole: view{0, nodes, 1}, weights: whole, ordered: ordered, variance: variance, divisor: c.squares})
}

// start copies the weights to the category's table.
func (l *lines) start() {
	l.mean, l.moved = make([]float64, l.nodes), make([]float32, l.nodes)
	l.center, l.slope = make([]float32, l.nodes), make([]float32, l.nodes)
	l.unknown = l.mean
	if l.variance {
		l.unknown = make([]float64, l.nodes)
	}
	for level := range l.slotOf {
		own := l.line(int32(level))
		for i := range l.nodes {
			own[i] = l.weights[level*l.whole.line+i*l.whole.node]
			share := float64(l.shares[level])
			l.mean[i] += share * float64(own[i])
			if l.variance {
				l.unknown[i] += square(share) * math.Exp(float64(own[i]))
			}
		}
	}
}

func square(v float64) float64 { return v * v }

// line returns a level's weights and their second moment.
func (l *lines) line(level int32) []float32 {
	from := int(level)*l.record + l.from
	return l.table[from : from+l.nodes+1]
}

// load brings in the lines of the levels in use.
func (l *lines) load(params []float32) {
	for slot, level := range l.levels {
		own, to := l.line(level), params[l.here.at+slot*l.here.line:]
		for i, w := range own[:l.nodes] {
			to[i*l.here.node] = w
		}
	}
	if l.unknowns {
		to := params[l.here.at+(l.slots-1)*l.here.line:]
		for i, w := range l.unknown {
			if l.variance {
				w = math.Log(w / l.divisor)
			}
			to[i*l.here.node] = float32(w)
		}
	}
}

// move moves the lines of the levels in use. Those that are not have no gradient but the
// penalty's, which counts for all steps since the last when a level is in use again: the
// lines are shrunk to their mean, and neighbours in a line to each other.
func (l *lines) move(gradient []float32, rate, lambda float64) {
	n := l.nodes
	for i, w := range l.mean {
		l.center[i] = float32(w)
	}
	clear(l.moved)
	for slot, level := range l.levels {
		own, at := l.line(level), l.here.at+slot*l.here.line
		w, g := own[:n], l.slope
		for i := range g {
			from := &gradient[at+i*l.here.node]
			g[i], *from = *from, 0
		}
		if due := float32(lambda * float64(l.since[slot])); due != 0 {
			l.roughen(g, w, due)
		}
		var sum, other float32 // two, that one need not wait for the last
		for i := 1; i < len(g); i += 2 {
			sum += g[i-1] * g[i-1]
			other += g[i] * g[i]
		}
		if n%2 == 1 {
			sum += g[n-1] * g[n-1]
		}
		sum += other
		factor := float32(secondMoment(&own[n], float64(sum)/float64(n), l.corrections[slot], rate))
		share, moved := l.shares[level], l.moved[:len(w)]
		if l.variance {
			l.countVariance(w, g, factor, square(float64(share)))
		}
		for i, v := range g[:len(w)] {
			move := factor * v
			w[i] -= move
			moved[i] -= share * move
		}
	}
	for i, v := range l.moved {
		l.mean[i] += float64(v)
	}
	if l.unknowns {
		slope := gradient[l.here.at+(l.slots-1)*l.here.line:]
		for i := range n {
			slope[i*l.here.node] = 0
		}
	}
}

// countVariance moves what stands in for unknown levels, before a line moves.
func (l *lines) countVariance(w, g []float32, factor float32, squared float64) {
	for i, v := range w {
		l.unknown[i] += squared * (math.Exp(float64(v-factor*g[i])) - math.Exp(float64(v)))
	}
}

// roughen adds the penalty's gradient by a line w to its gradient.
func (l *lines) roughen(g, w []float32, lambda float32) {
	center := l.center[:len(w)]
	g = g[:len(w)]
	if !l.ordered {
		for i, v := range w {
			g[i] += lambda * (v - center[i])
		}
		return
	}
	before := float32(0)
	for i, v := range w[:len(w)-1] {
		after := w[i+1] - v
		g[i] += lambda * ((v - center[i]) + before - after)
		before = after
	}
	last := len(w) - 1
	g[last] += lambda * ((w[last] - center[last]) + before)
}

// end writes the lines to the whole surface.
func (l *lines) end() {
	for level := range l.slotOf {
		for i, w := range l.line(int32(level))[:l.nodes] {
			l.weights[level*l.whole.line+i*l.whole.node] = w
		}
	}
}
