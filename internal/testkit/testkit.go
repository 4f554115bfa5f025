// Package testkit holds what tests of several packages check against. Nothing in
// it shares code with the packages under test, and only tests import it.
package testkit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// EachPath calls visit with every choice of one node a layer, layers having the
// given widths: Π widths calls. The slice is reused.
func EachPath(widths []int, visit func(path []int)) {
	path := make([]int, len(widths))
	for {
		visit(path)
		g := len(path) - 1
		for ; g >= 0; g-- {
			path[g]++
			if path[g] < widths[g] {
				break
			}
			path[g] = 0
		}
		if g < 0 {
			return
		}
	}
}

// Close fails the test unless got is within rel·|want| + abs of want.
func Close(t testing.TB, what string, got, want, rel, abs float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)+abs) {
		t.Errorf("%s = %.9g, want %.9g", what, got, want)
	}
}

// CentralDifference returns the derivative of f by *x, leaving *x as it was. f is
// called at two points h apart on either side of *x, as float32 rounds them.
func CentralDifference(f func() float64, x *float32, h float32) float64 {
	at := *x
	*x = at + h
	up, high := *x, f()
	*x = at - h
	down, low := *x, f()
	*x = at
	return (high - low) / (float64(up) - float64(down))
}

// PathProduct multiplies the weights of one buttress along a path, given node by
// input. w lies layer after layer in the buttress's ordering of inputs, each
// [nodes of the layer before, nodes] by rows.
func PathProduct(widths, ordering []int, w []float32, path []int) float64 {
	product, at, rows, from := 1.0, 0, 1, 0
	for _, input := range ordering {
		cols := widths[input]
		product *= float64(w[at+from*cols+path[input]])
		at, rows, from = at+rows*cols, cols, path[input]
	}
	return product
}

// Process is a Bézier Gaussian process of one group, small enough to enumerate
// its control points.
type Process struct {
	Widths    []int
	Orderings [][]int
	W, V      [][]float32 // by buttress
	Prior     [][]float64 // ς by input and node
	Basis     func(input int, t float64) []float64
}

// Covariance returns the posterior covariance of f at x and z.
func (o Process) Covariance(x, z []float64) float64 {
	var sum float64
	o.each(x, z, func(_, variance, phi, other float64) { sum += variance * phi * other })
	return sum
}

// Mean returns the posterior mean of f at x.
func (o Process) Mean(x []float64) float64 {
	var sum float64
	o.each(x, x, func(mean, _, phi, _ float64) { sum += mean * phi })
	return sum
}

// each visits every control point with its moments and its basis product at x
// and z.
func (o Process) each(x, z []float64, visit func(mean, variance, phi, other float64)) {
	atX, atZ := o.bases(x), o.bases(z)
	for k, ordering := range o.Orderings {
		expV := exponentials(o.V[k])
		EachPath(o.Widths, func(path []int) {
			variance := PathProduct(o.Widths, ordering, expV, path) / float64(len(o.Orderings))
			phi, other := 1.0, 1.0
			for input, node := range path {
				variance *= o.Prior[input][node]
				phi *= atX[input][node]
				other *= atZ[input][node]
			}
			visit(PathProduct(o.Widths, ordering, o.W[k], path), variance, phi, other)
		})
	}
}

func (o Process) bases(x []float64) [][]float64 {
	values := make([][]float64, len(x))
	for input, t := range x {
		values[input] = o.Basis(input, t)
	}
	return values
}

// KL returns the divergence of all control points from their prior, and τ, the
// number of control points of one buttress.
func (o Process) KL() (kl, paths float64) {
	for k, ordering := range o.Orderings {
		expV := exponentials(o.V[k])
		EachPath(o.Widths, func(path []int) {
			prior := 1 / float64(len(o.Orderings))
			for input, node := range path {
				prior *= o.Prior[input][node]
			}
			mean := PathProduct(o.Widths, ordering, o.W[k], path)
			ratio := PathProduct(o.Widths, ordering, expV, path)
			kl += 0.5 * (ratio - 1 + mean*mean/prior - math.Log(ratio))
			if k == 0 {
				paths++
			}
		})
	}
	return kl, paths
}

func exponentials(v []float32) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(math.Exp(float64(x)))
	}
	return out
}

// Bernstein returns the Bernstein polynomials of an order at t, by de Casteljau's
// recursion.
func Bernstein(order int, t float64) []float64 {
	b := []float64{1}
	for range order {
		next := make([]float64, len(b)+1)
		for i, v := range b {
			next[i] += (1 - t) * v
			next[i+1] += t * v
		}
		b = next
	}
	return b
}

// Smooth returns n rows of three coordinates, the last of them constant, with targets that
// are a smooth function of them and noise of deviation 0.1.
func Smooth(n int) (x, y []float32) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range n {
		a, b := rng.Float32(), rng.Float32()
		x = append(x, a, b, 0)
		y = append(y, float32(math.Sin(3*float64(a))*(1+float64(b))-1.2+0.1*rng.NormFloat64()))
	}
	return x, y
}
