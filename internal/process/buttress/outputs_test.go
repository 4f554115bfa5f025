package buttress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// withOutputs returns an ensemble of random orderings.
func withOutputs(t testing.TB, widths, supports []int, r, outputs int, rng *rand.Rand) *Ensemble {
	t.Helper()
	e, err := NewOutputs(widths, supports, RandomOrderings(len(widths), r, rng), outputs)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// tileOf is a tile of random values with the ones of outputs.
func tileOf(e *Ensemble, n int, rng *rand.Rand) *Tile {
	x := tile(e.Widths(), n, rng)
	return withOnes(x, e)
}

func withOnes(x *Tile, e *Ensemble) *Tile {
	for len(x.Phi) < e.Rows()*x.Stride {
		x.Phi = append(x.Phi, 1)
	}
	return x
}

// path is one through the layers of the inputs and that of the outputs, which testkit takes for
// one input more.
func outputPath(e *Ensemble, k int) (widths, ordering []int) {
	d := e.Inputs()
	return append(slices.Clone(e.Widths()), e.Outputs()), append(slices.Clone(e.Orderings()[k]), d)
}

// enumerated returns the outputs of buttress k at the points, path by path, and the sum of the
// terms' sizes.
func enumerated(e *Ensemble, k int, w []float32, x *Tile) (out, size [][]float64) {
	out, size = make([][]float64, e.Outputs()), make([][]float64, e.Outputs())
	for t := range out {
		out[t], size[t] = make([]float64, x.Points), make([]float64, x.Points)
	}
	widths, ordering := outputPath(e, k)
	testkit.EachPath(widths, func(path []int) {
		theta := testkit.PathProduct(widths, ordering, w, path)
		for p := range x.Points {
			term := theta
			for input, node := range path[:e.Inputs()] {
				term *= float64(x.Phi[(e.Row(input)+node)*x.Stride+p])
			}
			out[path[e.Inputs()]][p] += term
			size[path[e.Inputs()]][p] += math.Abs(term)
		}
	})
	return out, size
}

func TestOutputsSumOverAllPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for _, widths := range shapes {
		for _, outputs := range []int{2, 3, 10} {
			e := withOutputs(t, widths, nil, 3, outputs, rng)
			w := normals(e.Size(), 0, 1, rng)
			for _, n := range []int{1, 5, stride} {
				x := tileOf(e, n, rng)
				for _, s := range []*States{NewStates(stride, e), e.NewKeptStates(stride)} {
					for k := range e.Buttresses() {
						out := make([]float32, outputs*stride)
						e.Forward(k, e.Weights(w, k), x, s, out)
						want, size := enumerated(e, k, e.Weights(w, k), x)
						for i := range outputs {
							for p := range n {
								testkit.Close(t, fmt.Sprintf("widths %v, output %d of %d", widths, i, outputs), float64(out[i*stride+p]), want[i][p], 0, 2e-6*size[i][p])
							}
						}
					}
				}
			}
		}
	}
}

func TestBackwardOfOutputsAgreesWithCentralDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	for _, widths := range shapes {
		const outputs, n = 3, 7
		e := withOutputs(t, widths, nil, 2, outputs, rng)
		w := normals(e.Size(), 1, 0.3, rng)
		x := tileOf(e, n, rng)
		cotangent := normals(outputs*stride, 0, 1, rng)
		s := e.NewKeptStates(stride)
		for k := range e.Buttresses() {
			own := e.Weights(w, k)
			objective := func() (sum float64) {
				out, _ := enumerated(e, k, own, x)
				for i := range out {
					for p, f := range out[i] {
						sum += f * float64(cotangent[i*stride+p])
					}
				}
				return sum
			}
			dw := slices.Repeat([]float32{10}, len(own)) // Backward adds
			e.Forward(k, own, x, s, make([]float32, outputs*stride))
			e.Backward(k, own, x, s, cotangent, dw)
			for i := range own {
				want := testkit.CentralDifference(objective, &own[i], 1e-3)
				testkit.Close(t, fmt.Sprintf("widths %v: dw %d", widths, i), float64(dw[i])-10, want, 2e-5, 5e-5)
			}
		}
	}
}

// T outputs are what T ensembles of one output give, and the gradient of their sum is that by the
// chain rule of W_d[i,j] W_out[j,t]: of layers of all kinds, of points at which all functions
// are needed, and along chains that are rescaled, far from one.
func TestOutputsAreEnsemblesOfOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	kinds, supports := []int{40, 5, 33, 3, 60}, []int{4, 5, 1, 3, 4}
	for _, c := range []struct {
		d, outputs int
		local      bool
		mean       float64 // of the weights
	}{
		{1, 3, true, 1}, {1, 2, false, 1}, {5, 2, true, 1}, {5, 10, true, 1}, {5, 70, true, 1}, {5, 10, false, 1},
		{33, 3, true, 0.5}, {47, 2, false, 2}, {48, 5, true, 1.5}, {53, 3, true, 0.2}, {90, 4, true, 1.2}, {90, 4, false, 0.9},
	} {
		var widths, own []int
		for i := range c.d {
			widths, own = append(widths, kinds[i%5]), append(own, supports[i%5])
		}
		if !c.local {
			own = nil
		}
		e := withOutputs(t, widths, own, 3, c.outputs, rng)
		if c.local && !e.HasLocal() {
			t.Logf("%+v: no layer is local on this machine", c)
		}
		w := normals(e.Size(), c.mean, 0.3*c.mean, rng)
		n := 19
		x := randomTile(e, supports, n, rng)
		cotangent := normals(c.outputs*stride, 0, 1, rng)
		single := e.Single()
		s, states := e.NewKeptStates(stride), single.NewKeptStates(stride)
		if !c.local && single.HasLocal() != e.HasLocal() {
			t.Fatal("layers of one output are local, those of several are not")
		}
		dw, want := make([]float32, len(w)), make([]float64, len(w))
		for k := range e.Buttresses() {
			out, inTurn := make([]float32, c.outputs*stride), make([]float32, c.outputs*stride)
			e.Forward(k, e.Weights(w, k), x, NewStates(stride, e), inTurn)
			e.Forward(k, e.Weights(w, k), x, s, out)
			e.Backward(k, e.Weights(w, k), x, s, cotangent, e.Weights(dw, k))
			for i := range c.outputs {
				weights := single.Weights(e.OutputWeights(w, i), k)
				one, slope := make([]float32, stride), make([]float32, len(weights))
				single.Forward(k, weights, x, states, one)
				single.Backward(k, weights, x, states, cotangent[i*stride:], slope)
				var largest float64
				for p := range n {
					largest = max(largest, math.Abs(float64(one[p])))
				}
				for p := range n {
					what := fmt.Sprintf("%+v: output %d at point %d", c, i, p)
					testkit.Close(t, what, float64(out[i*stride+p]), float64(one[p]), 1e-5, 1e-6*largest)
					if inTurn[i*stride+p] != out[i*stride+p] {
						t.Errorf("%s: %g of states in turn, %g of all", what, inTurn[i*stride+p], out[i*stride+p])
					}
				}
				chainRule(e, k, i, w, slope, want[e.offsets[k]:e.offsets[k+1]])
			}
		}
		for _, l := range e.layers[0] { // sizes differ from layer to layer where chains are long
			for k := range e.Buttresses() {
				l := e.layers[k][slices.IndexFunc(e.layers[k], func(own layer) bool { return own.input == l.input })]
				got, want := l.weights(e.Weights(dw, k)), want[e.offsets[k]:][l.at:l.end]
				var largest float64
				for _, v := range want {
					largest = max(largest, math.Abs(v))
				}
				if largest == 0 || math.IsInf(largest, 0) {
					t.Fatalf("%+v: slopes of input %d are up to %g", c, l.input, largest)
				}
				for i := range got {
					testkit.Close(t, fmt.Sprintf("%+v: slope of input %d", c, l.input), float64(got[i]), want[i], 1e-4, 1e-5*largest)
				}
			}
		}
	}
}

// chainRule adds the gradient by the weights of all outputs, given slope by those of output t.
func chainRule(e *Ensemble, k, t int, w, slope []float32, sum []float64) {
	layers := e.layers[k]
	last, outputs := layers[len(layers)-2], layers[len(layers)-1]
	own := e.Weights(w, k)
	for i, v := range slope {
		if i < last.at {
			sum[i] += float64(v)
			continue
		}
		out := outputs.at + (i-last.at)%last.cols*e.outputs + t
		sum[i] += float64(v) * float64(own[out])
		sum[out] += float64(v) * float64(own[i])
	}
}

// randomTile fills a tile as a surface does: some points with all functions, where layers are
// local. Values add up to one at a point, but for a factor.
func randomTile(e *Ensemble, supports []int, n int, rng *rand.Rand) *Tile {
	x := &Tile{Points: n, Stride: stride, Phi: make([]float32, e.Rows()*stride)}
	if e.HasLocal() {
		x.First = make([]int32, (1+e.Inputs())*stride)
	}
	for i, m := range e.Widths() {
		for p := range n {
			count := m
			if e.Local(i) != 0 {
				count = supports[i%len(supports)]
				x.First[(1+i)*stride+p] = int32(rng.IntN(m - count + 1))
			}
			for j := range count {
				x.Phi[at(e, i, j, p, stride)] = 2 * rng.Float32() / float32(count)
			}
		}
	}
	for i := e.Row(e.Inputs()) * stride; i < len(x.Phi); i++ {
		x.Phi[i] = 1
	}
	if !e.HasLocal() {
		return x
	}
	whole := e.whole()
	x.Whole = &Whole{At: []int{2, n - 1}, Together: 2, Tile: *randomTile(whole, supports, 2, rng)}
	for i := range e.Widths() { // in their place one input's values at least are zero
		if e.Local(i) == 0 {
			continue
		}
		for _, p := range x.Whole.At {
			for j := range supports[i%len(supports)] {
				x.Phi[at(e, i, j, p, stride)] = 0
			}
		}
	}
	return x
}

func TestKLOfOutputsAgreesWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	for _, widths := range shapes {
		const r, outputs = 2, 3
		e := withOutputs(t, widths, nil, r, outputs, rng)
		w, v := normals(e.Size(), 0.5, 1, rng), normals(e.Size(), -0.5, 0.5, rng)
		variances := make([][]float64, len(widths)+1)
		for i, m := range widths {
			for range m {
				variances[i] = append(variances[i], 0.5+3*rng.Float64())
			}
		}
		variances[len(widths)] = slices.Repeat([]float64{1}, outputs)
		prior, err := NewPrior(variances, 1.0/r)
		if err != nil {
			t.Fatal(err)
		}
		for k := range r {
			own, logs := e.Weights(w, k), e.Weights(v, k)
			all, ordering := outputPath(e, k)
			objective := func() (kl float64) {
				var paths float64
				exps := exponentials(logs)
				testkit.EachPath(all, func(path []int) {
					prior := 1.0 / r
					for input, node := range path[:len(widths)] {
						prior *= variances[input][node]
					}
					mean, ratio := testkit.PathProduct(all, ordering, own, path), testkit.PathProduct(all, ordering, exps, path)
					kl += 0.5 * (ratio + mean*mean/prior - 1 - math.Log(ratio))
					paths++
				})
				testkit.Close(t, "log τ", e.LogPaths(), math.Log(paths), 1e-12, 1e-12)
				return kl / paths
			}
			gradient := &KLGradient{Weight: 1, W: make([]float32, len(own)), V: make([]float32, len(own))}
			kl := divergence(e, k, Posterior{W: own, V: logs, ExpV: exponentials(logs)}, prior, gradient)
			testkit.Close(t, "KL/τ", kl.PerPath(), objective(), 1e-6, 1e-6)
			for i := range own {
				testkit.Close(t, "dKL/dW", float64(gradient.W[i]), testkit.CentralDifference(objective, &own[i], 1e-3), 1e-4, 1e-4)
				testkit.Close(t, "dKL/dV", float64(gradient.V[i]), testkit.CentralDifference(objective, &logs[i], 1e-2), 1e-3, 1e-3)
			}
		}
	}
}

func exponentials(v []float32) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(math.Exp(float64(x)))
	}
	return out
}

// By hand: an input of two nodes and three outputs.
func TestOutputWeightsByHand(t *testing.T) {
	e, err := NewOutputs([]int{2}, nil, [][]int{{0}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if e.Size() != 8 || e.Single().Size() != 2 || e.Rows() != 5 || e.Row(1) != 2 {
		t.Fatalf("%d weights, %d of an output, %d rows, ones from row %d on", e.Size(), e.Single().Size(), e.Rows(), e.Row(1))
	}
	w := []float32{2, 3, 1, 10, 100, 4, 5, 6}
	if got := e.OutputWeights(w, 1); !slices.Equal(got, []float32{20, 15}) {
		t.Errorf("output 1 by %g", got)
	}
	if got := e.OutputLogWeights(w, 2); !slices.Equal(got, []float32{102, 9}) {
		t.Errorf("output 2 by logarithms %g", got)
	}
	if _, err := NewOutputs([]int{2}, nil, [][]int{{0}}, 0); err == nil {
		t.Error("an ensemble without outputs is accepted")
	}
	for what, take := range map[string]func(){
		"Effect":    func() { e.Effect(w, [][]float64{{1, 1}}) },
		"NewSlopes": func() { e.NewSlopes(w, true) },
		"NewFlanks": func() { e.NewFlanks(w) },
		"NewAlong":  func() { e.NewAlong(0, w) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s takes several outputs", what)
				}
			}()
			take()
		}()
	}
}

// Of one output the weights are those of all.
func TestOutputWeightsOfOneOutput(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	e := withOutputs(t, []int{2, 3}, nil, 3, 1, rng)
	w := normals(e.Size(), 0, 1, rng)
	if !slices.Equal(e.OutputWeights(w, 0), w) || !slices.Equal(e.OutputLogWeights(w, 0), w) {
		t.Error("they are others")
	}
}
