package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Pair returns the second derivatives C of the sum by the factors of two inputs, [M_a, M_b]:
// for all factors of these two the sum is f_aᵀ C f_b, the others being those of f. a and b
// must differ.
//
// Every row of the block between the two layers is carried along the chain beside the
// others: the work is that of M_a passes between the layers.
func (p *Pass) Pair(f Functional, a, b int) *mat.Dense {
	if a == b {
		panic("linear: a pair of one input")
	}
	out := mat.NewDense(p.sum.widths[a], p.sum.widths[b], nil)
	for k := range p.sum.chains {
		p.pair(&p.sum.chains[k], f, a, b, out)
	}
	return out
}

func (p *Pass) pair(c *chain, f Functional, a, b int, out *mat.Dense) {
	p.forward(c, f)
	from, to := c.place(a), c.place(b)
	turned := from > to
	if turned {
		from, to = to, from
	}
	source, sink := &c.layers[from], &c.layers[to]
	suffix, suffixShift := p.after(c, f, to)
	// The rows between: row i starts as node i of the source, with what arrives there.
	rows := make([][]float64, source.cols)
	shift := make([]int, source.cols)
	for i := range rows {
		rows[i] = make([]float64, source.cols)
		rows[i][i] = p.prefix[from][i]
		shift[i] = p.shift[from]
	}
	next := make([]float64, slices.Max(p.sum.widths))
	for g := from + 1; g <= to; g++ {
		l := &c.layers[g]
		for i := range rows {
			own := next[:l.cols]
			l.forward(own, rows[i], c.w)
			shift[i] += takeExponent(own)
			rows[i] = append(rows[i][:0], own...)
			if g < to {
				for j, v := range l.factors(f) {
					rows[i][j] *= v
				}
			}
		}
	}
	for i, row := range rows {
		scale := math.Ldexp(p.sum.scale, shift[i]+suffixShift)
		for j, v := range row {
			r, q := source.stack+i, sink.stack+j
			if turned {
				r, q = q, r
			}
			out.Set(r, q, out.At(r, q)+v*suffix[j]*scale)
		}
	}
}

// after returns the derivative of a chain's sum by the states of layer g, and the exponent
// taken out of it.
func (p *Pass) after(c *chain, f Functional, g int) ([]float64, int) {
	last := len(c.layers) - 1
	suffix, spare, exponent := p.suffix[:c.layers[last].cols], p.spare, 0
	fill(suffix, 1)
	for ; last > g; last-- {
		l := &c.layers[last]
		for j, v := range l.factors(f) {
			suffix[j] *= v
		}
		next := spare[:l.rows]
		l.backward(next, suffix, c.w)
		exponent += takeExponent(next)
		suffix, spare = next, suffix[:cap(suffix)]
	}
	return suffix, exponent
}

// place returns the layer of an input.
func (c *chain) place(input int) int {
	return slices.IndexFunc(c.layers, func(l layer) bool { return l.input == input })
}
