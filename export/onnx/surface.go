package onnx

import (
	"fmt"
	"math"

	"beziergp/internal/process/basis"
	"beziergp/model"
	"beziergp/predictive"
)

// surface returns a part of a surface at coordinates: E f or Var f, [rows] float64, or with an
// open input the coefficients of its functions, [rows, m] by m.
func (g *graph) surface(p part, at scaled) (map[int]value, error) {
	s := newStacks(g, at)
	all, err := p.chains(s)
	if err != nil {
		return nil, err
	}
	sums, constant := map[int]value{}, 0.0
	add := func(m int, v value) {
		if before, ok := sums[m]; ok {
			v = g.add(before, v)
		}
		sums[m] = v
	}
	for _, batch := range batches(all, p.open) {
		if len(batch[0].layers) == 0 {
			for _, c := range batch {
				constant += c.constant
			}
			continue
		}
		m, v, err := g.batch(p, s, batch)
		if err != nil {
			return nil, err
		}
		add(m, v)
	}
	if constant != 0 || len(sums) == 0 { // of an open input, which has a layer, there is none
		add(0, g.number(constant))
	}
	if p.variance {
		sums[0] = g.mul(sums[0], g.number(p.q.PriorScale()))
	}
	return sums, nil
}

// batch returns the sum of chains that have layers of the same widths, of an open input the
// coefficients of its m functions, else with m 0.
func (g *graph) batch(p part, s *stacks, batch []chain) (m int, v value, err error) {
	layers := batch[0].layers
	open := -1
	for i, l := range layers {
		if l.input == p.open {
			open = i
		}
	}
	precision := float32s
	if batch[0].wide {
		precision = float64s
	}
	weights := make([]value, len(layers))
	phi := make([]value, len(layers)) // [chains, rows, m]
	for i, l := range layers {
		var w []float64
		slots := make([]int, len(batch))
		for k, c := range batch {
			w = append(w, c.layers[i].weights...)
			slots[k] = c.layers[i].slot
		}
		weights[i] = g.weights(precision, []int{len(batch), l.rows, l.m}, w)
		if i == open {
			continue
		}
		values, err := s.values(l.m, p.variance, precision)
		if err != nil {
			return 0, "", err
		}
		phi[i] = g.rows(values, len(s.slots[l.m]), slots)
	}
	forward := func(to int) (state value) { // W_toᵀ S of the layers before
		for i := range to + 1 {
			if i == 0 {
				state = weights[0] // [chains, 1, m], for all rows
			} else {
				state = g.op("MatMul", state, weights[i])
			}
			if i < to {
				state = g.mul(state, phi[i])
			}
		}
		return state
	}
	var out value
	if open < 0 {
		last := len(layers) - 1
		out = g.sum(g.mul(forward(last), phi[last]), 2) // [chains, rows]
	} else {
		m = layers[open].m
		out = forward(open) // [chains, rows, m], with one row where no layer is before
		var back value
		for i := len(layers) - 1; i > open; i-- {
			state := phi[i]
			if back != "" {
				state = g.mul(back, phi[i])
			}
			transposed := g.with("Transpose", []attribute{{name: "perm", values: []int64{0, 2, 1}}}, weights[i])
			back = g.op("MatMul", state, transposed)
		}
		if back != "" {
			out = g.mul(out, back)
		}
	}
	return m, g.sum(g.undo(g.cast(out, float64s), batch, open >= 0), 0), nil
}

// undo multiplies by the powers of two that the layers were divided by.
func (g *graph) undo(v value, batch []chain, open bool) value {
	factors, needed := make([]float64, len(batch)), false
	for k, c := range batch {
		factors[k] = math.Ldexp(1, c.exponent)
		needed = needed || c.exponent != 0
	}
	if !needed {
		return v
	}
	shape := []int{len(batch), 1}
	if open {
		shape = append(shape, 1)
	}
	return g.mul(v, g.float64s(shape, factors...))
}

// weights returns a constant of a precision.
func (g *graph) weights(precision kind, shape []int, w []float64) value {
	if precision == float64s {
		return g.float64s(shape, w...)
	}
	narrow := make([]float32, len(w))
	for i, v := range w {
		narrow[i] = float32(v)
	}
	return g.float32s(shape, narrow...)
}

// along returns the values of a surface at the nodes of its open input, the last, of the
// coefficients of its functions: [rows, predictive.Nodes].
func (g *graph) along(a *model.Auxiliary, open int, coefficients map[int]value) (out value, err error) {
	nodes := make([]float32, predictive.Nodes)
	for k := range nodes {
		nodes[k] = float32(k) / (predictive.Nodes - 1)
	}
	seen := map[int]basis.Kind{}
	for n := range a.Surface.Groups() {
		b := a.Surface.Group(n).Bases[open]
		m, kind := b.Nodes(), b.Spec().Kind
		if before, ok := seen[m]; ok {
			if before != kind {
				return "", fmt.Errorf("the distribution's shape has bases of kinds %q and %q with %d functions", before, kind, m)
			}
			continue
		}
		seen[m] = kind
		c, ok := coefficients[m]
		if !ok {
			continue
		}
		phi, wide := make([]float32, m*len(nodes)), make([]float64, m*len(nodes))
		b.Values(phi, nodes, len(nodes), len(nodes))
		for i, v := range phi {
			wide[i] = float64(v)
		}
		v := g.op("MatMul", c, g.float64s([]int{m, len(nodes)}, wide...))
		if out != "" {
			v = g.add(out, v)
		}
		out = v
	}
	return out, nil
}
