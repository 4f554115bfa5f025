package onnx

import (
	"fmt"
	"math"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
)

// chain is a buttress without the layers of one node, whose only function is 1: their weights
// are multiplied into those of a neighbour.
type chain struct {
	layers   []layer
	constant float64 // of a chain without layers
	exponent int     // 2^exponent is still to be multiplied by
	wide     bool    // needs float64
}

// layer is one input of a chain.
type layer struct {
	input   int
	slot    int // of its basis's values among those of as many functions
	rows, m int
	weights []float64 // [rows, m]
	largest float64   // bound of Σ |basis value|
}

// part says which buttresses of a surface are exported, and of what.
type part struct {
	q        *surface.Posterior
	variance bool
	open     int // an input that stays open: the result is its functions' coefficients; −1 for none
}

// chains returns the buttresses of a surface's part.
func (p part) chains(s *stacks) ([]chain, error) {
	var all []chain
	bounds := map[basis.Basis]float64{}
	for g := range p.q.Groups() {
		group := p.q.Group(g)
		weights := p.q.Mean(p.q.Params(), g)
		if p.variance {
			weights = p.q.ExpV(g)
		}
		if len(weights) == 0 {
			continue
		}
		largest := make([]float64, len(group.Bases))
		for i, b := range group.Bases {
			var err error
			if largest[i], err = p.largest(b, bounds); err != nil {
				return nil, err
			}
		}
		for k, ordering := range group.Ensemble.Orderings() {
			c := p.fold(s, group, ordering, group.Ensemble.Weights(weights, k), largest)
			if err := c.rescale(p.open); err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// largest returns the bound of the sum of a basis's values: functions add up to one, squares
// times prior variances to what [largestSquare] says.
func (p part) largest(b basis.Basis, known map[basis.Basis]float64) (float64, error) {
	if !p.variance {
		return 1.001, nil // averages add up to one but for rounding
	}
	bare := basis.Bare(b)
	most, ok := known[bare]
	if !ok {
		var err error
		if most, err = largestSquare(bare); err != nil {
			return 0, err
		}
		known[bare] = most
	}
	return most, nil
}

// fold makes a chain of a buttress.
func (p part) fold(s *stacks, group surface.Group, ordering []int, w []float32, largest []float64) chain {
	var c chain
	pending, rows := []float64{1}, 1 // the product of layers of one node, [·, rows]; nil for the identity
	for _, input := range ordering {
		b := group.Bases[input]
		m := b.Nodes()
		product := times(pending, rows, w[:rows*m], m)
		w = w[rows*m:]
		rows = m
		if m == 1 && averaged(b).Average[0] == 1 && input != p.open {
			pending = product
			continue
		}
		l := layer{input: input, rows: len(product) / m, m: m, weights: product, largest: largest[input]}
		if input != p.open {
			l.slot = s.slot(input, b)
		}
		c.layers = append(c.layers, l)
		pending = nil
	}
	switch {
	case len(c.layers) == 0:
		c.constant = pending[0]
	case pending != nil: // a number for every node of the last layer
		last := &c.layers[len(c.layers)-1]
		for i := range last.weights {
			last.weights[i] *= pending[i%last.m]
		}
	}
	return c
}

// times returns a times w, [·, rows] and [rows, m]; a is the identity where it is nil.
func times(a []float64, rows int, w []float32, m int) []float64 {
	if a == nil {
		out := make([]float64, len(w))
		for i, v := range w {
			out[i] = float64(v)
		}
		return out
	}
	out := make([]float64, len(a)/rows*m)
	for i := range len(a) / rows {
		for k := range rows {
			for j := range m {
				out[i*m+j] += a[i*rows+k] * float64(w[k*m+j])
			}
		}
	}
	return out
}

const (
	// Layers are multiplied by powers of two where a bound of the states of a chain leaves
	// 2^±unscaled.
	unscaled = 40
	// The largest bounds, as exponents of two, at which what is lost below the smallest number
	// of float32, 2⁻¹²⁶, or of float64, 2⁻¹⁰²², is no more than 2⁻⁴⁰.
	mostNarrow, mostWide = 80, 970
)

// RangeError reports a model whose chains of products may leave the range of numbers.
type RangeError struct {
	Layers int
	Log2   float64 // of a bound of their value
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("a chain of %d layers may reach 2^%.0f, and ONNX has no way to keep its states within the range of float64: predict with the program, or fit fewer inputs", e.Layers, e.Log2)
}

// rescale multiplies the layers by constant powers of two that keep the states of the chain, and
// those from its end on, near one at their largest.
//
// Basis values are not negative and their sum is at most a bound b, so that
//
//	‖S_γ‖₁ ≤ b_γ max|W_γ| ‖S_γ−1‖₁
//
// which neither way overflows; what underflows is smaller than the bound by a factor that the
// constants of mostNarrow and mostWide say.
func (c *chain) rescale(open int) error {
	total, most, least := 0.0, 0.0, 0.0
	logs := make([]float64, len(c.layers))
	for i, l := range c.layers {
		largest := 0.0
		for _, v := range l.weights {
			largest = max(largest, math.Abs(v))
		}
		if l.input == open {
			l.largest = 1
		}
		if bound := largest * l.largest; bound > 0 {
			logs[i] = math.Log2(bound)
		}
		total += logs[i]
		most, least = max(most, total), min(least, total)
	}
	if total > mostWide || math.IsNaN(total) {
		return &RangeError{len(c.layers), total}
	}
	c.wide = total > mostNarrow
	if most < unscaled && least > -unscaled {
		return nil
	}
	total = 0
	for i := range c.layers {
		before := math.Round(total)
		total += logs[i]
		exponent := int(math.Round(total) - before)
		c.exponent += exponent
		for k := range c.layers[i].weights {
			c.layers[i].weights[k] = math.Ldexp(c.layers[i].weights[k], -exponent)
		}
	}
	return nil
}

// batches puts chains together that have layers of the same widths, in the order of the
// first ones: they are multiplied at once.
func batches(all []chain, open int) [][]chain {
	known := map[string]int{}
	var out [][]chain
	for _, c := range all {
		key := fmt.Sprint(c.wide)
		for _, l := range c.layers {
			key += fmt.Sprint(" ", l.m, l.input == open)
		}
		k, ok := known[key]
		if !ok {
			k = len(out)
			known[key] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], c)
	}
	return out
}
