package main

import (
	"math/big"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
)

// shape is a workload.
type shape struct {
	name       string
	widths     []int // nodes by input
	buttresses int
	batch      int
	splines    bool // instead of Bernstein polynomials
	local      bool // whether layers take the functions that do not vanish at a point alone
	levels     int  // of a category in the place of the first input; 0 for none
}

// uniform returns the shape of d inputs of m nodes, 20 buttresses, 512 rows.
func uniform(m, d int) shape {
	s := shape{buttresses: 20, batch: 512}
	for range d {
		s.widths = append(s.widths, m)
	}
	return s
}

// splines returns the shape of nine splines of m nodes.
func splines(m int, local bool) shape {
	s := uniform(m, 9)
	s.splines, s.local = true, local
	return s
}

func (s shape) surface() *surface.Surface { return s.surfaceOf(surface.Whole) }

// surfaceOf returns the surface of one group, which has those buttresses.
func (s shape) surfaceOf(part surface.Part) *surface.Surface {
	g := surface.Group{Part: part}
	for input, m := range s.widths {
		g.Bases = append(g.Bases, s.basis(input, m))
	}
	var supports []int
	if s.local {
		supports = surface.Supports(g.Bases)
	}
	var err error
	if g.Ensemble, err = buttress.New(s.widths, supports, orderings(len(s.widths), s.buttresses)); err != nil {
		panic(err) // the shapes are ours
	}
	f, err := surface.New(g)
	if err != nil {
		panic(err)
	}
	return f
}

func (s shape) basis(input, m int) (b basis.Basis) {
	var err error
	switch {
	case input == 0 && s.levels > 0:
		b, err = basis.NewIndicator(m)
	case s.splines:
		b, err = basis.NewSpline(m)
	default:
		b, err = basis.NewBernstein(m - 1)
	}
	if err != nil {
		panic(err)
	}
	return b
}

// coordinate returns an input of point p.
func (s shape) coordinate(p, input int) float32 {
	t := coordinate(p, input)
	if input == 0 && s.levels > 0 {
		return float32(int(t * float32(s.levels)))
	}
	return t
}

// orderings returns r orderings by a formula: ordering k steps through the inputs
// by the k-th number that has no divisor in common with d.
func orderings(d, r int) [][]int {
	var all [][]int
	for step := 1; len(all) < r; step++ {
		if new(big.Int).GCD(nil, nil, big.NewInt(int64(step)), big.NewInt(int64(d))).Int64() > 1 {
			continue
		}
		ordering := make([]int, d)
		for g := range ordering {
			ordering[g] = g * step % d
		}
		all = append(all, ordering)
	}
	return all
}

// flops returns the floating-point operations of one pass of the batch through
// the layers' products: two a weight and point. Forward is one pass, backward two.
func (s shape) flops() float64 {
	var weights float64
	for _, ordering := range orderings(len(s.widths), s.buttresses) {
		rows := 1
		for _, input := range ordering {
			weights += float64(rows * s.widths[input])
			rows = s.widths[input]
		}
	}
	return 2 * weights * float64(s.batch)
}
