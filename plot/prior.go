package plot

import (
	"fmt"
	"math"
	"math/rand/v2"

	"beziergp/internal/process/basis"
	"beziergp/plot/canvas"
)

// Prior draws the prior of one input (Jørgensen & Osborne, section 2): the
// Bernstein polynomials of an order, at most basis.MaxPriorOrder; the deviation of
// f when all control points have variance one, which collapses in the middle; and
// that of the inverse squared Bernstein adjusted prior. Draws of f come of the
// seed.
func Prior(order int, seed uint64) (*canvas.Canvas, error) {
	b, err := basis.NewBernstein(order)
	if err != nil {
		return nil, err
	}
	adjusted, err := b.PriorVariance()
	if err != nil {
		return nil, err
	}
	f := newFigure(pictureWidth, 212)
	x := grid(120)
	phi := polynomials(b, x)
	parts := f.Rect.Inset(6, 4, 6, 8).Columns(3, 12)

	unit := axis{label: "x", lo: 0, hi: 1, ticks: []float64{0, 0.25, 0.5, 0.75, 1}}
	p := f.panel(parts[0], fmt.Sprintf("The basis, order %d", order), unit, axis{label: "Bernstein polynomial", lo: 0, hi: 1})
	for i, values := range phi {
		p.curve(line(1.1, ramp(0.9*float64(i)/float64(max(order, 1)))), x, values)
	}
	p.legend(key{means: fmt.Sprintf("%d polynomials, node 0 to %d", len(phi), order)})

	ones := make([]float64, len(adjusted))
	for i := range ones {
		ones[i] = 1
	}
	for i, prior := range []struct {
		title    string
		variance []float64
	}{{"Points of variance 1", ones}, {"Adjusted variances", adjusted}} {
		p := f.panel(parts[i+1], prior.title, unit, axis{label: "f(x)", lo: -2.5, hi: 2.5, ticks: []float64{-2, -1, 0, 1, 2}})
		upper, lower := make([]float64, len(x)), make([]float64, len(x))
		for k := range x {
			for j, v := range prior.variance {
				upper[k] += v * phi[j][k] * phi[j][k]
			}
			upper[k] = math.Sqrt(upper[k])
			lower[k] = -upper[k]
		}
		p.band(paleBlue, x, lower, upper)
		// The same random numbers in both panels: only the variances differ.
		rng := rand.New(rand.NewPCG(seed, 0))
		for range 5 {
			p.curve(line(0.7, gray), x, drawn(phi, prior.variance, rng))
		}
		p.curve(line(thickLine, blue), x, upper)
		p.curve(line(thickLine, blue), x, lower)
		p.legend(key{means: "± 1 deviation of f", fill: paleBlue, line: line(thickLine, blue)}, key{means: "draws", line: line(0.7, gray)})
	}
	return f.Canvas, nil
}

// grid returns the points i/n, i = 0 … n.
func grid(n int) []float64 {
	x := make([]float64, n+1)
	for i := range x {
		x[i] = float64(i) / float64(n)
	}
	return x
}

// polynomials returns the basis at the points x, [m][n].
func polynomials(b basis.Basis, x []float64) [][]float64 {
	t := make([]float32, len(x))
	for i, v := range x {
		t[i] = float32(v)
	}
	values := make([]float32, b.Nodes()*len(t))
	b.Values(values, t, len(t), len(t))
	phi := make([][]float64, b.Nodes())
	for i := range phi {
		phi[i] = make([]float64, len(t))
		for k := range t {
			phi[i][k] = float64(values[i*len(t)+k])
		}
	}
	return phi
}

// drawn returns a draw of f from independent control points.
func drawn(phi [][]float64, variance []float64, rng *rand.Rand) []float64 {
	f := make([]float64, len(phi[0]))
	for i, v := range variance {
		point := math.Sqrt(v) * rng.NormFloat64()
		for k := range f {
			f[k] += point * phi[i][k]
		}
	}
	return f
}
