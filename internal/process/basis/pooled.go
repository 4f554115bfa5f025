package basis

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Pool is a range of levels that share a function, from From to To−1; the zero value is none.
type Pool struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Pooled is the basis of a category of many levels, of which those of a pool share a function. Levels
// before the pool and behind it have one each, in their order:
//
//	function of level t = t − min(max(t − From, 0), To − From − 1)
type Pooled struct {
	Indicator // of the functions
	pool      Pool
}

// NewPooled returns the basis of so many functions, of which one is that of a pool of levels.
func NewPooled(functions int, pool Pool) (Pooled, error) {
	own, err := NewIndicator(functions)
	if err != nil {
		return Pooled{}, err
	}
	if pool.From < 0 || pool.From >= functions || pool.To < pool.From+2 || pool.To > MaxLevels {
		return Pooled{}, fmt.Errorf("a pool of levels %d to %d among %d functions; it has two levels at least, and one of the functions", pool.From, pool.To-1, functions)
	}
	b := Pooled{own, pool}
	if n := b.Levels(); n > MaxLevels {
		return Pooled{}, fmt.Errorf("%d levels: a category has from 1 to %d", n, MaxLevels)
	}
	return b, nil
}

// Levels returns the number of levels: coordinates are those from 0 on below it.
func (b Pooled) Levels() int { return b.levels + b.shared() }

// shared returns how many functions fewer than levels there are.
func (b Pooled) shared() int { return b.pool.To - b.pool.From - 1 }

// Function returns the function of a level.
func (b Pooled) Function(level int) int {
	return level - min(max(level-b.pool.From, 0), b.shared())
}

// First returns the first level of a function.
func (b Pooled) First(function int) int {
	if function > b.pool.From {
		return function + b.shared()
	}
	return function
}

// Spec describes the basis.
func (b Pooled) Spec() Spec { return Spec{Kind: KindPooled, Nodes: b.levels, Pool: b.pool} }

// Values sets one element a point: that of its level's function. It panics where a
// coordinate is not a level.
func (b Pooled) Values(dst, t []float32, n, ld int) {
	zero(dst, b.levels, n, ld)
	for p, level := range t[:n] {
		dst[b.function(level)*ld+p] = 1
	}
}

// LocalValues sets one value a point, and panics where Values does.
func (b Pooled) LocalValues(first []int32, values, t []float32, n, slot int) {
	b.all().LocalValues(first, values, t, n, slot)
	for p, level := range first[:n] {
		first[p] = int32(b.Function(int(level)))
	}
}

// Mean returns the share of the levels that a function has.
func (b Pooled) Mean() []float64 {
	mean := repeat(1/float64(b.Levels()), b.levels)
	mean[b.pool.From] *= float64(b.pool.To - b.pool.From)
	return mean
}

// Gram returns the diagonal matrix of Mean.
func (b Pooled) Gram() *mat.SymDense { return diagonal(b.Mean()) }

func (b Pooled) function(t float32) int { return b.Function(b.all().level(t)) }

// all returns the basis of one function a level.
func (b Pooled) all() Indicator { return Indicator{b.Levels()} }
