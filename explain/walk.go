package explain

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"beziergp/model"
)

// pointsAtOnce is about how many points a function is asked for at once.
const pointsAtOnce = 1 << 14

// explain writes the estimated values of the row x, where the function is end, and their errors.
func (s *Sampler) explain(ctx context.Context, x []float64, end float64, values, errs []float64) error {
	width, pairs := len(x), s.options.Permutations
	all, steps := pairs*len(s.starts), 2*(width-1) // steps of a pair lie between its ends
	block := min(max(1, pointsAtOnce/max(1, steps)), all)
	orders, points, f := make([][]int, block), columnsOf(width, block*steps), make([]float64, block*steps)
	own, mean, squares := make([]float64, width), make([]float64, width), make([]float64, width)
	clear(values)
	clear(errs)
	for from := 0; from < all; from += block {
		to := min(from+block, all)
		for p := from; p < to; p++ {
			orders[p-from] = s.permutation(p)
			s.walk(points, (p-from)*steps, x, p/pairs, orders[p-from])
		}
		if err := s.evaluate(ctx, points, f[:(to-from)*steps]); err != nil {
			return err
		}
		for p := from; p < to; p++ {
			differences(own, orders[p-from], s.starts[p/pairs], end, f[(p-from)*steps:][:steps])
			k := p % pairs // of those of a background row: Welford's recurrence
			for j, v := range own {
				if k == 0 {
					mean[j], squares[j] = 0, 0
				}
				before := v - mean[j]
				mean[j] += before / float64(k+1)
				squares[j] += before * (v - mean[j])
				if k == pairs-1 {
					values[j] += mean[j] / float64(len(s.starts))
					errs[j] += squares[j] / float64(k) / float64(pairs)
				}
			}
		}
	}
	for j, v := range errs {
		errs[j] = math.Sqrt(v) / float64(len(s.starts))
	}
	return nil
}

// permutation returns that of a pair.
func (s *Sampler) permutation(pair int) []int {
	const stream = 0x7368 // the letters "sh"
	return rand.New(rand.NewPCG(s.options.Seed, stream<<32+uint64(pair))).Perm(len(s.names))
}

// walk writes the points between background row z and x to columns from the place at on: in an
// order of the columns, and then in the reverse one.
func (s *Sampler) walk(points [][]float64, at int, x []float64, z int, order []int) {
	last := len(order) - 1
	for k, j := range order {
		forward, back := points[j][at:][:last], points[j][at+last:][:last]
		for step := range last {
			forward[step], back[step] = s.background[j][z], s.background[j][z]
			if step >= k {
				forward[step] = x[j]
			}
			if step >= last-k {
				back[step] = x[j]
			}
		}
	}
}

// differences writes what every column adds, averaged over a permutation and its reverse, to dst.
func differences(dst []float64, order []int, start, end float64, f []float64) {
	last := len(order) - 1
	clear(dst)
	add := func(between []float64, column func(k int) int) {
		before := start
		for k := range order {
			next := end
			if k < last {
				next = between[k]
			}
			dst[column(k)] += (next - before) / 2
			before = next
		}
	}
	add(f[:last], func(k int) int { return order[k] })
	add(f[last:], func(k int) int { return order[last-k] })
}

// evaluate writes the function of the first points to f.
func (s *Sampler) evaluate(ctx context.Context, points [][]float64, f []float64) error {
	if len(f) == 0 {
		return ctx.Err()
	}
	own := make([][]float64, len(points))
	for j, c := range points {
		own[j] = c[:len(f)]
	}
	if err := s.f(ctx, own, f); err != nil {
		return err
	}
	for k, v := range f {
		if !isFinite(v) {
			return &model.RowError{Row: k + 1, Err: fmt.Errorf("the prediction is %g", v)}
		}
	}
	return nil
}

// columnsOf returns columns of n numbers.
func columnsOf(width, n int) [][]float64 {
	all := make([][]float64, width)
	for j := range all {
		all[j] = make([]float64, n)
	}
	return all
}
