package buttress

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
)

// stride is the room of tiles for points.
const stride = 128

// shapes are small enough to enumerate all paths; widths are mixed.
var shapes = [][]int{{4}, {1}, {3, 5}, {2, 1, 4}, {3, 3, 3}, {5, 2, 3, 4}}

func ensemble(t testing.TB, widths []int, r int, rng *rand.Rand) *Ensemble {
	t.Helper()
	e, err := New(widths, nil, RandomOrderings(len(widths), r, rng))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func normals(n int, mean, sd float64, rng *rand.Rand) []float32 {
	w := make([]float32, n)
	for i := range w {
		w[i] = float32(mean + sd*rng.NormFloat64())
	}
	return w
}

// tile fills a tile with random values of any functions.
func tile(widths []int, n int, rng *rand.Rand) *Tile {
	x := &Tile{Stride: stride, Points: n}
	for _, m := range widths {
		phi := make([]float32, m*stride)
		for i := range phi {
			phi[i] = rng.Float32()
		}
		x.Phi = append(x.Phi, phi...)
	}
	return x
}

func TestForwardSumsOverAllPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, widths := range shapes {
		e := ensemble(t, widths, 3, rng)
		w := normals(e.Size(), 0, 1, rng)
		for _, n := range []int{1, 5, stride} {
			x := tile(widths, n, rng)
			for _, s := range []*States{NewStates(stride, e), e.NewKeptStates(stride)} {
				for k := range e.Buttresses() {
					out := make([]float32, n)
					e.Forward(k, e.Weights(w, k), x, s, out)
					for p := range out {
						var want, size float64
						testkit.EachPath(widths, func(path []int) {
							term := testkit.PathProduct(widths, e.Orderings()[k], e.Weights(w, k), path)
							for input, node := range path {
								term *= float64(x.Phi[(e.Row(input)+node)*stride+p])
							}
							want += term
							size += math.Abs(term)
						})
						testkit.Close(t, "f", float64(out[p]), want, 0, 2e-6*size)
					}
				}
			}
		}
	}
}

func TestBackwardAgreesWithCentralDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, widths := range shapes {
		e := ensemble(t, widths, 2, rng)
		w := normals(e.Size(), 1, 0.3, rng)
		x := tile(widths, 7, rng)
		cotangent := normals(7, 0, 1, rng)
		s := e.NewKeptStates(stride)
		for k := range e.Buttresses() {
			own := e.Weights(w, k)
			objective := func() float64 {
				// In float64, by enumeration: the differences are then free of rounding.
				var sum float64
				testkit.EachPath(widths, func(path []int) {
					theta := testkit.PathProduct(widths, e.Orderings()[k], own, path)
					for p, c := range cotangent {
						term := theta * float64(c)
						for input, node := range path {
							term *= float64(x.Phi[(e.Row(input)+node)*stride+p])
						}
						sum += term
					}
				})
				return sum
			}
			dw := make([]float32, len(own))
			for i := range dw {
				dw[i] = 10 // Backward adds
			}
			out := make([]float32, 7)
			e.Forward(k, own, x, s, out)
			e.Backward(k, own, x, s, cotangent, dw)
			for i := range own {
				want := testkit.CentralDifference(objective, &own[i], 1e-3)
				testkit.Close(t, "dw", float64(dw[i])-10, want, 2e-5, 2e-5)
			}
		}
	}
}

func TestKLAgreesWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, widths := range shapes {
		const r = 3
		e := ensemble(t, widths, r, rng)
		w, v := normals(e.Size(), 0.5, 1, rng), normals(e.Size(), -0.5, 0.5, rng)
		variances := make([][]float64, len(widths))
		for i, m := range widths {
			for range m {
				variances[i] = append(variances[i], 0.5+3*rng.Float64())
			}
		}
		prior, err := NewPrior(variances, 1.0/r)
		if err != nil {
			t.Fatal(err)
		}
		for k := range e.Buttresses() {
			own, logs := e.Weights(w, k), e.Weights(v, k)
			// terms enumerates S₁, S₂ and S₃ of the paper's appendix, over τ.
			terms := func() (s1, s2, s3, kl float64) {
				var paths float64
				exps := make([]float32, len(logs))
				for i := range exps {
					exps[i] = float32(math.Exp(float64(logs[i])))
				}
				testkit.EachPath(widths, func(path []int) {
					prior := 1.0 / r
					for input, node := range path {
						prior *= variances[input][node]
					}
					mean := testkit.PathProduct(widths, e.Orderings()[k], own, path)
					variance := prior * testkit.PathProduct(widths, e.Orderings()[k], exps, path)
					s1 += variance / prior
					s2 += mean * mean / prior
					s3 += math.Log(prior / variance)
					kl += 0.5 * (variance/prior + mean*mean/prior - 1 + math.Log(prior/variance))
					paths++
				})
				return s1 / paths, s2 / paths, s3 / paths, kl / paths
			}
			q := Posterior{W: own, V: logs, ExpV: make([]float32, len(logs))}
			for i := range logs {
				q.ExpV[i] = float32(math.Exp(float64(logs[i])))
			}
			gradient := &KLGradient{Weight: 2, W: make([]float32, len(own)), V: make([]float32, len(own))}
			got := divergence(e, k, q, prior, gradient)
			s1, s2, s3, kl := terms()
			testkit.Close(t, "S1/τ", got.Variance, s1, 1e-6, 0)
			testkit.Close(t, "S2/τ", got.Mean, s2, 1e-6, 0)
			testkit.Close(t, "S3/τ", got.LogRatio, s3, 1e-6, 1e-6)
			testkit.Close(t, "KL/τ", got.PerPath(), kl, 1e-6, 1e-6)
			if again := divergence(e, k, q, prior, nil); again != got {
				t.Errorf("KL without a gradient is %v, with one %v", again, got)
			}
			objective := func() float64 { _, _, _, kl := terms(); return 2 * kl }
			for i := range own {
				testkit.Close(t, "dKL/dW", float64(gradient.W[i]), testkit.CentralDifference(objective, &own[i], 1e-3), 1e-4, 1e-4)
				testkit.Close(t, "dKL/dV", float64(gradient.V[i]), testkit.CentralDifference(objective, &logs[i], 1e-2), 1e-3, 1e-3)
			}
		}
	}
}

func divergence(e *Ensemble, k int, q Posterior, prior *Prior, gradient *KLGradient) (kl KL) {
	paths := e.NewPaths()
	e.MeanKL(&kl, k, q, prior, paths, gradient)
	e.VarianceKL(&kl, k, q, prior, paths, gradient)
	return kl
}

// Conditional means against a product rule over all other inputs: the integral of
// a polynomial, taken node by node by enumeration with the basis replaced.
func TestEffectAgreesWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, widths := range shapes {
		e := ensemble(t, widths, 3, rng)
		w := normals(e.Size(), 0, 1, rng)
		means := make([][]float64, len(widths))
		for i, m := range widths {
			for range m {
				means[i] = append(means[i], rng.Float64())
			}
		}
		means[0][0] = 0 // an average may vanish
		q := e.Effect(w, means)
		want := make([][]float64, len(widths))
		for i, m := range widths {
			want[i] = make([]float64, m)
		}
		testkit.EachPath(widths, func(path []int) {
			var theta float64
			for k := range e.Buttresses() {
				theta += testkit.PathProduct(widths, e.Orderings()[k], e.Weights(w, k), path)
			}
			for i, own := range path {
				term := theta
				for other, node := range path {
					if other != i {
						term *= means[other][node]
					}
				}
				want[i][own] += term
			}
		})
		for i := range q {
			for j := range q[i] {
				testkit.Close(t, "q", q[i][j], want[i][j], 1e-9, 1e-9)
			}
		}
	}
}
