// Package lattice is the permutohedral lattice of a set of rows and the filter on it:
// a covariance that is sparse products,
//
//	K = A Aᵀ,  A = W S,  S = L_1 L_2 … L_{d+1}
//
// W [n, M] has the barycentric weights of n rows in their simplices, whose M vertices
// are all that the lattice has, and B_j = L_j L_jᵀ is the stencil along direction j: 1 on
// the diagonal and c between neighbours (Adams, Baek and Davis 2010; Kapoor, Finzi, Wang
// and Wilson 2021).
//
// On a lattice without gaps the B_j commute, and S Sᵀ is their product, the blur of the
// papers. Where vertices are missing that product is not symmetric; S Sᵀ is, and has no
// negative eigenvalue, and so it is what this package means by the kernel everywhere. B_j
// falls into chains of neighbours, so that its Cholesky factor has two diagonals and
// depends only on how far along its chain a vertex is.
package lattice

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/rival/method"
)

const errShape = "lattice: rows, columns or vertices differ in number"

// ErrFar says that a row is too many lengthscales from the origin to have a place.
var ErrFar = errors.New("lattice: a row lies more than a hundred million lengthscales off")

// SizeError says that a lattice would not fit in memory.
type SizeError struct{ Bytes int64 } // that it may have

func (e *SizeError) Error() string {
	return fmt.Sprintf("lattice: the vertices and their neighbours need more than the limit of %.1f MiB", float64(e.Bytes)/(1<<20))
}

// Lattice is that of a set of rows. It may be used by several goroutines.
type Lattice struct {
	stencil  *Stencil
	vertices *vertices
	rows     int
	side     int       // d + 1
	corner   []int32   // vertices of a row's simplex [n, d+1]
	weight   []float64 // W at them [n, d+1]
	rank     []int16   // see place [n, d+1]
	links    []link    // of the vertices [d+1, M]
	start    []int32   // where a vertex's entries begin in entries [M+1]
	entries  []int32   // of corner, by vertex: W by columns [n (d+1)]
}

// link is a vertex in its chain along a direction.
type link struct {
	before, after int32 // neighbours, or −1
	depth         int32 // how many stand before, at most depth − 1
}

// block is how many rows or vertices a worker takes at once.
const block = 2048

// bytes is what a vertex takes: a link a direction, its key, and its part of the table.
func bytes(side int) int64 { return int64(side)*(12+4) + 8 + 3*4 }

// New returns the lattice of rows x [n, d], already divided by their lengthscales, in so
// many bytes at most. It fails with [ErrFar], with a [*SizeError], and when ctx is done.
func New(ctx context.Context, workers int, x []float64, d int, s *Stencil, memory int64) (*Lattice, error) {
	n, side := len(x)/d, d+1
	if int64(n)*int64(side)*30 > memory || n*side > math.MaxInt32 {
		return nil, &SizeError{memory}
	}
	l := &Lattice{
		stencil: s, vertices: newVertices(d), rows: n, side: side,
		corner: make([]int32, n*side), weight: make([]float64, n*side), rank: make([]int16, n*side),
	}
	base := make([]int32, n*side)
	err := method.Blocks(ctx, workers, n, block, func(_, from, to int) error {
		y := make([]float64, side)
		for i := from; i < to; i++ {
			embed(y, x[i*d:(i+1)*d], s.Scale)
			if !l.place(i, base[i*side:(i+1)*side]).locate(y) {
				return ErrFar
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	key := make([]int32, side)
	for i := range n {
		corner := l.corner[i*side : (i+1)*side]
		l.vertices.corners(l.place(i, base[i*side:(i+1)*side]), key, func(k int, h uint64) {
			corner[k] = l.vertices.add(key, h)
		})
		if int64(l.Vertices())*bytes(side) > memory {
			return nil, &SizeError{memory}
		}
	}
	l.index()
	return l, l.link(ctx, workers)
}

func (l *Lattice) place(i int, base []int32) place {
	from, to := i*l.side, (i+1)*l.side
	return place{base, l.rank[from:to], l.weight[from:to]}
}

// Rows is n.
func (l *Lattice) Rows() int { return l.rows }

// Vertices is M.
func (l *Lattice) Vertices() int { return l.vertices.len() }

// index sorts W by columns.
func (l *Lattice) index() {
	l.start = make([]int32, l.Vertices()+1)
	for _, v := range l.corner {
		l.start[v+1]++
	}
	for v := range l.Vertices() {
		l.start[v+1] += l.start[v]
	}
	next := slices.Clone(l.start)
	l.entries = make([]int32, len(l.corner))
	for e, v := range l.corner {
		l.entries[next[v]] = int32(e)
		next[v]++
	}
}

// link finds the chains.
func (l *Lattice) link(ctx context.Context, workers int) error {
	m := l.Vertices()
	l.links = make([]link, m*l.side)
	return method.Share(ctx, workers, l.side, func(_, j int) error {
		chain, key := l.chain(j), make([]int32, l.side)
		for v := range chain {
			chain[v].before = -1
		}
		for v := range chain {
			copy(key, l.vertices.keys[v*l.vertices.d:(v+1)*l.vertices.d])
			h := l.vertices.step(key, l.vertices.hashes[v], j, true)
			after := l.vertices.find(key, h)
			if chain[v].after = after; after >= 0 {
				chain[after].before = int32(v)
			}
		}
		for v := range chain {
			if chain[v].before >= 0 {
				continue
			}
			for at, i := chain[v].after, int32(1); at >= 0; at, i = chain[at].after, i+1 {
				chain[at].depth = min(i, depth-1)
			}
		}
		return nil
	})
}

// chain returns the links along direction j [M].
func (l *Lattice) chain(j int) []link { return l.links[j*l.Vertices() : (j+1)*l.Vertices()] }
