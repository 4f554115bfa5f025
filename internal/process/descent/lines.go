package descent

import "math"

// lines is a layer between the nodes of one input and the levels of a category: a line of
// weights a level, which shares a second moment.
type lines struct {
	*category
	nodes       int
	here, whole view      // of the weights, in use and in the whole surface
	weights     []float32 // of the whole surface, from the layer's on
	from        int       // where a line is in its level's record
	ordered     bool      // whether nodes have neighbours
	seconds     []float32 // by slot
	mean        []float64 // of all levels, by node
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
	l.seconds, l.mean = make([]float32, l.slots), make([]float64, l.nodes)
	l.unknown = l.mean
	if l.variance {
		l.unknown = make([]float64, l.nodes)
	}
	for level := range l.slotOf {
		own := l.line(int32(level))
		for i := range l.nodes {
			own[i] = l.weights[level*l.whole.line+i*l.whole.node]
			l.count(int32(level), i, 0, own[i])
			if l.variance {
				l.unknown[i] += square(float64(l.shares[level]))
			}
		}
	}
}

// count moves what is counted of all levels when a weight moves.
func (l *lines) count(level int32, node int, from, to float32) {
	share := float64(l.shares[level])
	l.mean[node] += share * (float64(to) - float64(from))
	if l.variance {
		l.unknown[node] += share * share * (math.Exp(float64(to)) - math.Exp(float64(from)))
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
		l.seconds[slot] = own[l.nodes]
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
// lines are shrunk to their mean, and neighbours in a line to each other. It writes to the
// table without waiting for what is there.
func (l *lines) move(params, gradient []float32, rate, lambda float64) {
	next, n := l.here.node, l.nodes
	for slot, level := range l.levels {
		at := l.here.at + slot*l.here.line
		w, slope := params[at:], gradient[at:]
		due := float32(lambda * float64(l.since[slot]))
		var sum float32
		before := w[0]
		for i := range n {
			v := w[i*next]
			rough := v - float32(l.mean[i])
			if l.ordered {
				rough += v - before
				if i+1 < n {
					rough += v - w[(i+1)*next]
				}
				before = v
			}
			g := slope[i*next] + due*rough
			slope[i*next] = g
			sum += g * g
		}
		factor := float32(secondMoment(&l.seconds[slot], float64(sum)/float64(n), l.corrections[slot], rate))
		own := l.line(level)
		own[n] = l.seconds[slot]
		for i := range n {
			v := w[i*next]
			own[i] = v - factor*slope[i*next]
			slope[i*next] = 0
			l.count(level, i, v, own[i])
		}
	}
	if l.unknowns {
		slope := gradient[l.here.at+(l.slots-1)*l.here.line:]
		for i := range n {
			slope[i*next] = 0
		}
	}
}

// end writes the lines to the whole surface.
func (l *lines) end() {
	for level := range l.slotOf {
		for i, w := range l.line(int32(level))[:l.nodes] {
			l.weights[level*l.whole.line+i*l.whole.node] = w
		}
	}
}
