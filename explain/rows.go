package explain

import (
	"context"
	"math"

	"beziergp/box"
	"beziergp/model"
)

// Explain fills out with the rows of columns, those of [model.Model.Columns] with n values
// each. Rows in errors are counted over all blocks. The first block decides with how many
// nodes rows begin.
func (e *Explainer) Explain(ctx context.Context, columns [][]float64, out *Attributions) error {
	n := 0
	if len(columns) > 0 {
		n = len(columns[0])
	}
	d, width := e.game.d, len(e.game.layers)
	out.Columns, out.Exact, out.Nodes, out.Additivity, out.Errors = e.game.names, e.game.exact(), 0, 0, nil
	out.InBox, out.Clamped = resize(out.InBox, n), resize(out.Clamped, n)
	out.Prediction, out.Values = resize(out.Prediction, n), resize(out.Values, n*width)
	x := make([]float32, n*d)
	if err := e.box.Map(x, columns, e.options.Policy, out.InBox, e.outside); err != nil {
		return box.Offset(err, e.rows)
	}
	if err := e.game.means(ctx, x, out.Prediction); err != nil {
		return err
	}
	for row, v := range out.Prediction {
		if !isFinite(v) {
			return &model.RowError{Row: e.rows + row + 1, Err: errOverflow}
		}
	}
	if err := e.explain(ctx, x, out); err != nil {
		return err
	}
	out.Interactions = out.Interactions[:0]
	if e.options.Interactions {
		out.Interactions = resize(out.Interactions, n*pairsOf(width))
		err := e.each(ctx, x, pairsOf(width), out.Interactions, func(x, z []float32, dst []float64) error {
			return e.game.interactions(ctx, x, z, out.Nodes, dst)
		})
		if err != nil {
			return err
		}
	}
	e.finish(out)
	e.rows += n
	return nil
}

// finish turns deviations into the target's units.
func (e *Explainer) finish(out *Attributions) {
	o := e.model.Output()
	mean, sd := o.Target.Mean, o.Target.SD
	out.Base = mean + sd*e.base
	for i := range out.Values {
		out.Values[i] *= sd
	}
	for i := range out.Interactions {
		out.Interactions[i] *= sd
	}
	for row, v := range out.Prediction {
		out.Clamped[row] = o.Limits != nil && (v < o.Limits.Lo || v > o.Limits.Hi)
		out.Prediction[row] = mean + sd*v
		if out.InBox[row] || e.options.Policy != box.Flag {
			continue
		}
		out.Prediction[row], out.Clamped[row] = math.NaN(), false
		width, pairs := len(e.game.layers), 0
		if e.options.Interactions {
			pairs = pairsOf(width)
		}
		for _, own := range [][]float64{out.Values[row*width:][:width], out.Interactions[row*pairs:][:pairs]} {
			for i := range own {
				own[i] = math.NaN()
			}
		}
	}
}

// explain finds the values by as few nodes as the tolerance takes. Those of rows that do not
// add up are found again by more.
func (e *Explainer) explain(ctx context.Context, x []float32, out *Attributions) error {
	d, width := e.game.d, len(e.game.layers)
	n := len(x) / d
	if n == 0 {
		return nil
	}
	if e.nodes == 0 {
		if err := e.choose(ctx, x); err != nil {
			return err
		}
	}
	count := e.nodes
	if err := e.values(ctx, x, count, out.Values); err != nil {
		return err
	}
	off := make([]float64, n)
	var again []int
	for row := range n {
		if off[row] = e.off(out, row); off[row] > e.options.Tolerance/safety {
			again = append(again, row)
		}
	}
	for count < e.game.exact() && len(again) > 0 {
		count = min(count+1+count/4, e.game.exact())
		some, phi := make([]float32, 0, len(again)*d), make([]float64, len(again)*width)
		for _, row := range again {
			some = append(some, x[row*d:(row+1)*d]...)
		}
		if err := e.values(ctx, some, count, phi); err != nil {
			return err
		}
		var rest []int
		for i, row := range again {
			copy(out.Values[row*width:(row+1)*width], phi[i*width:])
			before := off[row]
			// What more nodes do not halve is rounding.
			if off[row] = e.off(out, row); off[row] > e.options.Tolerance/safety && off[row] < before/2 {
				rest = append(rest, row)
			}
		}
		again = rest
	}
	out.Nodes = count
	for row := range n {
		if out.InBox[row] || e.options.Policy != box.Flag {
			out.Additivity = max(out.Additivity, off[row])
		}
	}
	return nil
}

// off returns by how much the values of a row do not add up, in deviations.
func (e *Explainer) off(out *Attributions, row int) float64 {
	width := len(e.game.layers)
	sum := e.base - out.Prediction[row]
	for _, v := range out.Values[row*width : (row+1)*width] {
		sum += v
	}
	return math.Abs(sum)
}

// safety is by how much what is checked is to be below the tolerance: of a row one value may be
// further off than all together, and than those of the rows that nodes are chosen by.
const safety = 4

// chosen is the number of rows by which the number of nodes is chosen.
const chosen = 32

// choose takes the smallest number of nodes at which values and those of one node more are
// within the tolerance of each other, at rows spread over the block.
func (e *Explainer) choose(ctx context.Context, x []float32) error {
	d, width := e.game.d, len(e.game.layers)
	n := len(x) / d
	var some []float32
	for i := range min(n, chosen) {
		row := i * n / min(n, chosen)
		some = append(some, x[row*d:(row+1)*d]...)
	}
	phi, better := make([]float64, len(some)/d*width), make([]float64, len(some)/d*width)
	e.nodes = 1
	if err := e.values(ctx, some, e.nodes, phi); err != nil {
		return err
	}
	for e.nodes < e.game.exact() {
		if err := e.values(ctx, some, e.nodes+1, better); err != nil {
			return err
		}
		var largest float64
		for i, v := range better {
			largest = max(largest, math.Abs(v-phi[i]))
		}
		if largest <= e.options.Tolerance/safety {
			return nil
		}
		phi, better = better, phi
		e.nodes++
	}
	return nil
}

// values writes the Shapley values at rows x to phi, [n, columns], in deviations.
func (e *Explainer) values(ctx context.Context, x []float32, count int, phi []float64) error {
	return e.each(ctx, x, len(e.game.layers), phi, func(x, z []float32, dst []float64) error {
		return e.game.values(ctx, x, z, count, dst)
	})
}

// pairsAtOnce is how many rows, or pairs of a row and one of the background, are taken at
// once.
const pairsAtOnce = 2048

// each calls f for rows x and their background, and writes what it returns of a row, width
// values, to dst, averaged over the background.
func (e *Explainer) each(ctx context.Context, x []float32, width int, dst []float64, f func(x, z []float32, dst []float64) error) error {
	d := e.game.d
	n, rows := len(x)/d, max(1, len(e.background)/d)
	if e.background == nil {
		for from := 0; from < n; from += pairsAtOnce {
			to := min(from+pairsAtOnce, n)
			if err := f(x[from*d:to*d], nil, dst[from*width:to*width]); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	clear(dst[:n*width])
	for from := 0; from < n*rows; from += pairsAtOnce {
		to := min(from+pairsAtOnce, n*rows)
		e.pairX, e.pairZ, e.pairValues = e.pairX[:0], e.pairZ[:0], resize(e.pairValues, (to-from)*width)
		for p := from; p < to; p++ {
			e.pairX = append(e.pairX, x[p/rows*d:][:d]...)
			e.pairZ = append(e.pairZ, e.background[p%rows*d:][:d]...)
		}
		if err := f(e.pairX, e.pairZ, e.pairValues); err != nil {
			return err
		}
		for p := from; p < to; p++ {
			own := dst[p/rows*width:][:width]
			for i, v := range e.pairValues[(p-from)*width:][:width] {
				own[i] += v / float64(rows)
			}
		}
	}
	return ctx.Err()
}
