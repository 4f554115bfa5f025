package predictive

import "math"

// A density on the unit interval by its values at [Nodes] equidistant nodes, linear
// in between.

const cell = 1.0 / (Nodes - 1)

// Normalize divides the values of a density by their integral, so that it is one.
func Normalize(w []float64) {
	sum := -(w[0] + w[Nodes-1]) / 2
	for _, v := range w {
		sum += v
	}
	for i := range w {
		w[i] /= sum * cell
	}
}

// referenceShare is the share of the reference in a density made of a logarithm: no target
// is impossible, however few there were near it.
const referenceShare = 0.01

// FromLog turns g at the nodes into the density
//
//	w(u) = 0.01 + 0.99 exp g(u) / ∫ exp g
//
// which is not a number where g is none.
func FromLog(g []float64) {
	for k, v := range g {
		g[k] = math.Exp(v)
	}
	Normalize(g)
	for k := range g {
		g[k] = referenceShare + (1-referenceShare)*g[k]
	}
}

// place returns the cell that u is in and how far within.
func place(u float64) (i int, t float64) {
	at := min(max(u, 0), 1) / cell
	i = min(int(at), Nodes-2)
	return i, at - float64(i)
}

// DensityAt is the density at u that has these values at [Nodes] nodes.
func DensityAt(w []float64, u float64) float64 {
	if u != u {
		return u
	}
	i, t := place(u)
	return w[i] + t*(w[i+1]-w[i])
}

// masses are the integrals of w from 0 to every node.
func masses(w []float64) (m [Nodes]float64) {
	for k := range Nodes - 1 {
		m[k+1] = m[k] + cell*(w[k]+w[k+1])/2
	}
	return m
}

// MassBelow is the integral from 0 to u of the density that has these values at [Nodes] nodes:
// at most 1, and linear in the values up to there.
func MassBelow(w []float64, u float64) float64 {
	m := masses(w)
	return massBelow(w, &m, u)
}

// massBelow is the integral of w from 0 to u, m being its masses.
func massBelow(w []float64, m *[Nodes]float64, u float64) float64 {
	if u != u {
		return u
	}
	i, t := place(u)
	return min(1, m[i]+cell*t*(w[i]+t*(w[i+1]-w[i])/2))
}

// inverseMass is the u that has mass q below it.
func inverseMass(w []float64, q float64) float64 {
	left := q / cell
	for k := range Nodes - 1 {
		own := (w[k] + w[k+1]) / 2
		if left > own && k < Nodes-2 {
			left -= own
			continue
		}
		// t w₀ + t²/2 (w₁ − w₀) = left, by the form that does not cancel.
		slope := w[k+1] - w[k]
		root := math.Sqrt(max(w[k]*w[k]+2*slope*left, 0))
		return min(1, cell*(float64(k)+min(1, 2*left/(w[k]+root))))
	}
	panic("unreachable")
}
