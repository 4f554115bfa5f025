package deepgp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/diff/fd"

	"beziergp/internal/testkit"
	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/inducing"
	"beziergp/rival/method/oracle"
	"beziergp/rival/method/svgp"
)

var background = context.Background()

func predict(t *testing.T, m method.Method, data method.Data, x []float64) (mean, std []float64) {
	t.Helper()
	r, err := m.Fit(background, data, method.Environment{Workers: 2, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	mean, std = make([]float64, len(x)/data.Inputs), make([]float64, len(x)/data.Inputs)
	if err := r.Predict(background, x, mean, std); err != nil {
		t.Fatal(err)
	}
	return mean, std
}

func TestOneLayerIsSVGP(t *testing.T) {
	data, x := oracle.Sample(1, 90, 3, 2), oracle.Sample(2, 20, 3, 2).X
	for _, family := range []covariance.Family{covariance.Matern52, covariance.RBF} {
		mean, std := predict(t, Method{Family: family, Layers: 1, Inducing: 12, Batch: 40, Steps: 30, Rate: 0.03, Natural: 0.3}, data, x)
		wantMean, wantStd := predict(t, svgp.Method{Family: family, Inducing: 12, Batch: 40, Steps: 30, Rate: 0.03, Natural: 0.3}, data, x)
		if !slices.Equal(mean, wantMean) || !slices.Equal(std, wantStd) {
			t.Errorf("%s: %g ± %g, want %g ± %g", family, mean[0], std[0], wantMean[0], wantStd[0])
		}
	}
}

// random is a network with parameters that are all different, of d inputs and inner layers
// of width outputs.
func random(seed uint64, family covariance.Family, d, width, points, inner int) *network {
	r := rand.New(rand.NewPCG(seed, 0))
	normals := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = r.NormFloat64()
		}
		return out
	}
	w := &network{jitter: 1e-6, q: inducing.NewGaussian(points)}
	for range inner {
		l := newLayer(family, normals(points*d), d, width, identity)
		if d != width {
			l.project = blas64.General{Rows: d, Cols: width, Stride: width, Data: normals(d * width)}
		}
		l.kernel.Variance = 0.5 + r.Float64()
		for j := range l.kernel.Lengths {
			l.kernel.Lengths[j] = 0.7 + r.Float64()
		}
		copy(l.means.Data, normals(len(l.means.Data)))
		for i := range l.roots.Rows {
			row := dense.Row(l.roots, i)[:i%points+1]
			copy(row, normals(len(row)))
			row[i%points] = 0.3 + r.Float64()
		}
		w.layers, d = append(w.layers, l), width
	}
	w.last, w.inputs = oracle.Hyper(family, d), normals(points*d)
	return w
}

func TestGradientAgreesWithDifferences(t *testing.T) {
	const n, d, points = 20, 3, 5
	rows := oracle.Sample(5, n, d, 1)
	for _, family := range []covariance.Family{covariance.Matern52, covariance.RBF} {
		for _, shape := range []struct{ width, inner int }{{3, 1}, {2, 1}, {2, 2}, {3, 0}} {
			w := random(6, family, d, shape.width, points, shape.inner)
			normals := w.normals(rand.New(rand.NewPCG(7, 0)), n)
			if _, err := w.bound(background, 2, rows, 100, normals, 0.5, nil); err != nil { // q away from the prior
				t.Fatal(err)
			}
			size, _ := w.sizes()
			at, got := make([]float64, size), make([]float64, size)
			w.pack(at)
			if _, err := w.bound(background, 2, rows, 100, normals, 0, got); err != nil {
				t.Fatal(err)
			}
			want := fd.Gradient(nil, func(x []float64) float64 {
				if err := w.unpack(x); err != nil {
					t.Fatal(err)
				}
				value, err := w.bound(background, 2, rows, 100, normals, 0, nil)
				if err != nil {
					t.Fatal(err)
				}
				return value
			}, at, &fd.Settings{Formula: fd.Central})
			for i := range want {
				testkit.Close(t, fmt.Sprint(family, shape, " parameter ", i), got[i], want[i], 1e-5, 1e-3)
			}
		}
	}
}

// Every output of a layer is a sparse process of its own about the linear mean, as
// package inducing has it.
func TestOutputsAreProcesses(t *testing.T) {
	const n, d, width, points = 40, 3, 2, 6
	w := random(8, covariance.Matern52, d, width, points, 1)
	l, x := w.layers[0], oracle.Sample(9, n, d, 1).X
	prior, err := inducing.NewPrior(background, 1, &l.kernel, l.inputs, w.jitter)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.forward(background, 2, w.jitter, x, make([]float64, n*width))
	if err != nil {
		t.Fatal(err)
	}
	for o := range width {
		h := covariance.Hyper{Kernel: l.kernel, Noise: 0.25}
		mean, variance := make([]float64, n), make([]float64, n)
		own := inducing.NewPosterior(nil, 1, h, l.inputs, prior.Inverse, dense.Row(l.means, o), l.root(o))
		if err := own.Moments(background, x, mean, variance); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range d {
				mean[i] += x[i*d+j] * l.project.Data[j*width+o]
			}
			testkit.Close(t, "mean", p.mean.Data[i*width+o], mean[i], 1e-10, 1e-10)
			testkit.Close(t, "variance", p.variance.Data[i*width+o], variance[i]-0.25, 1e-10, 1e-10)
			testkit.Close(t, "output", p.output[i*width+o], mean[i], 1e-10, 1e-10)
		}
	}
}

// With inner layers that are all but their linear mean the bound is that of a sparse
// process of the moved inputs, less their divergence.
func TestLinearLayersVanish(t *testing.T) {
	const n, d, points = 30, 3, 5
	rows := oracle.Sample(10, n, d, 1)
	w := random(11, covariance.Matern52, d, 2, points, 1)
	l := w.layers[0]
	l.kernel.Variance = 1e-12
	clear(l.means.Data)
	moved := dense.New(n, 2)
	if err := l.linear(background, 1, rows.X, moved); err != nil {
		t.Fatal(err)
	}
	got, err := w.bound(background, 1, rows, n, w.normals(rand.New(rand.NewPCG(12, 0)), n), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := inducing.NewBatch(background, 1, &w.last, w.inputs, w.jitter, method.Data{X: moved.Data, Y: rows.Y, Inputs: 2}, n)
	if err != nil {
		t.Fatal(err)
	}
	want, err := b.Value(w.q, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "bound", got, want-l.divergence(nil), 1e-5, 0)
	// The prior has no divergence; half the deviation in one place has −log ½ − ⅜.
	for o := range 2 {
		dense.Clear(l.root(o))
		for i := range points {
			l.root(o).Data[i*points+i] = 1
		}
	}
	testkit.Close(t, "prior", l.divergence(nil), 0, 0, 1e-12)
	l.root(1).Data[0] = 0.5
	testkit.Close(t, "half", l.divergence(nil), math.Ln2-0.375, 1e-12, 0)
}

// The mixture of few samples has the moments of very many drawn at random.
func TestMixture(t *testing.T) {
	const d, points, many = 2, 5, 20000
	for _, inner := range []int{1, 2} {
		w := random(13, covariance.RBF, d, d, points, inner)
		rows := oracle.Sample(14, 30, d, 1)
		if _, err := w.bound(background, 1, rows, 30, w.normals(rand.New(rand.NewPCG(15, 0)), 30), 1, nil); err != nil {
			t.Fatal(err)
		}
		p, err := newProcess(background, method.Environment{Workers: 1}, Method{Samples: 256, Jitter: w.jitter}, w, &inducing.Problem{})
		if err != nil {
			t.Fatal(err)
		}
		x, mean, variance := rows.X[:3*d], make([]float64, 3), make([]float64, 3)
		if err := p.mixture(background, x, mean, variance); err != nil {
			t.Fatal(err)
		}
		for row := range mean {
			h := slices.Repeat(x[row*d:(row+1)*d], many)
			for i, noise := range w.normals(rand.New(rand.NewPCG(16, uint64(row))), many) {
				pass, err := w.layers[i].forward(background, 1, w.jitter, h, noise)
				if err != nil {
					t.Fatal(err)
				}
				h = pass.output
			}
			first, second := make([]float64, many), make([]float64, many)
			if err := p.last.Moments(background, h, first, second); err != nil {
				t.Fatal(err)
			}
			var wantMean, wantSquare float64
			for i, v := range first {
				wantMean += v / many
				wantSquare += (second[i] + v*v) / many
			}
			// The target has deviation 1; 256 samples tell a mean to a sixteenth of it at worst.
			testkit.Close(t, fmt.Sprint(inner, " mean"), mean[row], wantMean, 0, 0.06)
			testkit.Close(t, fmt.Sprint(inner, " variance"), variance[row], wantSquare-wantMean*wantMean, 0.1, 0)
		}
	}
}

// Directions of most variation are those that rows were made along.
func TestPrincipalDirections(t *testing.T) {
	const n, d = 400, 40
	r := rand.New(rand.NewPCG(17, 0))
	data := method.Data{X: make([]float64, n*d), Y: make([]float64, n), Inputs: d}
	for i := range n {
		a, b := 10*r.NormFloat64(), 3*r.NormFloat64()
		for j := range d {
			data.X[i*d+j] = 0.01 * r.NormFloat64()
		}
		data.X[i*d+3] += 0.6 * a
		data.X[i*d+7] += 0.8 * a
		data.X[i*d+20] -= b
	}
	p, err := principal(background, 2, data, 2)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int]float64{3 * 2: 0.6, 7 * 2: 0.8, 20*2 + 1: 1, 20 * 2: 0} {
		testkit.Close(t, fmt.Sprint("number ", at), p.Data[at], want, 0, 0.02)
	}
}

// A step is no function of one stationary process: two layers tell it with more certainty.
func TestTwoLayersBeatOneOnAStep(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 0))
	data := method.Data{X: make([]float64, 200), Y: make([]float64, 200), Inputs: 1}
	for i := range data.Y {
		data.X[i] = 4*r.Float64() - 2
		data.Y[i] = math.Copysign(1, data.X[i]) + 0.02*r.NormFloat64()
	}
	var bounds []float64
	for _, layers := range []int{1, 2} {
		var last method.Event
		env := method.Environment{Workers: 1, Progress: func(e method.Event) { last = e }}
		if _, err := (Method{Family: covariance.RBF, Layers: layers, Inducing: 20, Batch: 200, Steps: 1000, Rate: 0.02}).Fit(background, data, env); err != nil {
			t.Fatal(err)
		}
		bounds = append(bounds, last.Objective)
	}
	if !(bounds[1] > bounds[0]+0.1) {
		t.Errorf("bound a row %g with one layer, %g with two", bounds[0], bounds[1])
	}
}

func TestOptionsOutOfRange(t *testing.T) {
	for _, m := range []Method{{Layers: 4}, {Layers: -1}, {Inducing: -1}, {Batch: -1}, {Steps: -1}, {Samples: -1}, {Samples: 1 << 20}, {Natural: 2}, {Rate: -1}, {Jitter: 1}, {Family: 9}} {
		if _, err := m.Fit(background, oracle.Sample(19, 20, 1, 1), method.Environment{Workers: 1}); err == nil {
			t.Errorf("%+v is accepted", m)
		}
	}
}
