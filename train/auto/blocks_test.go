package auto

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/train"
)

// workersOf returns a worker of so many processors.
func workersOf(t *testing.T, n int) worker {
	pool := simd.NewPool(n)
	t.Cleanup(pool.Close)
	return worker{pool: pool}
}

// regressionOf returns a regression of a category and a number, which rows may lack, with weights that differ, in three parts, and its Z as a dense matrix.
func regressionOf(t *testing.T, n int, rng *rand.Rand) (*regression, *mat.Dense) {
	d := ofNames(t, n, func(int, *rand.Rand) float64 { return 0 }).withAllLevels()
	d.X[1], d.X[3] = float32(math.NaN()), float32(math.NaN())
	of, err := structure{Scaling: train.ByRanks, Components: []component{mainEffects(8, 1)}}.surface(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := newRegression(workersOf(t, 2).pool, of.Group(0).Bases, d, upTo(n))
	r.parts = 3
	r.sums = make([][]float64, r.parts)
	weight := make([]float64, n)
	for p := range weight {
		weight[p] = 0.2 + rng.Float64()
	}
	r.weigh(weight)
	z := mat.NewDense(n, len(r.averages), nil)
	for p := range n {
		lacks := map[int]bool{}
		first, values := r.rows.row(p)
		for i, a := range first {
			lacks[i] = int(a) >= len(r.averages)
			for k, v := range values[:r.rows.support[i]] {
				if !lacks[i] {
					z.Set(p, int(a)+k, float64(v))
				}
			}
			values = values[r.rows.support[i]:]
		}
		for a, v := range r.averages {
			if !lacks[r.input[a]] {
				z.Set(p, a, z.At(p, a)-v)
			}
		}
	}
	return r, z
}

// A product is Zᵀ W (Z b + μ).
func TestProductOfMainEffects(t *testing.T) {
	const n = 300
	rng := rand.New(rand.NewPCG(1, 1))
	r, z := regressionOf(t, n, rng)
	f := len(r.averages)
	at := make([]float64, f+1)
	for a := range at {
		at[a] = rng.NormFloat64()
	}
	var fitted, want mat.VecDense
	fitted.MulVec(z, mat.NewVecDense(f, at[:f]))
	sum := 0.0
	for p := range n {
		fitted.SetVec(p, r.weight[p]*(fitted.AtVec(p)+at[f]))
		sum += fitted.AtVec(p)
	}
	want.MulVec(z.T(), &fitted)
	got := r.product(at)
	testkit.Close(t, "of μ", got[f], sum, 1e-9, 1e-9)
	for a := range f {
		testkit.Close(t, "of b", got[a], want.AtVec(a), 1e-6, 1e-6)
	}
}

// The blocks of conjugate gradients are those of Σ w (φ − m)(φ − m)ᵀ + λP, with the weighted means m of an input's functions over the rows that have it.
func TestBlocksOfMainEffects(t *testing.T) {
	const n, lambda = 300, 0.7
	rng := rand.New(rand.NewPCG(2, 2))
	r, _ := regressionOf(t, n, rng)
	by, ok := r.blocks(lambda)
	if !ok || len(by.inputs) != len(r.first) {
		t.Fatalf("%d blocks of %d inputs", len(by.inputs), len(r.first))
	}
	v := make([]float64, len(r.averages)+1)
	for a := range v {
		v[a] = rng.NormFloat64()
	}
	got := by.solved(v)
	testkit.Close(t, "of μ", got[len(v)-1]*r.sum, v[len(v)-1], 1e-12, 0)
	for i, b := range by.inputs {
		size := b.to - b.from
		var weight float64
		mean, square := make([]float64, size), mat.NewDense(size, size, nil)
		for p := range n {
			phi, has := make([]float64, size), false
			first, values := r.rows.row(p)
			for _, support := range r.rows.support[:i] {
				values = values[support:]
			}
			for k, v := range values[:r.rows.support[i]] {
				if at := int(first[i]) + k; at < b.to {
					phi[at-b.from], has = float64(v), true
				}
			}
			if !has {
				continue
			}
			weight += r.weight[p]
			for j, x := range phi {
				mean[j] += r.weight[p] * x
				for k, y := range phi {
					square.Set(j, k, square.At(j, k)+r.weight[p]*x*y)
				}
			}
		}
		var penalty []float64
		for j := range size {
			one := make([]float64, len(r.averages))
			one[b.from+j] = 1
			product := make([]float64, len(one))
			r.penalised(product, one, lambda)
			penalty = product[b.from:b.to]
			for k := range size {
				square.Set(j, k, square.At(j, k)-mean[j]*mean[k]/weight+penalty[k])
			}
		}
		var back mat.VecDense
		back.MulVec(square, mat.NewVecDense(size, got[b.from:b.to]))
		for j := range size {
			testkit.Close(t, "block times its inverse", back.AtVec(j), v[b.from+j], 1e-6, 1e-6)
		}
		if weight == r.sum {
			t.Errorf("no row lacks input %d", i)
		}
	}
}
