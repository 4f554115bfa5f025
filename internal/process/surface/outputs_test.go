package surface

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// severalOutputs is [mixed] with T outputs.
func severalOutputs(t testing.TB, d, outputs int, local bool, part Part) Group {
	t.Helper()
	g := mixed(t, d, local, part)
	supports := Supports(g.Bases)
	if !local {
		supports = nil
	}
	var err error
	if g.Ensemble, err = buttress.NewOutputs(g.Ensemble.Widths(), supports, g.Ensemble.Orderings(), outputs); err != nil {
		t.Fatal(err)
	}
	return g
}

func momentsOf(t testing.TB, q *Posterior, x, z []float32, workers int) (mean, variance, cov []float64) {
	t.Helper()
	pool := simd.NewPool(workers)
	defer pool.Close()
	n := len(x) / q.Inputs() * q.Outputs()
	mean, variance, cov = make([]float64, n), make([]float64, n), make([]float64, n)
	e := NewEvaluator(q, pool)
	if err := e.Moments(context.Background(), x, mean, variance); err != nil {
		t.Fatal(err)
	}
	if err := e.Covariance(context.Background(), x, z, cov); err != nil {
		t.Fatal(err)
	}
	return mean, variance, cov
}

// Every output has the moments of the posterior of this output alone, of which the tests of one
// output hold: for layers of all kinds, unknown coordinates and long chains, on any number of
// workers.
func TestOutputsAreProcessesOfOne(t *testing.T) {
	for _, c := range []struct {
		d, outputs int
		local      bool
	}{{1, 2, true}, {2, 3, false}, {7, 10, true}, {60, 2, true}, {60, 3, false}} {
		rng := rand.New(rand.NewPCG(4, uint64(c.d)))
		s, err := New(severalOutputs(t, c.d, c.outputs, c.local, Whole), severalOutputs(t, c.d, c.outputs, c.local, MeanOnly), severalOutputs(t, c.d, c.outputs, c.local, VarianceOnly))
		if err != nil {
			t.Fatal(err)
		}
		params := make([]float32, s.Size())
		for i := range params {
			params[i] = float32(0.7 + 0.5*rng.NormFloat64())
		}
		for g := range 3 { // log-weights
			for i := range s.Variance(params, g) {
				s.Variance(params, g)[i] = float32(0.1 * rng.NormFloat64())
			}
		}
		q := posterior(t, s, params)
		if s.Outputs() != c.outputs || q.Output(0).Outputs() != 1 {
			t.Fatalf("%d outputs, and %d of one", s.Outputs(), q.Output(0).Outputs())
		}
		for _, unknown := range []int{0, 30} {
			n := 2*s.TilePoints() + 9
			x, z := mixedPoints(n, c.d, unknown, rng), mixedPoints(n, c.d, unknown, rng)
			copy(z[:c.d*(n/2)], x) // or else few share functions
			mean, variance, cov := momentsOf(t, q, x, z, 1)
			mean2, variance2, cov2 := momentsOf(t, q, x, z, 3)
			for o := range c.outputs {
				wantMean, wantVariance, wantCov := momentsOf(t, q.Output(o), x, z, 2)
				var largest float64
				for _, v := range wantMean {
					largest = max(largest, math.Abs(v))
				}
				for p := range n {
					what, i := fmt.Sprintf("%+v, 1 in %d unknown: output %d at point %d: ", c, unknown, o, p), p*c.outputs+o
					testkit.Close(t, what+"mean", mean[i], wantMean[p], 1e-5, 3e-6*largest)
					testkit.Close(t, what+"variance", variance[i], wantVariance[p], 1e-4, 0)
					testkit.Close(t, what+"covariance", cov[i], wantCov[p], 1e-4, 1e-12)
					if mean2[i] != mean[i] || variance2[i] != variance[i] || cov2[i] != cov[i] {
						t.Fatal(what + "another of three workers")
					}
				}
			}
		}
	}
}

// A priori every output has the variance that one alone has.
func TestPriorOfOutputs(t *testing.T) {
	s, err := New(severalOutputs(t, 7, 4, true, Whole))
	if err != nil {
		t.Fatal(err)
	}
	one, err := New(mixed(t, 7, true, Whole))
	if err != nil {
		t.Fatal(err)
	}
	x := mixedPoints(50, 7, 0, rand.New(rand.NewPCG(1, 1)))
	_, got, _ := momentsOf(t, posterior(t, s, make([]float32, s.Size())), x, x, 1)
	_, want, _ := momentsOf(t, posterior(t, one, make([]float32, one.Size())), x, x, 1)
	for i, v := range got {
		testkit.Close(t, "prior variance", v, want[i/4], 1e-6, 0)
	}
}

func TestNewRefusesUnequalOutputs(t *testing.T) {
	if _, err := New(severalOutputs(t, 2, 2, false, Whole), severalOutputs(t, 2, 3, false, Whole)); err == nil {
		t.Error("groups of two outputs and of three are accepted")
	}
}

// The divergence from the prior, over the number of control points, is the mean of those of the
// outputs alone.
func TestDivergenceOfOutputs(t *testing.T) {
	const outputs = 3
	s, err := New(severalOutputs(t, 7, outputs, true, Whole))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.3 + 0.2*rng.NormFloat64())
	}
	q := posterior(t, s, params)
	divergence := func(q *Posterior, k int) (kl buttress.KL) {
		e := q.Group(0).Ensemble
		own := buttress.Posterior{W: e.Weights(q.Mean(q.Params(), 0), k), V: e.Weights(q.Variance(q.Params(), 0), k), ExpV: e.Weights(q.ExpV(0), k)}
		e.MeanKL(&kl, k, own, q.Prior(0), e.NewPaths(), nil)
		e.VarianceKL(&kl, k, own, q.Prior(0), e.NewPaths(), nil)
		return kl
	}
	for k := range s.Group(0).Ensemble.Buttresses() {
		got := divergence(q, k)
		var want buttress.KL
		for o := range outputs {
			kl := divergence(q.Output(o), k)
			want.Mean += kl.Mean / outputs
			want.Variance += kl.Variance / outputs
			want.LogRatio += kl.LogRatio / outputs
		}
		testkit.Close(t, "S₁/τ", got.Variance, want.Variance, 1e-6, 0)
		testkit.Close(t, "S₂/τ", got.Mean, want.Mean, 1e-6, 0)
		testkit.Close(t, "S₃/τ", got.LogRatio, want.LogRatio, 1e-6, 0)
	}
}

// There is no output but those that there are.
func TestOutputRefusesOthers(t *testing.T) {
	for _, outputs := range []int{1, 3} {
		q := weighted(t, rand.New(rand.NewPCG(1, 3)), severalOutputs(t, 2, outputs, false, Whole))
		for _, o := range []int{-1, outputs} {
			func() {
				defer func() {
					if got, want := recover(), fmt.Sprintf("surface: output %d of %d", o, outputs); got != want {
						t.Errorf("panic %v, want %q", got, want)
					}
				}()
				q.Output(o)
			}()
		}
	}
}
