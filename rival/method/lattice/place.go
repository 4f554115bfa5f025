package lattice

import "math"

// place is where a row lies: the simplex that holds it, and its coordinates there
// (Adams, Baek and Davis 2010, section 3).
//
// Vertices are vectors of d + 1 integers with sum 0 that are equal modulo d + 1. The
// simplex has one vertex of each remainder k = 0, …, d:
//
//	u_k = base + k − (d + 1) [rank > d − k]
type place struct {
	base   []int32   // the vertex of remainder 0 [d+1]
	rank   []int16   // of the row's coordinates less base, the largest 0 [d+1]
	weight []float64 // barycentric coordinates of u_0, …, u_d [d+1]
}

// far is the largest coordinate of a row in lattice units.
const far = 1 << 29

// embed sets y [d+1] to scale · E x, E the orthonormal basis of the plane of sum 0
// whose column i is (1, …, 1, −i, 0, …)/√(i(i+1)) with i ones.
func embed(y, x []float64, scale float64) {
	d := len(x)
	var sum float64
	for i := d; i >= 1; i-- {
		v := scale * x[i-1] / math.Sqrt(float64(i)*float64(i+1))
		y[i] = sum - float64(i)*v
		sum += v
	}
	y[0] = sum
}

// project sets x [d] to scale · Eᵀ y.
func project(x, y []float64, scale float64) {
	sum := y[0]
	for i := 1; i < len(y); i++ {
		x[i-1] = scale * (sum - float64(i)*y[i]) / math.Sqrt(float64(i)*float64(i+1))
		sum += y[i]
	}
}

// locate finds the place of y, and tells whether y is near enough to have one.
func (p place) locate(y []float64) bool {
	side := len(y)
	d := side - 1
	sum := 0
	for t, v := range y {
		if !(math.Abs(v) < far) {
			return false
		}
		nearest := math.Round(v / float64(side))
		p.base[t] = int32(nearest) * int32(side)
		sum += int(nearest)
	}
	clear(p.rank)
	for t := range d {
		own := y[t] - float64(p.base[t])
		for u := t + 1; u < side; u++ {
			if own < y[u]-float64(p.base[u]) {
				p.rank[t]++
			} else {
				p.rank[u]++
			}
		}
	}
	// Rounding may have left the plane: those nearest to a half step go the other way.
	for t := range p.rank {
		r := int(p.rank[t]) + sum
		switch {
		case r > d:
			p.base[t] -= int32(side)
			r -= side
		case r < 0:
			p.base[t] += int32(side)
			r += side
		}
		p.rank[t] = int16(r)
	}
	clear(p.weight)
	p.weight[0] = 1
	for t, v := range y {
		delta := (v - float64(p.base[t])) / float64(side)
		k := d - int(p.rank[t])
		p.weight[k] += delta
		p.weight[(k+1)%side] -= delta
	}
	return true
}

// pull adds to y [d+1] the gradient of a scalar with respect to the embedded row, given
// that with respect to the weights. Weights are linear within a simplex.
func pull(y []float64, rank []int16, weights []float64) {
	side := len(y)
	for t, r := range rank {
		k := side - 1 - int(r)
		y[t] += (weights[k] - weights[(k+1)%side]) / float64(side)
	}
}
