package surface

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// build returns a process with random weights over Bernstein bases of the given
// orders, and the same for enumeration.
func build(t testing.TB, orders []int, r int, rng *rand.Rand) (*Posterior, testkit.Process) {
	t.Helper()
	o := testkit.Process{Basis: func(input int, x float64) []float64 { return testkit.Bernstein(orders[input], x) }}
	var bases []basis.Basis
	for _, order := range orders {
		b, err := basis.NewBernstein(order)
		if err != nil {
			t.Fatal(err)
		}
		prior, err := b.PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		bases, o.Widths, o.Prior = append(bases, b), append(o.Widths, order+1), append(o.Prior, prior)
	}
	o.Orderings = buttress.RandomOrderings(len(orders), r, rng)
	e, err := buttress.New(o.Widths, nil, o.Orderings)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Group{Bases: bases, Ensemble: e})
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.7 * rng.NormFloat64())
	}
	for k := range r {
		o.W, o.V = append(o.W, e.Weights(s.Mean(params, 0), k)), append(o.V, e.Weights(s.Variance(params, 0), k))
	}
	return posterior(t, s, params), o
}

func posterior(t testing.TB, s *Surface, params []float32) *Posterior {
	t.Helper()
	q, err := NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func points(n, d int, rng *rand.Rand) []float32 {
	x := make([]float32, n*d)
	for i := range x {
		x[i] = rng.Float32()
	}
	x[0] = 0
	x[len(x)-1] = 1
	return x
}

func row(x []float32, p, d int) []float64 {
	out := make([]float64, d)
	for i := range out {
		out[i] = float64(x[p*d+i])
	}
	return out
}

func moments(t testing.TB, q *Posterior, x []float32, workers int) (mean, variance []float64) {
	t.Helper()
	pool := simd.NewPool(workers)
	defer pool.Close()
	n := len(x) / q.Inputs()
	mean, variance = make([]float64, n), make([]float64, n)
	if err := NewEvaluator(q, pool).Moments(context.Background(), x, mean, variance); err != nil {
		t.Fatal(err)
	}
	return mean, variance
}

func TestMomentsAgreeWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, orders := range [][]int{{3}, {0}, {1, 4}, {2, 0, 3}, {20, 2}, {1, 2, 3, 2}} {
		d := len(orders)
		q, o := build(t, orders, 3, rng)
		x, z := points(7, d, rng), points(7, d, rng)
		mean, variance := moments(t, q, x, 2)
		pool := simd.NewPool(1)
		e := NewEvaluator(q, pool)
		cov, back := make([]float64, 7), make([]float64, 7)
		for _, c := range []struct{ x, z, cov any }{{x, z, cov}, {z, x, back}} {
			if err := e.Covariance(context.Background(), c.x.([]float32), c.z.([]float32), c.cov.([]float64)); err != nil {
				t.Fatal(err)
			}
		}
		pool.Close()
		for p := range 7 {
			at, other := row(x, p, d), row(z, p, d)
			what := fmt.Sprintf("orders %v at %v: ", orders, at)
			testkit.Close(t, what+"mean", mean[p], o.Mean(at), 1e-5, 1e-5)
			testkit.Close(t, what+"variance", variance[p], o.Covariance(at, at), 1e-5, 0)
			testkit.Close(t, what+"covariance", cov[p], o.Covariance(at, other), 1e-5, 1e-12)
			testkit.Close(t, what+"covariance, exchanged", back[p], cov[p], 1e-5, 1e-12)
		}
	}
}

func TestPriorVarianceIsOneAtTheNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, orders := range [][]int{{20}, {25, 1}, {5, 3, 2}, {20, 20, 20, 20}} {
		q, _ := build(t, orders, 4, rng)
		prior := posterior(t, q.Surface, make([]float32, q.Size()))
		x := make([]float32, 200*len(orders))
		for i := range x {
			order := orders[i%len(orders)]
			x[i] = float32(rng.IntN(order+1)) / float32(order)
		}
		mean, variance := moments(t, prior, x, 1)
		for p := range mean {
			if mean[p] != 0 {
				t.Fatalf("orders %v: prior mean %g", orders, mean[p])
			}
			testkit.Close(t, fmt.Sprintf("orders %v: prior variance at %v", orders, row(x, p, len(orders))), variance[p], 1, 1e-5, 0)
		}
	}
}

// The prior of the weights is that of which the buttresses share the variance: the divergence from
// it is that of all control points.
func TestDivergenceFromThePrior(t *testing.T) {
	for _, orders := range [][]int{{3}, {2, 4, 1}} {
		q, o := build(t, orders, 3, rand.New(rand.NewPCG(2, 2)))
		e, got := q.Group(0).Ensemble, 0.0
		for k := range e.Buttresses() {
			var kl buttress.KL
			own := buttress.Posterior{W: o.W[k], V: o.V[k], ExpV: e.Weights(q.ExpV(0), k)}
			e.MeanKL(&kl, k, own, q.Prior(0), e.NewPaths(), nil)
			e.VarianceKL(&kl, k, own, q.Prior(0), e.NewPaths(), nil)
			got += kl.PerPath()
		}
		want, paths := o.KL()
		testkit.Close(t, fmt.Sprintf("orders %v: divergence", orders), got*paths, want, 1e-5, 0)
	}
}

func TestOrderOneIsALine(t *testing.T) {
	q, _ := build(t, []int{1}, 1, rand.New(rand.NewPCG(3, 1)))
	w := q.Params()
	x := []float32{0, 0.25, 0.5, 0.75, 1}
	mean, _ := moments(t, q, x, 1)
	for p, at := range x {
		testkit.Close(t, "line", mean[p], float64(w[0])*(1-float64(at))+float64(w[1])*float64(at), 1e-6, 1e-7)
	}
}

// Mirroring an input and reversing its nodes is another name for the same f.
func TestMirroredInputsLeaveMomentsAsTheyAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	q, _ := build(t, []int{3, 5, 2}, 3, rng)
	turned := make([]float32, q.Size())
	e := q.Group(0).Ensemble
	for k, ordering := range e.Orderings() {
		for _, part := range []func([]float32, int) []float32{q.Mean, q.Variance} {
			from, to := e.Weights(part(q.Params(), 0), k), e.Weights(part(turned, 0), k)
			at, rows := 0, 1
			for _, input := range ordering {
				n := rows * e.Widths()[input]
				copy(to[at:at+n], from[at:at+n])
				slices.Reverse(to[at : at+n]) // rows and columns
				at, rows = at+n, e.Widths()[input]
			}
		}
	}
	x := points(50, 3, rng)
	mirrored := make([]float32, len(x))
	for i := range x {
		x[i] = float32(int(x[i]*4096)) / 4096 // 1 − x is exact
		mirrored[i] = 1 - x[i]
	}
	mean, variance := moments(t, q, x, 1)
	mean2, variance2 := moments(t, posterior(t, q.Surface, turned), mirrored, 1)
	for p := range mean {
		testkit.Close(t, "mean", mean2[p], mean[p], 1e-5, 1e-6)
		testkit.Close(t, "variance", variance2[p], variance[p], 1e-5, 0)
	}
}

// Rows stand for themselves: order, neighbours, blocks and workers change no bit.
func TestMomentsOfARowDependOnNothingElse(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const n, d = 3*256 + 17, 4
	q, _ := build(t, []int{4, 20, 0, 6}, 5, rng)
	x := points(n, d, rng)
	mean, variance := moments(t, q, x, 1)
	order := rng.Perm(n)
	shuffled := make([]float32, 0, len(x))
	for _, p := range order {
		shuffled = append(shuffled, x[p*d:(p+1)*d]...)
	}
	for _, workers := range []int{1, 2, 5} {
		mean2, variance2 := moments(t, q, shuffled, workers)
		for i, p := range order {
			if mean2[i] != mean[p] || variance2[i] != variance[p] {
				t.Fatalf("row %d, shuffled, %d workers: %g ± %g, want %g ± %g", p, workers, mean2[i], variance2[i], mean[p], variance[p])
			}
		}
	}
	for p := range 5 {
		mean1, variance1 := moments(t, q, x[p*d:(p+1)*d], 1)
		if mean1[0] != mean[p] || variance1[0] != variance[p] {
			t.Fatalf("row %d alone: %g ± %g, want %g ± %g", p, mean1[0], variance1[0], mean[p], variance[p])
		}
	}
}

// The conditional mean given one input against Gauss–Legendre quadrature of the
// posterior mean over the others, exact for these orders.
func TestEffectAgreesWithQuadrature(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	orders := []int{3, 5, 2}
	q, _ := build(t, orders, 4, rng)
	const k = 4
	nodes, weights := make([]float64, k), make([]float64, k)
	quad.Legendre{}.FixedLocations(nodes, weights, 0, 1)
	effect := q.Effect()
	var average float64
	for input := range orders {
		a, b := (input+1)%3, (input+2)%3
		for i, at := range nodes {
			var x []float32
			for _, ta := range nodes {
				for _, tb := range nodes {
					point := make([]float32, 3)
					point[input], point[a], point[b] = float32(at), float32(ta), float32(tb)
					x = append(x, point...)
				}
			}
			mean, _ := moments(t, q, x, 1)
			var want float64
			for p, m := range mean {
				want += m * weights[p/k] * weights[p%k]
			}
			var got float64
			for node, v := range testkit.Bernstein(orders[input], at) {
				got += effect[0][input][node] * v
			}
			testkit.Close(t, fmt.Sprintf("E[f | x_%d = %.3f]", input, at), got, want, 1e-5, 1e-5)
			if input == 0 {
				average += weights[i] * want
			}
		}
	}
	testkit.Close(t, "E[f]", q.Average(), average, 1e-5, 1e-5)
}

// Two groups are the sum of two processes, each with its share of the prior.
func TestGroupsAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	q1, _ := build(t, []int{3, 2}, 2, rng)
	q2, _ := build(t, []int{1, 6}, 4, rng)
	s, err := New(q1.Group(0), q2.Group(0))
	if err != nil {
		t.Fatal(err)
	}
	q := posterior(t, s, slices.Concat(q1.Params(), q2.Params()))
	x := points(9, 2, rng)
	mean, variance := moments(t, q, x, 1)
	mean1, variance1 := moments(t, q1, x, 1)
	mean2, variance2 := moments(t, q2, x, 1)
	for p := range mean {
		testkit.Close(t, "mean", mean[p], mean1[p]+mean2[p], 1e-6, 1e-6)
		testkit.Close(t, "variance", variance[p], variance1[p]*2/6+variance2[p]*4/6, 1e-6, 0)
	}
	if got := q.Effect(); len(got) != 2 {
		t.Errorf("%d groups of effects", len(got))
	}
	testkit.Close(t, "E[f]", q.Average(), q1.Average()+q2.Average(), 1e-9, 1e-9)
}

func TestNewRefuses(t *testing.T) {
	two, _ := build(t, []int{1, 1}, 1, rand.New(rand.NewPCG(8, 1)))
	one, _ := build(t, []int{1}, 1, rand.New(rand.NewPCG(8, 1)))
	e := two.Group(0).Ensemble
	b1, _ := basis.NewBernstein(1)
	b2, _ := basis.NewBernstein(2)
	b26, _ := basis.NewBernstein(26)
	wide, _ := buttress.New([]int{27}, nil, [][]int{{0}})
	for name, groups := range map[string][]Group{
		"no group":       nil,
		"unequal inputs": {two.Group(0), one.Group(0)},
		"missing basis":  {{Bases: []basis.Basis{b1}, Ensemble: e}},
		"other width":    {{Bases: []basis.Basis{b1, b2}, Ensemble: e}},
		"no prior":       {{Bases: []basis.Basis{b26}, Ensemble: wide}},
	} {
		if _, err := New(groups...); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := NewPosterior(two.Surface, make([]float32, 3)); err == nil {
		t.Error("parameters of another length are accepted")
	}
}

func TestMomentsStopWhenTheContextIsDone(t *testing.T) {
	q, _ := build(t, []int{1}, 1, rand.New(rand.NewPCG(9, 1)))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pool := simd.NewPool(1)
	defer pool.Close()
	if err := NewEvaluator(q, pool).Moments(ctx, []float32{0.5}, []float64{math.NaN()}, nil); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
