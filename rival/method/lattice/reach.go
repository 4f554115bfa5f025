package lattice

import (
	"math"
	"slices"
)

// Reach finds the row of A that another row would have: one that is not of the lattice.
// The lattice gets the vertices of that row's simplex that it lacks, for this row
// alone. They come after all others in every factor L_j, so that nothing changes for the
// rows of the lattice: the row of A is a row of its own covariance with them, and has
// entries at vertices of the lattice and at its own new ones. For a row of the lattice
// it is that row of A.
//
// A Reach is for one goroutine.
type Reach struct {
	// At and Weight are the entries at vertices of the lattice; Own is the sum of the
	// squares of those at new ones.
	At     []int32
	Weight []float64
	Own    float64

	lattice   *Lattice
	y         []float64
	place     place
	key       []int32
	from, to  sparse
	fresh     []fresh
	ownFrom   []float64 // entries at new vertices, before and after a factor
	ownTo     []float64
	ownFactor []float64 // diagonals of L_j at them
}

// fresh is a vertex that the lattice lacks.
type fresh struct {
	key  []int32
	hash uint64
}

// sparse is a vector over the vertices.
type sparse struct {
	value []float64
	held  []bool
	list  []int32
}

func (s *sparse) add(v int32, x float64) {
	if !s.held[v] {
		s.held[v] = true
		s.list = append(s.list, v)
	}
	s.value[v] += x
}

func (s *sparse) clear() {
	for _, v := range s.list {
		s.value[v], s.held[v] = 0, false
	}
	s.list = s.list[:0]
}

// Reach returns one.
func (l *Lattice) Reach() *Reach {
	r := &Reach{lattice: l, y: make([]float64, l.side), key: make([]int32, l.side)}
	r.place = place{make([]int32, l.side), make([]int16, l.side), make([]float64, l.side)}
	for _, s := range []*sparse{&r.from, &r.to} {
		s.value, s.held = make([]float64, l.Vertices()), make([]bool, l.Vertices())
	}
	return r
}

// Set finds the entries of a row x [d], divided by the lengthscales. One too far off to
// have a place has a variance of 1 and no covariance.
func (r *Reach) Set(x []float64) {
	l := r.lattice
	r.At, r.Weight, r.Own = r.At[:0], r.Weight[:0], l.stencil.Norm
	embed(r.y, x, l.stencil.Scale)
	if !r.place.locate(r.y) {
		return
	}
	r.corners()
	for j := range l.side {
		r.stage(j)
		r.from, r.to = r.to, r.from
		r.ownFrom, r.ownTo = r.ownTo, r.ownFrom
		r.to.clear()
	}
	for _, v := range r.from.list {
		r.At, r.Weight = append(r.At, v), append(r.Weight, r.from.value[v])
	}
	r.from.clear()
	r.Own = 0
	for _, s := range r.ownFrom {
		r.Own += s * s
	}
}

// corners sets the vector to the row of W.
func (r *Reach) corners() {
	r.fresh, r.ownFrom = r.fresh[:0], r.ownFrom[:0]
	r.lattice.vertices.corners(r.place, r.key, func(k int, h uint64) {
		w := r.place.weight[k]
		if v := r.lattice.vertices.find(r.key, h); v >= 0 {
			r.from.add(v, w)
			return
		}
		r.fresh = append(r.fresh, fresh{slices.Clone(r.key), h})
		r.ownFrom = append(r.ownFrom, w)
	})
	r.ownTo = append(r.ownTo[:0], r.ownFrom...)
	r.ownFactor = append(r.ownFactor[:0], r.ownFrom...)
}

// stage multiplies by L_j from the right.
func (r *Reach) stage(j int) {
	l := r.lattice
	chain, s := l.chain(j), l.stencil
	for _, v := range r.from.list {
		at, x := chain[v], r.from.value[v]
		r.to.add(v, x*s.diag[at.depth])
		if at.before >= 0 {
			r.to.add(at.before, x*s.below[at.depth])
		}
	}
	clear(r.ownTo)
	for a, x := range r.ownFrom {
		square := r.behind(j, a, x) + r.ahead(j, a, x)
		r.ownFactor[a] = math.Sqrt(1 - square)
		r.ownTo[a] += x * r.ownFactor[a]
	}
}

// behind adds x times the entries of the new vertex a's row of L_j at the vertices
// before it, and returns the sum of their squares. There a chain of the lattice ends,
// or another new vertex, the last of its own.
func (r *Reach) behind(j, a int, x float64) float64 {
	v, other := r.neighbour(j, a, false)
	if v < 0 {
		return r.beside(a, other, x)
	}
	s := r.lattice.stencil
	w := s.Tap / s.diag[r.lattice.chain(j)[v].depth]
	r.to.add(v, x*w)
	return w * w
}

// ahead is behind for the vertices after it: where a chain of the lattice begins there,
// the entries run along it.
func (r *Reach) ahead(j, a int, x float64) (square float64) {
	v, other := r.neighbour(j, a, true)
	if v < 0 {
		return r.beside(a, other, x)
	}
	chain, s := r.lattice.chain(j), r.lattice.stencil
	const nothing = 1e-18
	for w := s.Tap; math.Abs(w) > nothing; {
		r.to.add(v, x*w)
		square += w * w
		if v = chain[v].after; v < 0 {
			break
		}
		w *= -s.below[chain[v].depth] / s.diag[chain[v].depth]
	}
	return square
}

// beside is behind for a new vertex other.
func (r *Reach) beside(a, other int, x float64) float64 {
	if other < 0 || other >= a {
		return 0 // there is none, or it comes after a and has the entry itself
	}
	w := r.lattice.stencil.Tap / r.ownFactor[other]
	r.ownTo[other] += x * w
	return w * w
}

// neighbour returns the vertex of the lattice one step from the new vertex a, or −1, and
// the new one there, or −1.
func (r *Reach) neighbour(j, a int, forward bool) (v int32, other int) {
	copy(r.key, r.fresh[a].key)
	h := r.lattice.vertices.step(r.key, r.fresh[a].hash, j, forward)
	if v = r.lattice.vertices.find(r.key, h); v >= 0 {
		return v, -1
	}
	d := r.lattice.side - 1
	return -1, slices.IndexFunc(r.fresh, func(f fresh) bool { return f.hash == h && equal(f.key, r.key[:d]) })
}
