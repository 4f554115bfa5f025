package linear

import (
	"math"
	"slices"
)

// Sum is a sum over buttresses of sums over paths of products of weights and node factors,
// times a scale. It is linear in the factors of every input. It is immutable and safe for
// concurrent use.
type Sum struct {
	chains []chain
	widths []int // [d] of the stacks
	scale  float64
}

// chain is one buttress.
type chain struct {
	layers []layer
	w      []float32
}

// layer is one layer of a chain: its input, where the factors of its nodes lie in the
// input's stack, and where its weights lie.
type layer struct {
	input, stack int
	basis        int // among those of all stacks
	rows, cols   int
	at           int
}

func newChain(ordering, widths, stack []int, w []float32) chain {
	c := chain{w: w}
	rows, at := 1, 0
	for _, input := range ordering {
		l := layer{input: input, stack: stack[input], rows: rows, cols: widths[input], at: at}
		c.layers = append(c.layers, l)
		at += l.rows * l.cols
		rows = l.cols
	}
	return c
}

// factors returns the part of the node factors that belongs to the layer.
func (l *layer) factors(c Functional) []float64 { return c[l.input][l.stack : l.stack+l.cols] }

// forward writes aᵀ W to dst.
func (l *layer) forward(dst, a []float64, w []float32) {
	clear(dst)
	for i, v := range a {
		if v == 0 {
			continue // most are where functions are local
		}
		for j, weight := range w[l.at+i*l.cols:][:l.cols] {
			dst[j] += v * float64(weight)
		}
	}
}

// backward writes W b to dst.
func (l *layer) backward(dst, b []float64, w []float32) {
	lo, hi := 0, len(b)
	for lo < hi && b[lo] == 0 {
		lo++
	}
	for lo < hi && b[hi-1] == 0 {
		hi--
	}
	b = b[lo:hi]
	for i := range dst {
		var sum float64
		for j, weight := range w[l.at+i*l.cols+lo:][:len(b)] {
			sum += b[j] * float64(weight)
		}
		dst[i] = sum
	}
}

// Pass is the memory of passes along the chains of a sum. It serves one caller at a time.
type Pass struct {
	sum     *Sum
	prefix  [][]float64 // by layer: what arrives, aᵀ W
	shift   []int       // exponents taken out of it
	product []float64   // of what arrives and the factors
	suffix  []float64
	spare   []float64
}

// NewPass returns memory for passes.
func (s *Sum) NewPass() *Pass {
	widest := 1 + slices.Max(s.widths)
	p := &Pass{sum: s, shift: make([]int, len(s.widths)), product: make([]float64, widest), suffix: make([]float64, widest), spare: make([]float64, widest)}
	for range s.widths {
		p.prefix = append(p.prefix, make([]float64, widest))
	}
	return p
}

// forward leaves what arrives at every layer, and returns the sum over the last and its
// exponent.
func (p *Pass) forward(c *chain, f Functional) (float64, int) {
	p.product[0] = 1
	a, exponent := p.product[:1], 0
	for g := range c.layers {
		l := &c.layers[g]
		arrives := p.prefix[g][:l.cols]
		l.forward(arrives, a, c.w)
		exponent += takeExponent(arrives)
		p.shift[g] = exponent
		a = p.product[:l.cols]
		for j, v := range l.factors(f) {
			a[j] = arrives[j] * v
		}
	}
	var sum float64
	for _, v := range a {
		sum += v
	}
	return sum, exponent
}

// Value returns the sum for the node factors f.
func (p *Pass) Value(f Functional) float64 {
	var total float64
	for k := range p.sum.chains {
		sum, exponent := p.forward(&p.sum.chains[k], f)
		total += math.Ldexp(sum, exponent)
	}
	return total * p.sum.scale
}

// Coefficients writes the derivatives of the sum by the factors of every input to dst, of
// the shape of f: the sum is Σ_j dst[γ][j] f[γ][j] for any γ. It returns the sum.
func (p *Pass) Coefficients(f, dst Functional) float64 {
	for i := range dst {
		clear(dst[i])
	}
	var total float64
	for k := range p.sum.chains {
		c := &p.sum.chains[k]
		sum, exponent := p.forward(c, f)
		total += math.Ldexp(sum, exponent)
		last := len(c.layers) - 1
		suffix, spare := p.suffix[:c.layers[last].cols], p.spare
		fill(suffix, 1)
		exponent = 0
		for g := last; ; g-- {
			l := &c.layers[g]
			scale := math.Ldexp(p.sum.scale, p.shift[g]+exponent)
			own := dst[l.input][l.stack:]
			for j, v := range p.prefix[g][:l.cols] {
				own[j] += v * suffix[j] * scale
			}
			if g == 0 {
				break
			}
			for j, v := range l.factors(f) {
				suffix[j] *= v
			}
			next := spare[:l.rows]
			l.backward(next, suffix, c.w)
			exponent += takeExponent(next)
			suffix, spare = next, suffix[:cap(suffix)]
		}
	}
	return total * p.sum.scale
}

// NewFunctional returns zeros of the shape of node factors.
func (s *Sum) NewFunctional() Functional {
	f := make(Functional, len(s.widths))
	for i, m := range s.widths {
		f[i] = make([]float64, m)
	}
	return f
}

func fill(v []float64, x float64) {
	for i := range v {
		v[i] = x
	}
}

// takeExponent divides v by the power of two of its largest element and returns the
// exponent; 0 where that element is zero or not finite.
func takeExponent(v []float64) int {
	var top float64
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	if top == 0 || math.IsInf(top, 0) || math.IsNaN(top) {
		return 0
	}
	_, exponent := math.Frexp(top)
	// Two factors, for one may be out of range.
	half := math.Ldexp(1, -exponent/2)
	rest := math.Ldexp(1, -exponent+exponent/2)
	for i := range v {
		v[i] = v[i] * half * rest
	}
	return exponent
}
