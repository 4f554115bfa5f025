package surface

import "beziergp/internal/simd"

// tilePoints returns the number of points that go through the buttresses
// together. Points along lanes spread the cost of a call, and weights are fetched
// anew for each tile; but bases and states of all layers are to stay in cache:
// where layers are narrow, and so do little with what they fetch, in a core's own,
// or else in the one that cores share. The numbers are measured.
func tilePoints(groups []group) int {
	return pointsInCache(2*rows(groups), narrow(groups))
}

// evaluatedPoints is the number for an evaluator, which has the bases of one group at a time,
// and of most models those of the mean alone.
func evaluatedPoints(groups []group) int {
	most := 0
	for g, own := range groups {
		n := rows(groups[g : g+1])
		if own.HasVariance() {
			n *= 2
		}
		most = max(most, n)
	}
	return pointsInCache(most, narrow(groups))
}

// pointsInCache returns how many points that have so many values each stay in cache.
func pointsInCache(values int, narrow bool) int {
	most, fewest, cacheBytes := 128, 32, 6<<20
	if narrow {
		most = 256
		if simd.Sweeps() {
			cacheBytes = 512 << 10
		}
	}
	return fitting(most, fewest, values, cacheBytes)
}

// fitting returns how many points that have so many values each fit in a memory: most of them,
// or a half, a quarter and so on, but never less than the fewest.
func fitting(most, fewest, values, bytes int) int {
	for most > fewest && float32Bytes*values*most > bytes {
		most /= 2
	}
	return most
}

// sizes are the numbers of points that tiles of an evaluator have room for, from the
// smallest on: where points are few, their values lie close together.
const sizes = 3

// tileFor returns which of the sizes is for n points, and how many it has room for.
func (s *Surface) tileFor(n int) (size, points int) {
	const few = 16
	switch {
	case n <= 1:
		return 0, 1
	case n <= few:
		return 1, few
	}
	return 2, s.evaluated
}

// keepBytes is the memory up to which the states of buttresses at tiles are
// kept from the forward passes to the backward passes; beyond it states are computed
// again, which costs a third more arithmetic but less memory. Measured.
const keepBytes = 8 << 20

// KeptTiles returns at how many tiles the states of so many of the buttresses are best kept.
func (s *Surface) KeptTiles(buttresses int) int {
	bytes, all := 0, 0
	for _, g := range s.groups {
		bytes += float32Bytes * rows([]group{g}) * s.tile * g.Ensemble.Buttresses()
		all += g.Ensemble.Buttresses()
	}
	return keepBytes * all / (bytes * buttresses)
}

// KeepsPasses tells whether the states of so many of the buttresses at a tile are best kept.
func (s *Surface) KeepsPasses(buttresses int) bool { return s.KeptTiles(buttresses) > 0 }

// rows returns the rows of a tile that all inputs take.
func rows(groups []group) int {
	sum := 0
	for _, g := range groups {
		sum += g.Ensemble.Rows()
	}
	return sum
}

// narrow tells whether inputs have few nodes on average. Memory then costs more
// than arithmetic.
func narrow(groups []group) bool {
	return rows(groups) <= 8*len(groups)*len(groups[0].Bases)
}

const float32Bytes = 4

// grown returns a slice of at least n elements: s, or new memory where s is shorter.
func grown(s []float32, n int) []float32 {
	if len(s) < n {
		return make([]float32, n)
	}
	return s
}
