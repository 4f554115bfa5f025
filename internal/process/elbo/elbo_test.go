package elbo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

func newSurface(t testing.TB, orders []int, r int, rng *rand.Rand) *surface.Surface {
	t.Helper()
	var bases []basis.Basis
	var widths []int
	for _, order := range orders {
		b, err := basis.NewBernstein(order)
		if err != nil {
			t.Fatal(err)
		}
		bases, widths = append(bases, b), append(widths, order+1)
	}
	e, err := buttress.New(widths, nil, buttress.RandomOrderings(len(orders), r, rng))
	if err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(surface.Group{Bases: bases, Ensemble: e})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// oracle returns the process with these parameters for enumeration. It shares the
// memory of params.
func oracle(t testing.TB, s *surface.Surface, orders []int, params []float32) testkit.Process {
	t.Helper()
	e := s.Group(0).Ensemble
	o := testkit.Process{
		Widths: e.Widths(), Orderings: e.Orderings(),
		Basis: func(input int, x float64) []float64 { return testkit.Bernstein(orders[input], x) },
	}
	for _, b := range s.Group(0).Bases {
		prior, err := b.PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		o.Prior = append(o.Prior, prior)
	}
	for k := range e.Buttresses() {
		o.W, o.V = append(o.W, e.Weights(s.Mean(params, 0), k)), append(o.V, e.Weights(s.Variance(params, 0), k))
	}
	return o
}

func normals(n int, sd float64, rng *rand.Rand) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(sd * rng.NormFloat64())
	}
	return v
}

func uniforms(n int, rng *rand.Rand) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = rng.Float32()
	}
	return v
}

func coordinates(x []float32, p, d int) []float64 {
	out := make([]float64, d)
	for i := range out {
		out[i] = float64(x[p*d+i])
	}
	return out
}

func evaluate(s *surface.Surface, law Likelihood, rows, workers int, params []float32, logNoise float64, x, y []float32) (Terms, []float32) {
	pool := simd.NewPool(workers)
	defer pool.Close()
	gradient := make([]float32, len(params))
	return NewBound(s, law, rows, pool).Evaluate(params, logNoise, Batch{X: x, Y: y}, gradient), gradient
}

func TestBoundAndGradientAgreeWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, orders := range [][]int{{4}, {1, 3}, {2, 0, 3}, {1, 2, 1, 2}} {
		const n, batch = 20, 5 // a mini-batch stands for all rows
		d := len(orders)
		s := newSurface(t, orders, 2, rng)
		params := normals(s.Size(), 0.5, rng)
		x, y := uniforms(batch*d, rng), normals(batch, 1, rng)
		logNoise := -1.3
		o := oracle(t, s, orders, params)
		enumerate := func() (squared, variance, kl, paths float64) {
			for p, target := range y {
				at := coordinates(x, p, d)
				r := float64(target) - o.Mean(at)
				squared += r * r * n / batch
				variance += o.Covariance(at, at) * n / batch
			}
			kl, paths = o.KL()
			return
		}
		terms, gradient := evaluate(s, likelihood.Gaussian{}, n, 1, params, logNoise, x, y)
		squared, variance, kl, paths := enumerate()
		noise := math.Exp(logNoise)
		what := fmt.Sprintf("orders %v: ", orders)
		testkit.Close(t, what+"½ Σ (y−μ)²", terms.Loss, squared/2, 1e-5, 0)
		testkit.Close(t, what+"½ Σ Var f", terms.Variance, variance/2, 1e-5, 0)
		testkit.Close(t, what+"KL", terms.Divergence(), kl, 1e-5, 0)
		testkit.Close(t, what+"log τ", terms.KL[0].LogPaths, math.Log(paths), 1e-12, 1e-12)
		elbo := -0.5*(n*math.Log(2*math.Pi*noise)+(squared+variance)/noise) - kl
		testkit.Close(t, what+"ELBO", terms.ELBO(), elbo, 1e-5, 0)
		objective := func() float64 {
			squared, variance, kl, _ := enumerate()
			return 0.5*(squared+variance) + noise*kl
		}
		testkit.Close(t, what+"objective", terms.Objective(), objective(), 1e-5, 0)
		for i := range params {
			want := testkit.CentralDifference(objective, &params[i], 1e-3)
			testkit.Close(t, fmt.Sprintf("%sgradient by parameter %d", what, i), float64(gradient[i]), want, 1e-4, 1e-4)
		}
	}
}

// regression is exact Bayesian linear regression on the Bernstein polynomials with
// the prior's variances. evidence is log p(y), y ~ N(0, Φ diag(ς) Φᵀ + σ² I). meanField
// is the best bound of an independent posterior: it has the exact mean and the
// variances 1/Λ_ii of the exact precision Λ = ΦᵀΦ/σ² + diag(1/ς), which leaves the
// gap ½ (Σ log Λ_ii − log det Λ).
func regression(order int, prior []float64, noise float64, x, y []float32) (evidence, meanField float64) {
	n, m := len(y), order+1
	phi := mat.NewDense(n, m, nil)
	for i, at := range x {
		phi.SetRow(i, testkit.Bernstein(order, float64(at)))
	}
	var precision mat.SymDense
	precision.SymOuterK(1/noise, phi.T())
	gap := 0.0
	weighted := mat.DenseCopyOf(phi)
	for i, v := range prior {
		precision.SetSym(i, i, precision.At(i, i)+1/v)
		gap += 0.5 * math.Log(precision.At(i, i))
		for row := range n {
			weighted.Set(row, i, phi.At(row, i)*math.Sqrt(v))
		}
	}
	gap -= 0.5 * factorize(&precision).LogDet()

	var k mat.SymDense
	k.SymOuterK(1, weighted)
	target := mat.NewVecDense(n, nil)
	for i, v := range y {
		k.SetSym(i, i, k.At(i, i)+noise)
		target.SetVec(i, float64(v))
	}
	chol := factorize(&k)
	var solved mat.VecDense
	if err := chol.SolveVecTo(&solved, target); err != nil {
		panic(err)
	}
	evidence = -0.5 * (mat.Dot(target, &solved) + chol.LogDet() + float64(n)*math.Log(2*math.Pi))
	return evidence, evidence - gap
}

func factorize(a mat.Symmetric) *mat.Cholesky {
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		panic("not positive definite")
	}
	return &chol
}

// descend maximises the bound over all weights on one full batch.
func descend(s *surface.Surface, logNoise float64, x, y []float32, steps int, check func(Terms)) Terms {
	pool := simd.NewPool(1)
	defer pool.Close()
	b, adam := NewBound(s, likelihood.Gaussian{}, len(y), pool), optim.NewAdam(s.Ends()...)
	params, gradient := make([]float32, s.Size()), make([]float32, s.Size())
	var terms Terms
	for step := range steps {
		terms = b.Evaluate(params, logNoise, Batch{X: x, Y: y}, gradient)
		check(terms)
		adam.Step(params, gradient, 0.05*math.Pow(0.01, float64(step)/float64(steps)), pool)
	}
	return terms
}

// With one input and one buttress the control points are the weights themselves,
// so the bound is that of a mean-field posterior of a linear model: never above
// the log evidence, equal to it where the exact posterior is independent, and
// elsewhere with a best value in closed form.
func TestBoundOfOneInputAgainstExactRegression(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	const noise = 0.1
	for _, c := range []struct {
		order int
		x     []float32
		tight bool
	}{
		{0, uniforms(9, rng), true},         // one control point
		{1, []float32{0, 0, 1, 1, 1}, true}, // each row sees one of two
		{3, uniforms(30, rng), false},
		{5, []float32{0, 0.2, 0.4, 0.6, 0.8, 1}, false},
		{20, append(uniforms(40, rng), 0, 1), false},
	} {
		s := newSurface(t, []int{c.order}, 1, rng)
		prior, err := s.Group(0).Bases[0].PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float32, len(c.x))
		for i, at := range c.x {
			y[i] = float32(math.Sin(5*float64(at)) + 0.3*rng.NormFloat64())
		}
		exact, meanField := regression(c.order, prior, noise, c.x, y)
		terms := descend(s, math.Log(noise), c.x, y, 3000, func(terms Terms) {
			if bound := terms.ELBO(); bound > exact+1e-4*math.Abs(exact) {
				t.Fatalf("order %d: bound %g above the log evidence %g", c.order, bound, exact)
			}
		})
		what := fmt.Sprintf("order %d: best bound", c.order)
		testkit.Close(t, what, terms.ELBO(), meanField, 1e-3, 1e-3)
		if c.tight {
			testkit.Close(t, what+" against the log evidence", terms.ELBO(), exact, 1e-4, 1e-4)
		}
	}
}

// Workers change no bit, whether they share out buttresses or tiles and whether
// states are kept or computed again; and tiles, row order and the split into batches
// change rounding only.
func TestBoundDoesNotDependOnHowItIsComputed(t *testing.T) {
	for _, buttresses := range []int{1, 2, 5} {
		for name, law := range map[string]Likelihood{"linear in Var f": likelihood.Gaussian{}, "any": general{likelihood.Gaussian{}}} {
			t.Run(fmt.Sprint(buttresses, " ", name), func(t *testing.T) { boundDoesNotDependOnHowItIsComputed(t, buttresses, law) })
		}
	}
}

func boundDoesNotDependOnHowItIsComputed(t *testing.T, buttresses int, law Likelihood) {
	rng := rand.New(rand.NewPCG(3, 1))
	orders := []int{5, 2, 0, 7}
	const d, n = 4, 7*256 + 44 // eight tiles, in waves of two and of three and two
	s := newSurface(t, orders, buttresses, rng)
	params := normals(s.Size(), 0.4, rng)
	x, y := uniforms(n*d, rng), normals(n, 1, rng)
	terms, gradient := evaluate(s, law, n, 1, params, -2, x, y)
	same := func(what string, other Terms, otherGradient []float32) {
		t.Helper()
		if other.Objective() != terms.Objective() || !slices.Equal(gradient, otherGradient) {
			t.Errorf("%s: objective %v and gradient differ from %v", what, other.Objective(), terms.Objective())
		}
	}
	for _, workers := range []int{2, 3, 4, 8} {
		other, otherGradient := evaluate(s, law, n, workers, params, -2, x, y)
		same(fmt.Sprint(workers, " workers"), other, otherGradient)
	}
	pool := simd.NewPool(2)
	defer pool.Close()
	b := NewBound(s, law, n, pool)
	for _, l := range b.tilePasses {
		clear(l.means.kept)
		clear(l.variances.kept)
	}
	again := make([]float32, len(params))
	same("states computed again", b.Evaluate(params, -2, Batch{X: x, Y: y}, again), again)
	same("a second evaluation", b.Evaluate(params, -2, Batch{X: x, Y: y}, again), again)

	close := func(what string, objective float64, other []float64) {
		t.Helper()
		testkit.Close(t, what+": objective", objective, terms.Objective(), 1e-6, 0)
		for i := range other {
			testkit.Close(t, fmt.Sprint(what, ": gradient ", i), other[i], float64(gradient[i]), 1e-3, 1e-3)
		}
	}
	shuffledX, shuffledY := make([]float32, 0, len(x)), make([]float32, 0, n)
	for _, p := range rng.Perm(n) {
		shuffledX, shuffledY = append(shuffledX, x[p*d:(p+1)*d]...), append(shuffledY, y[p])
	}
	shuffled, otherGradient := evaluate(s, law, n, 1, params, -2, shuffledX, shuffledY)
	close("rows shuffled", shuffled.Objective(), toFloat64(otherGradient))

	// The average over batches of equal size is the whole.
	const parts = 4
	average, objective := make([]float64, len(params)), 0.0
	for part := range parts {
		from, to := part*n/parts, (part+1)*n/parts
		terms, gradient := evaluate(s, law, n, 1, params, -2, x[from*d:to*d], y[from:to])
		objective += terms.Objective() / parts
		for i, g := range gradient {
			average[i] += float64(g) / parts
		}
	}
	close("split into batches", objective, average)
}

func toFloat64(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// At d = 385 and order 5 the number of control points, 6^385, overflows every
// float; the objective of the paper's first phase does not.
func TestObjectiveStaysFiniteWhereTheBoundDoesNot(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	orders := make([]int, 385)
	for i := range orders {
		orders[i] = 5
	}
	s := newSurface(t, orders, 2, rng)
	params := make([]float32, s.Size())
	for i := range s.Mean(params, 0) {
		s.Mean(params, 0)[i] = 1 + float32(0.1*rng.NormFloat64())
	}
	logNoise := -s.Group(0).Ensemble.LogPaths()
	terms, gradient := evaluate(s, likelihood.Gaussian{}, 4, 1, params, logNoise, uniforms(4*385, rng), normals(4, 1, rng))
	if v := terms.Objective(); math.IsNaN(v) || math.IsInf(v, 0) {
		t.Errorf("objective %g", v)
	}
	for i, g := range gradient {
		if math.IsNaN(float64(g)) || math.IsInf(float64(g), 0) {
			t.Fatalf("gradient %d is %g", i, g)
		}
	}
}
