package model

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/internal/simd"
)

// A box maps the same on any number of workers: coordinates, which rows lie inside, how
// many values do not, and the first value that is refused.
func TestMapperIsItsBox(t *testing.T) {
	const n = 3*mappedAtOnce + 7
	b := box.New([]box.Input{{Name: "a", Lo: 0, Hi: 1}, {Name: "b", Lo: -1, Hi: 2}})
	rng := rand.New(rand.NewPCG(1, 2))
	columns := [][]float64{make([]float64, n), make([]float64, n)}
	for row := range n {
		columns[0][row], columns[1][row] = rng.Float64(), 3*rng.Float64()-1
	}
	for _, row := range []int{5, mappedAtOnce, n - 1} {
		columns[0][row] = 2
	}
	columns[1][2*mappedAtOnce+1] = -4
	infinite := slices.Clone(columns[0])
	infinite[n-2], infinite[n-3] = math.Inf(1), math.Inf(-1)
	type result struct {
		x       []float32
		inside  []bool
		outside []int
		err     error
	}
	for name, c := range map[string]struct {
		columns [][]float64
		policy  box.Policy
	}{
		"clip": {columns, box.Clip}, "flag": {columns, box.Flag}, "refuse": {columns, box.Refuse},
		"infinite": {[][]float64{infinite, columns[1]}, box.Clip},
	} {
		mapped := func(by func([]float32, [][]float64, box.Policy, []bool, []int) error) result {
			r := result{make([]float32, 2*n), make([]bool, n), []int{3, 4}, nil}
			if r.err = by(r.x, c.columns, c.policy, r.inside, r.outside); r.err != nil {
				return result{err: r.err}
			}
			return r
		}
		want := mapped(b.Map)
		for workers := 1; workers <= 3; workers++ {
			pool := simd.NewPool(workers)
			m := newMapper(&b, pool)
			for range 2 { // as block follows block
				if got := mapped(m.Map); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %d workers map otherwise than the box, or say %v in the place of %v", name, workers, got.err, want.err)
				}
			}
			pool.Close()
		}
	}
}
