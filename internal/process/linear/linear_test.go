package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// posterior returns random weights over bases given group by group.
func posterior(t testing.TB, rng *rand.Rand, r int, parts []surface.Part, groups ...[]basis.Basis) *surface.Posterior {
	t.Helper()
	var all []surface.Group
	for g, bases := range groups {
		var widths []int
		for _, b := range bases {
			widths = append(widths, b.Nodes())
		}
		e, err := buttress.New(widths, surface.Supports(bases), buttress.RandomOrderings(len(bases), r, rng))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, surface.Group{Bases: bases, Ensemble: e, Part: parts[g]})
	}
	s, err := surface.New(all...)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(rng.NormFloat64()) / 2
	}
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// averaged returns a basis with averages over coordinates drawn at random.
func averaged(t testing.TB, rng *rand.Rand, b basis.Basis, err error) basis.Basis {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float32, 100)
	for i := range x {
		x[i] = rng.Float32()
		if !basis.Ordered(b) {
			x[i] = float32(rng.IntN(b.Nodes()))
		}
	}
	a, err := basis.AverageOver(b, x)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// mixed returns bases of four inputs: two groups that differ in some of them.
func mixed(t testing.TB, rng *rand.Rand) [][]basis.Basis {
	spline := func(m int) basis.Basis { b, err := basis.NewSpline(m); return averaged(t, rng, b, err) }
	bernstein := func(o int) basis.Basis { b, err := basis.NewBernstein(o); return averaged(t, rng, b, err) }
	indicator := func(m int) basis.Basis { b, err := basis.NewIndicator(m); return averaged(t, rng, b, err) }
	level, first := indicator(3), spline(6)
	return [][]basis.Basis{{first, bernstein(2), level, bernstein(3)}, {first, spline(5), level, bernstein(1)}}
}

func random(rng *rand.Rand, s *Sum) Functional {
	f := s.NewFunctional()
	for i := range f {
		for j := range f[i] {
			f[i][j] = rng.NormFloat64()
		}
	}
	return f
}

// enumerated returns the sum over all paths of all groups of Π weight · factor.
func enumerated(p *Process, q *surface.Posterior, variance bool, f Functional) (sum float64) {
	for g := range q.Groups() {
		group := q.Group(g)
		w := q.Mean(q.Params(), g)
		if variance {
			w = nil
			for _, v := range q.Variance(q.Params(), g) {
				w = append(w, float32(math.Exp(float64(v))))
			}
		}
		if w == nil {
			continue
		}
		e := group.Ensemble
		at := make([]int, q.Inputs())
		for i, b := range group.Bases {
			for k, own := range p.Stack(i).Bases {
				if own.Spec().Key() == b.Spec().Key() {
					at[i] = p.Stack(i).At[k]
				}
			}
		}
		for k, ordering := range e.Orderings() {
			testkit.EachPath(e.Widths(), func(path []int) {
				product := testkit.PathProduct(e.Widths(), ordering, e.Weights(w, k), path)
				for i, node := range path {
					product *= f[i][at[i]+node]
				}
				sum += product
			})
		}
	}
	if variance {
		sum *= q.PriorScale()
	}
	return sum
}

func TestSumsAreThoseOverAllPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	q := posterior(t, rng, 5, []surface.Part{surface.Whole, surface.MeanOnly}, mixed(t, rng)...)
	p := New(q)
	if got := p.Stack(0).Width(); got != 6 {
		t.Errorf("equal bases are stacked once: %d functions, want 6", got)
	}
	for name, s := range map[string]*Sum{"mean": p.Mean(), "variance": p.Variance()} {
		f, pass := random(rng, s), s.NewPass()
		want := enumerated(p, q, name == "variance", f)
		testkit.Close(t, name, pass.Value(f), want, 1e-6, 1e-9)
		slopes := s.NewFunctional()
		testkit.Close(t, name+" with coefficients", pass.Coefficients(f, slopes), want, 1e-6, 1e-9)
		for i := range f {
			var sum float64
			for j := range f[i] {
				sum += slopes[i][j] * f[i][j]
			}
			testkit.Close(t, name+" by coefficients", sum, want, 1e-6, 1e-6)
			old := f[i][1]
			f[i][1] = old + 1
			testkit.Close(t, name+" coefficient", slopes[i][1], enumerated(p, q, name == "variance", f)-want, 1e-6, 1e-6)
			f[i][1] = old
		}
		for a := range f {
			for b := range f {
				if a == b {
					continue
				}
				c := pass.Pair(f, a, b)
				var sum float64
				for i, v := range f[a] {
					for j, u := range f[b] {
						sum += v * c.At(i, j) * u
					}
				}
				testkit.Close(t, name+" by pairs", sum, want, 1e-6, 1e-6)
			}
		}
	}
}

// At a point the functional is the value there: moments must be those of the evaluator.
func TestValuesAtPointsAreTheMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	q := posterior(t, rng, 4, []surface.Part{surface.Whole, surface.Whole}, mixed(t, rng)...)
	p := New(q)
	x := []float32{0.3, 0.7, 2, 0.9, 0, 1, 0, float32(math.NaN())}
	const n = 2
	at := make([]Functional, n)
	for row := range at {
		at[row] = p.Mean().NewFunctional()
		for i := range at[row] {
			p.Stack(i).Values(at[row][i], x[row*4+i:row*4+i+1])
		}
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	mean, variance, cov := make([]float64, n), make([]float64, n), make([]float64, 1)
	e := surface.NewEvaluator(q, pool)
	if err := e.Moments(context.Background(), x, mean, variance); err != nil {
		t.Fatal(err)
	}
	if err := e.Covariance(context.Background(), x[:4], x[4:], cov); err != nil {
		t.Fatal(err)
	}
	m, v := p.Mean().NewPass(), p.Variance().NewPass()
	for row := range at {
		testkit.Close(t, "mean", m.Value(at[row]), mean[row], 1e-5, 1e-6)
		testkit.Close(t, "variance", v.Value(p.Product(at[row], at[row])), variance[row], 1e-5, 1e-6)
	}
	testkit.Close(t, "covariance", v.Value(p.Product(at[0], at[1])), cov[0], 1e-5, 1e-6)
	k := p.NewPoints(x).NewKernel()
	for i := range at {
		for j := range at {
			testkit.Close(t, "kernel", k.Covariance(i, j), v.Value(p.Product(at[i], at[j])), 1e-12, 1e-14)
		}
	}
}

// Kernels at many points, local or not, are those of the passes.
func TestKernelsAreThoseOfThePasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	q := posterior(t, rng, 3, []surface.Part{surface.Whole, surface.Whole}, mixed(t, rng)...)
	p := New(q)
	const n = 20
	var x []float32
	for range n {
		x = append(x, rng.Float32(), rng.Float32(), float32(rng.IntN(3)), rng.Float32())
	}
	x[4*3+1], x[4*5+2] = float32(math.NaN()), float32(math.NaN())
	x[0], x[4] = 0, 1
	k, v := p.NewPoints(x).NewKernel(), p.Variance().NewPass()
	at := func(row int) Functional {
		f := p.Variance().NewFunctional()
		for i := range f {
			p.Stack(i).Values(f[i], x[row*4+i:row*4+i+1])
		}
		return f
	}
	zeros := 0
	for i := range n {
		for j := range n {
			want := v.Value(p.Product(at(i), at(j)))
			testkit.Close(t, "kernel", k.Covariance(i, j), want, 1e-12, 1e-14)
			if want == 0 {
				zeros++
			}
		}
	}
	if zeros == 0 {
		t.Error("no pair has levels that differ")
	}
}

// Five hundred inputs of small weights leave the range of numbers on the way.
func TestManyInputsStayInRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	b, err := basis.NewBernstein(1)
	if err != nil {
		t.Fatal(err)
	}
	bases := make([]basis.Basis, 500)
	for i := range bases {
		bases[i] = b
	}
	q := posterior(t, rng, 2, []surface.Part{surface.MeanOnly}, bases)
	for i := range q.Params() {
		q.Params()[i] = 1e-3
	}
	p := New(q)
	f := p.Mean().NewFunctional()
	for i := range f { // two layers multiply by 1, each by what soon leaves the range
		f[i][0] = 500 * math.Pow(1e40, float64(1-i%2*2))
		f[i][1] = f[i][0]
	}
	slopes := p.Mean().NewFunctional()
	testkit.Close(t, "value", p.Mean().NewPass().Coefficients(f, slopes), 2, 1e-4, 0)
	testkit.Close(t, "slope", slopes[250][0], 2./1000e40, 1e-4, 0)
	testkit.Close(t, "pair", p.Mean().NewPass().Pair(f, 7, 300).At(0, 1), 2./1e6, 1e-4, 0)
}

// What tells whether an input is known is so in the average over rows that have it, and not where a coordinate is unknown.
func TestAveragesKnowTheirInputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	bases := mixed(t, rng)[0]
	known := []basis.Basis{basis.NewKnown(), basis.NewKnown(), basis.NewKnown(), basis.NewKnown()}
	p := New(posterior(t, rng, 2, []surface.Part{surface.VarianceOnly, surface.VarianceOnly}, bases, known))
	for i := range p.stacks {
		s := &p.stacks[i]
		last, all := s.At[1], s.Averages()
		if all[last] != 1 || all[last+1] != 0 {
			t.Errorf("input %d: averages %v of whether it is known", i, all[last:])
		}
		one := make([]float64, s.Width())
		s.Values(one, []float32{float32(math.NaN())})
		if one[last] != 0 || one[last+1] != 1 {
			t.Errorf("input %d: values %v where it is not known", i, one[last:])
		}
	}
}
