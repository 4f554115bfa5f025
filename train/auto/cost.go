package auto

import "beziergp/internal/process/basis"

// Plans keep to times on a reference core, so that they depend on the table and not on the
// machine: one of about 120 GFLOP/s. In nanoseconds; measured (docs/performance.md).
const (
	weightTime = 0.06 // of a row by a weight of a layer of all nodes, forward and backward
	layerTime  = 2    // of a row by such a layer, beside its weights
	blockTime  = 12   // of a row by a local layer
	moveTime   = 0.6  // of moving a weight, once a step
	fetchTime  = 2    // the same of a weight beyond those that caches hold
	cached     = 1e6  // weights
	// localNodes is the number of nodes beyond which layers of splines are local.
	localNodes = 12
)

// time returns the time of a step by one row of a batch, for inputs of so many values.
func (c component) time(distinct []int, batch int) float64 {
	perLayer, perWeight := float64(layerTime), weightTime
	if c.isLocal() {
		perLayer, perWeight = blockTime, 0
	}
	weights := c.weights(distinct)
	return perLayer*float64(len(distinct)*c.Orderings) + perWeight*weights + (moveTime*min(weights, cached)+fetchTime*max(0, weights-cached))/float64(batch)
}

// stepTime returns the time of a step of a structure by a batch. Rows that lack an input take at most
// all nodes of local layers.
func (p plan) stepTime(s structure, batch int) (sum float64) {
	for _, c := range s.Components {
		row := c.time(p.distinct, batch)
		if c.isLocal() {
			row += p.lacking * weightTime * c.weights(p.distinct)
		}
		sum += row * float64(batch)
	}
	return sum
}

// isLocal tells whether layers of numbers are local.
func (c component) isLocal() bool { return c.Kind == basis.KindSpline && c.Nodes > localNodes }

// within returns the component with fewer nodes, and then fewer orderings, so that
// a row takes no more than the most time allowed, if it can.
func (c component) within(most float64, distinct []int, batch int) component {
	for c.Nodes > fewestNodes && c.time(distinct, batch) > most {
		c.Nodes--
	}
	for c.Orderings > fewestOrderings && c.time(distinct, batch) > most {
		c.Orderings--
	}
	return c
}

// What a component keeps whatever it costs.
const (
	fewestNodes     = 4
	fewestOrderings = 4
)
