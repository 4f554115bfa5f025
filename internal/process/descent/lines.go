package descent

import "math"

// lines is a layer between the nodes of one input and the levels of a category: a line of
// weights a level, which shares a second moment.
type lines struct {
	*category
	at, between, next int // of the weights here: the first, from slot to slot, from node to node
	nodes             int
	ordered           bool      // whether nodes have neighbours
	table             []float32 // [levels, nodes]
	columns           []float32 // the same by nodes, in the whole surface; nil where that is the table
	v                 []float32 // by level
	mean              []float64 // of all levels, by node
	// unknown is what stands in where the level is unknown, by node: the mean, or for
	// log-weights of a variance, of which the basis is squared, Σ share² exp(V). In rows that
	// is divided by Σ share², which columns have. The basis has the mean of the products of a
	// level's weights on either side, and this is the product of their means.
	unknown  []float64
	divisor  float64
	variance bool
}

// newColumns returns a layer of which levels are the columns.
func newColumns(c *category, whole []float32, at, nodes int, ordered, variance bool) *lines {
	n := len(c.slotOf)
	l := &lines{category: c, divisor: 1, at: at, between: 1, next: c.slots, nodes: nodes, ordered: ordered, variance: variance, columns: whole[:n*nodes], table: make([]float32, n*nodes)}
	for i := range nodes {
		for level, w := range l.columns[i*n : (i+1)*n] {
			l.table[level*nodes+i] = w
		}
	}
	return l.start()
}

// newRows returns a layer of which levels are the rows.
func newRows(c *category, whole []float32, at, nodes int, ordered, variance bool) *lines {
	l := &lines{category: c, divisor: c.squares, at: at, between: nodes, next: 1, nodes: nodes, ordered: ordered, variance: variance, table: whole[:len(c.slotOf)*nodes]}
	return l.start()
}

func (l *lines) start() *lines {
	l.v, l.mean = make([]float32, len(l.slotOf)), make([]float64, l.nodes)
	l.unknown = l.mean
	if l.variance {
		l.unknown = make([]float64, l.nodes)
	}
	for level := range l.slotOf {
		for i, w := range l.line(int32(level)) {
			l.count(int32(level), i, 0, w)
			if l.variance {
				l.unknown[i] += square(float64(l.shares[level]))
			}
		}
	}
	return l
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

func (l *lines) line(level int32) []float32 {
	from := int(level) * l.nodes
	return l.table[from : from+l.nodes]
}

// load brings in the lines of the levels in use.
func (l *lines) load(params []float32) {
	for slot, level := range l.levels {
		to := params[l.at+slot*l.between:]
		for i, w := range l.line(level) {
			to[i*l.next] = w
		}
	}
	if l.unknowns {
		to := params[l.at+(l.slots-1)*l.between:]
		for i, w := range l.unknown {
			if l.variance {
				w = math.Log(w / l.divisor)
			}
			to[i*l.next] = float32(w)
		}
	}
}

// move moves the lines of the levels in use. Those that are not have no gradient but the
// penalty's, which counts for all steps since the last when a level is in use again: the
// lines are shrunk to their mean, and neighbours in a line to each other.
func (l *lines) move(gradient []float32, rate, lambda float64) {
	for slot, level := range l.levels {
		w, own := l.line(level), gradient[l.at+slot*l.between:]
		due := float32(lambda * float64(l.since[slot]))
		var square float64
		before := w[0]
		for i, v := range w {
			slope := v - float32(l.mean[i])
			if l.ordered {
				slope += v - before
				if i+1 < len(w) {
					slope += v - w[i+1]
				}
				before = v
			}
			g := own[i*l.next] + due*slope
			own[i*l.next] = g
			square += float64(g) * float64(g)
		}
		factor := float32(secondMoment(&l.v[level], square/float64(l.nodes), l.counts[level], rate))
		for i, v := range w {
			w[i] -= factor * own[i*l.next]
			own[i*l.next] = 0
			l.count(level, i, v, w[i])
		}
	}
	if l.unknowns {
		own := gradient[l.at+(l.slots-1)*l.between:]
		for i := range l.mean {
			own[i*l.next] = 0
		}
	}
}

// end writes the lines to the whole surface.
func (l *lines) end() {
	if l.columns == nil {
		return
	}
	n := len(l.slotOf)
	for i := range l.nodes {
		for level := range n {
			l.columns[i*n+level] = l.table[level*l.nodes+i]
		}
	}
}
