package auto

import (
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
)

// Plans keep to times on a reference core, so that they depend on the table and not on the
// machine: one of about 120 GFLOP/s. In nanoseconds; measured (docs/performance.md).
const (
	weightTime = 0.06 // of a row by a weight of a layer of all nodes, forward and backward
	layerTime  = 2    // of a row by such a layer, beside its weights
	blockTime  = 12   // of a row by a local layer
	levelTime  = 4    // of a row by a layer between two categories
	edgeTime   = 0.9  // of a row by a node of a layer beside a category
	lackTime   = 210  // of a number that a row lacks, in the layers on both sides of it
	spreadTime = 13   // the same by a node
	outputTime = 1    // of a row by an output of an ordering, beside its weights
	lossTime   = 20   // of a row by an output's loss
	moveTime   = 0.6  // of moving a weight, once a step
	fetchTime  = 2    // the same of a weight beyond those that caches hold
	singleTime = 1.2  // of moving a weight beside a category, which has a second moment of its own
	pairTime   = 25   // of moving a row's weight of a layer between two large categories
	farTime    = 130  // the same where caches do not hold these layers
	cached     = 1e6  // weights
	cachedFar  = 2e6  // those of layers between large categories
	// localNodes is the number of nodes beyond which layers of splines are local.
	localNodes = 12
)

// cost tells what steps take on a table.
type cost struct {
	distinct []int // values of the inputs
	gaps     gaps  // what the rows lack
	batch    int
	// levels are those of categories, 0 for numbers, and outputs the processes where there are several. Both are nothing for
	// numbers as targets but by effort fast: the steps of their members are those of a table whose categories have no more levels than numbers have nodes.
	levels  []int
	outputs int
	// functions are those of categories, 0 for numbers, whatever the law. A step counts what it takes to move those of large ones.
	functions   []int
	mostOfPairs float64 // weights that a component has of layers between large categories; a member of more moves most of them seldom, and a file has them all
	movesAll    bool    // whether a step moves all weights of these layers, as it does those of variances
}

// memberCost returns what steps of members take, by a batch.
func (p plan) memberCost(batch int) cost {
	k := p.sideCost(batch)
	k.outputs, k.functions, k.mostOfPairs = p.latents, p.functions, p.mostOfPairs
	if !p.gaussian || p.countsLevels {
		k.levels = p.functions
	}
	return k
}

// sideCost returns what steps of what is learned beside members take, by a batch.
func (p plan) sideCost(batch int) cost {
	return cost{distinct: p.distinct, gaps: p.gaps, batch: batch}
}

// varianceCost returns what steps of Var f take, of inputs of so many values.
func (p plan) varianceCost(distinct []int) cost {
	k := p.sideCost(p.batch)
	k.distinct, k.functions, k.movesAll = distinct, p.functions, true
	return k
}

// of returns the time of a step of a component by one row.
func (k cost) of(c component) float64 {
	perLayer, perWeight := float64(layerTime), weightTime
	if c.isLocal() {
		perLayer, perWeight = blockTime, 0
	}
	weights := c.weights(k.distinct)
	time := perLayer*float64(len(k.distinct)*c.Orderings) + perWeight*weights + (moveTime*min(weights, cached)+fetchTime*max(0, weights-cached))/float64(k.batch)
	levels, _ := k.ofLevels(c)
	return time + levels + k.ofOutputs(c)
}

// ofLevels returns what layers beside categories take more than ones of as many nodes as numbers have: the average over all
// pairs of inputs of what is less, all weights of a layer or those that do not vanish, and whether it is these.
func (k cost) ofLevels(c component) (time float64, local bool) {
	if c.isLocal() {
		return 0, true
	}
	var counted, levels, nodes, numbers, categories float64
	for i, n := range k.levels {
		own := float64(c.nodesOf(k.distinct[i]))
		counted += square(own)
		if n > 0 {
			levels, categories = levels+float64(n), categories+1
		} else {
			nodes, numbers = nodes+own, numbers+1
		}
	}
	if categories == 0 {
		return 0, false
	}
	d := numbers + categories
	all := layerTime + weightTime*square((levels+nodes)/d)
	mixed := (categories*categories*levelTime + numbers*numbers*layerTime + weightTime*square(nodes) + 2*categories*(numbers*levelTime+edgeTime*nodes)) / (d * d)
	return max(0, (min(all, mixed)-layerTime)*d-weightTime*counted) * float64(c.Orderings), mixed < all
}

// largeCategory is the number of functions from which on a step counts the weights beside a category.
const largeCategory = 128

// ofMoves returns what it takes of a row to move the weights beside large categories, beyond what is counted: all weights of a layer
// to a number, unless [cost.ofLevels] counts these layers, and of one to a category, where it is as large as [descent.IsSparse] tells,
// a weight of the row.
func (k cost) ofMoves(c component) float64 { return k.moves(c, largeCategory, k.levels == nil) }

// moves returns the same beside categories of so many functions at least, with the weights of layers to numbers or without.
func (k cost) moves(c component, least int, numbers bool) float64 {
	all, pairs, ofPairs := k.beside(c, least, numbers)
	near := 1 / max(1, ofPairs/cachedFar)
	return singleTime*all/float64(k.batch) + pairs*(near*pairTime+(1-near)*farTime)
}

// beside returns of a component how many weights are moved in every step that are not counted elsewhere, of layers beside categories of so many functions at least, how
// many layers there are between large ones, and how many weights these have.
func (k cost) beside(c component, least int, numbers bool) (all, pairs, ofPairs float64) {
	for i, from := range k.functions {
		for j, to := range k.functions {
			if i == j || max(from, to) < least {
				continue
			}
			nodes := [2]int{c.nodesOf(k.distinct[i]), c.nodesOf(k.distinct[j])}
			counted := float64(nodes[0] * nodes[1])
			for at, n := range [2]int{from, to} {
				if n > 0 {
					nodes[at] = n
				}
			}
			switch weights := nodes[0] * nodes[1]; {
			case from > 0 && to > 0 && !k.movesAll && descent.IsSparse(weights, k.batch):
				pairs, ofPairs = pairs+1, ofPairs+float64(weights)
			case numbers:
				all += max(0, float64(weights)-counted)
			}
		}
	}
	// In an ordering two of d inputs are beside each other, in an order, with the probability of 1/d.
	layers := float64(c.Orderings) / float64(max(1, len(k.functions)))
	return layers * all, layers * pairs, layers * ofPairs
}

// ofOutputs returns what several outputs take.
func (k cost) ofOutputs(c component) float64 {
	if k.outputs < 2 {
		return 0
	}
	last := weightTime * float64(c.Nodes)
	if c.isLocal() {
		last = 4 * edgeTime
	}
	return float64(k.outputs) * (float64(c.Orderings)*(last+outputTime) + lossTime)
}

// within returns the component with fewer nodes, and then fewer orderings, so that
// a row takes no more than the most time allowed, if it can, and layers between large categories have no more weights than they may.
// What moves take counts where all weights move: fewer nodes save none of it.
func (k cost) within(c component, most float64) component {
	for c.Nodes > fewestNodes && k.of(c) > most {
		c.Nodes--
	}
	moves := func() float64 {
		if k.movesAll {
			return k.ofMoves(c)
		}
		return 0
	}
	for c.Orderings > fewestOrderings && (k.of(c)+moves() > most || k.weightsOfPairs(c) > k.mostOfPairs) {
		c.Orderings--
	}
	return c
}

func (k cost) weightsOfPairs(c component) float64 {
	_, _, weights := k.beside(c, largeCategory, false)
	return weights
}

// What a component keeps whatever it costs.
const (
	fewestNodes     = 4
	fewestOrderings = 4
)

// step returns the time of a step of a structure.
func (k cost) step(s structure) (sum float64) {
	for _, c := range s.beyondEffects().Components {
		row := k.of(c)
		if c.isLocal() {
			row += k.ofGaps(c)
		}
		sum += (row + k.ofMoves(c)) * float64(k.batch)
	}
	return sum
}

// slowness returns how many times as long a step of a structure takes as is counted, beside categories.
func (k cost) slowness(s structure) float64 {
	if k.functions == nil || slices.Max(k.functions) == 0 {
		return 1
	}
	var extra float64 // of a row
	for _, c := range s.beyondEffects().Components {
		switch {
		case k.levels != nil:
			extra += k.uncounted(c)
		case !c.isLocal():
			extra += k.besideNodes(c)
		}
	}
	return 1 + extra*float64(k.batch)/k.step(s)
}

// besideNodes returns what layers of a row take where categories count as nothing: a layer beside one goes by
// its blocks, as other layers do then, or by all its weights, whichever is less, and all these weights are moved.
func (k cost) besideNodes(c component) float64 {
	var with, without float64
	for i, n := range k.distinct {
		own := float64(c.nodesOf(n))
		without += own * own
		if n := k.functions[i]; n > 0 {
			own = float64(n)
		}
		with += own
	}
	d := float64(len(k.distinct))
	pairs := square(with / d)
	layer := min(layerTime+weightTime*pairs, blockTime) - layerTime
	return max(0, layer*d-weightTime*without) * float64(c.Orderings)
}

// uncounted returns what a row takes where the levels of categories count: to move the weights beside all of them, and what it lacks where
// layers are local for their sake alone.
func (k cost) uncounted(c component) float64 {
	own := k.moves(c, 1, true) - k.ofMoves(c)
	if _, local := k.ofLevels(c); local && !c.isLocal() {
		own += k.apart(c)
	}
	return own
}

// taken returns about the time of a step of a structure, categories included.
func (k cost) taken(s structure) float64 { return k.step(s) * k.slowness(s) }

// ofGaps returns what numbers that a row lacks take in local layers, where they are spread over all nodes of
// these inputs, or else over all nodes of all, whichever is less.
func (k cost) ofGaps(c component) float64 {
	return min(k.apart(c), k.gaps.rows*weightTime*c.weights(k.distinct))
}

// apart returns what they take where they are spread over all nodes of these inputs.
func (k cost) apart(c component) float64 {
	return k.gaps.values * (lackTime + spreadTime*float64(c.Nodes)) * float64(c.Orderings)
}

// isLocal tells whether layers of numbers are local.
func (c component) isLocal() bool { return c.isSpline() && c.Nodes > localNodes }

func (c component) isSpline() bool { return c.Kind == basis.KindSpline }
