package explain

import (
	"context"
	"fmt"
	"math"
	"slices"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/model"
	"beziergp/table"
)

// Accumulation is the accumulated local effects (Apley & Zhu, 2020) of E f over rows that are added
// block by block. With edges z_0 < … < z_K of an input and n_k rows in (z_k−1, z_k], the first of
// these intervals with its lower end,
//
//	g(z_k) = Σ_l≤k 1/n_l Σ_rows in (z_l−1, z_l] [E f(row with the input at z_l) − E f(row with it at z_l−1)]
//
// less its mean over the rows, of which one in an interval counts as half of either edge. These
// differences are exact, and a row is asked about values near its own alone: unlike partial
// dependence they need no function where inputs that depend on each other never are. E f is linear
// in the functions of one input, so that one pass forward and one back tell them of all inputs.
//
// Inputs are those of [model.Model.Inputs], on their own scales. It serves one caller at a time;
// Close ends its workers.
type Accumulation struct {
	model   *model.Model
	policy  box.Policy
	box     box.Box
	pool    *simd.Pool
	blender *surface.Blender
	edges   [][]float64
	sums    [][]float64 // [d][K]
	counts  [][]int
	rows    int
	read    int
	outside []int
}

// NewAccumulation returns one of no rows, with ascending edges of every input; none of an input
// that is left out, as categories must be, which have no order. Workers and policy are as in
// [Options]; rows outside the box are left out under [box.Flag]. It fails with an OptionError where
// an option or an edge is wrong, and with [ErrNeighbours].
func NewAccumulation(m *model.Model, edges [][]float64, o Options) (*Accumulation, error) {
	if err := Check(m); err != nil {
		return nil, err
	}
	o, err := o.withDefaults(m)
	if err != nil {
		return nil, err
	}
	a := &Accumulation{model: m, policy: o.Policy, box: box.New(m.Inputs()), edges: edges, outside: make([]int, len(m.Inputs()))}
	if len(edges) != len(a.box.Inputs) {
		return nil, &limit.OptionError{Option: "edges", Problem: fmt.Sprintf("those of %d inputs for a model of %d", len(edges), len(a.box.Inputs))}
	}
	for i, own := range edges {
		in := &a.box.Inputs[i]
		if in.Kind == table.Category && len(own) > 0 {
			return nil, &limit.OptionError{Option: "edges", Problem: fmt.Sprintf("%q is a category, whose levels have no order", in.Name)}
		}
		for k, z := range own {
			if !isFinite(z) || k > 0 && !(own[k-1] < z) {
				return nil, &limit.OptionError{Option: "edges", Problem: fmt.Sprintf("%g of %q does not ascend", z, in.Name)}
			}
		}
		bins := max(0, len(own)-1)
		a.sums, a.counts = append(a.sums, make([]float64, bins)), append(a.counts, make([]int, bins))
	}
	a.pool = simd.NewPool(o.Workers)
	a.blender = surface.NewBlender(m.Posterior(), a.pool)
	return a, nil
}

// Edges returns edges for rows of columns, by input: quantiles of its values that share them out to
// intervals of as many rows as can be, so many at most. They lie within the input's bounds; there
// are none of a category, and of an input without a value.
func Edges(m *model.Model, columns [][]float64, intervals int, o Options) ([][]float64, error) {
	o, err := o.withDefaults(m)
	if err != nil {
		return nil, err
	}
	b := box.New(m.Inputs())
	_, at, err := mapRows(&b, columns, o.Policy, make([]int, len(b.Inputs)))
	if err != nil {
		return nil, err
	}
	edges := make([][]float64, len(b.Inputs))
	var values []float64
	for i := range b.Inputs {
		in := &b.Inputs[i]
		if in.Kind == table.Category {
			continue
		}
		values = values[:0]
		for _, row := range at {
			if v := in.Of(columns[b.Column(i)][row]); v == v {
				values = append(values, min(max(v, in.Lo), in.Hi))
			}
		}
		edges[i] = Quantiles(values, intervals)
	}
	return edges, nil
}

// Quantiles returns values that share others out to intervals of as many each as can be, so many
// at most: the lowest and the highest, and in between quantiles, in ascending order. Missing ones
// are passed over; there are none of none.
func Quantiles(values []float64, intervals int) (edges []float64) {
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	for k := 0; k <= intervals && len(sorted) > 0; k++ {
		z := sorted[k*(len(sorted)-1)/intervals]
		if n := len(edges); n == 0 || edges[n-1] < z {
			edges = append(edges, z)
		}
	}
	return edges
}

// Close ends the workers.
func (a *Accumulation) Close() { a.pool.Close() }

// Rows returns the number of rows that are averaged over.
func (a *Accumulation) Rows() int { return a.rows }

// Outside returns, by input, how many values lay outside its bounds. It must not be changed.
func (a *Accumulation) Outside() []int { return a.outside }

// Add takes in the rows of columns, those of [model.Model.Columns]. Rows in errors are counted
// over all blocks.
func (a *Accumulation) Add(ctx context.Context, columns [][]float64) error {
	x, at, err := mapRows(&a.box, columns, a.policy, a.outside)
	if err != nil {
		return box.Offset(err, a.read)
	}
	d := len(a.box.Inputs)
	from, to, dst, bins := make([]float32, len(x)), make([]float32, len(x)), make([]float64, len(x)), make([]int, len(x))
	for i := range a.box.Inputs {
		in, edges := &a.box.Inputs[i], a.edges[i]
		for k, row := range at {
			p := k*d + i
			v := in.Of(columns[a.box.Column(i)][row])
			if bins[p] = Interval(edges, v); bins[p] >= 0 {
				from[p], to[p] = in.Coordinate(edges[bins[p]]), in.Coordinate(edges[bins[p]+1])
			}
		}
	}
	if err := a.blender.Differences(ctx, x, from, to, dst); err != nil {
		return err
	}
	for p, k := range bins {
		if k >= 0 {
			a.sums[p%d][k] += dst[p]
			a.counts[p%d][k]++
		}
	}
	a.rows, a.read = a.rows+len(at), a.read+len(columns[0])
	return nil
}

// Interval returns the number of the interval between edges that a value lies in, the nearest one beyond them,
// −1 of a missing value and where there is none.
func Interval(edges []float64, v float64) int {
	if len(edges) < 2 || math.IsNaN(v) {
		return -1
	}
	k, _ := slices.BinarySearch(edges[1:], v)
	return min(k, len(edges)-2)
}

// Of returns the accumulated local effect of an input at its edges, in the target's units; its mean
// over the rows is 0. It is NaN behind an interval without rows.
func (a *Accumulation) Of(input int) []float64 {
	if len(a.edges[input]) == 0 {
		return nil
	}
	out := Accumulate(a.sums[input], a.counts[input])
	for k := range out {
		out[k] *= a.model.Target().SD
	}
	return out
}

// Accumulate returns the accumulated local effects at the edges of intervals, one more than these,
// of differences summed over the rows of each: see [Accumulation].
func Accumulate(sums []float64, counts []int) []float64 {
	out, rows, mean := make([]float64, len(sums)+1), 0, 0.0
	for k, n := range counts {
		out[k+1] = out[k] + sums[k]/float64(n)
		mean += float64(n) * (out[k] + out[k+1]) / 2
		rows += n
	}
	for k := range out {
		if rows > 0 {
			out[k] -= mean / float64(rows)
		}
	}
	return out
}
