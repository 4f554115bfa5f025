package analysis

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/samplemv"

	"beziergp/internal/process/linear"
)

// sampled are estimates by replicate, in deviations of the target.
type sampled struct {
	rest   []float64   // E[(f − μ − Σ f_i)²], [replicates]
	totals [][]float64 // V_Ti, [d][replicates]
	closed [][]float64 // of groups
	groups [][]float64
}

// ratio returns an estimate over the variance: its error allows for that of either.
func (s *sampled) ratio(of []float64, first []float64) Estimate {
	var known float64
	for _, v := range first {
		known += v
	}
	variances := make([]float64, len(of))
	for r, rest := range s.rest {
		variances[r] = known + rest
	}
	return ratio(of, variances)
}

// mostHalton is the largest number of inputs of a Halton sequence; of more it is Latin
// hypercubes, for primes above are too few samples' own.
const mostHalton = 200

// uniforms returns n points of low discrepancy in the unit cube of d dimensions: a Halton
// sequence scrambled at random (Owen, 2017), or a Latin hypercube.
func uniforms(n, d int, seed, replicate uint64) *mat.Dense {
	u := mat.NewDense(n, d, nil)
	src := rand.NewPCG(seed, 0x736f626f6c<<8+replicate) // the letters "sobol"
	cube := unit(d)
	if d > mostHalton {
		samplemv.LatinHypercube{Q: cube, Src: src}.Sample(u)
		return u
	}
	samplemv.Halton{Kind: samplemv.Owen, Q: cube, Src: src}.Sample(u)
	return u
}

// unit is the uniform distribution on a cube, by its quantiles.
type unit int

func (d unit) Quantile(dst, p []float64) []float64 {
	if dst == nil {
		dst = make([]float64, d)
	}
	copy(dst, p)
	return dst
}

// sample makes the estimates.
func (a *Analysis) sample(ctx context.Context, v *moments, o SobolOptions) (*sampled, error) {
	d, each := len(a.inputs), o.Samples/Replicates
	s := &sampled{rest: make([]float64, Replicates), totals: rows(d), closed: rows(len(o.Groups)), groups: rows(len(o.Groups))}
	from := 0.5
	if o.NoPairs {
		from = 0
	}
	err := share(ctx, o.Workers, Replicates, func() func(r int) {
		w := newPointwise(a, v)
		return func(r int) {
			dimensions := d
			if len(o.Groups) > 0 {
				dimensions = 2 * d // groups are drawn anew by the second half
			}
			u := uniforms(each, dimensions, o.Seed, uint64(r))
			for p := 0; p < each && ctx.Err() == nil; p++ {
				own := u.RawRowView(p)
				f := w.at(own[:d])
				rest := w.rest(f, w.phi)
				for i := range d {
					s.totals[i][r] += quadratic(v.gram[i], w.c[i]) / float64(each)
				}
				s.rest[r] += rest * rest / float64(each)
				for g, inputs := range o.Groups {
					closed, total := w.redrawn(rest, own[d:], inputs)
					s.closed[g][r] += closed / float64(each)
					s.groups[g][r] += total / float64(each)
				}
			}
		}
	}, o.Progress, from, 1)
	return s, err
}

func rows(n int) [][]float64 {
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, Replicates)
	}
	return all
}

// pointwise evaluates the mean and its coefficients at points. It serves one caller at a
// time.
type pointwise struct {
	a      *Analysis
	v      *moments
	pass   *linear.Pass
	phi, c linear.Functional // of the last point
	other  linear.Functional
	t      [1]float32
}

func newPointwise(a *Analysis, v *moments) *pointwise {
	s := a.mean.Mean()
	return &pointwise{a: a, v: v, pass: s.NewPass(), phi: s.NewFunctional(), c: s.NewFunctional(), other: s.NewFunctional()}
}

// at returns f at the point whose inputs are below a share u of their laws, and leaves its
// basis values and c.
func (w *pointwise) at(u []float64) float64 {
	w.fill(w.phi, u, nil)
	return w.pass.Coefficients(w.phi, w.c)
}

func (w *pointwise) fill(dst linear.Functional, u []float64, only []int) {
	one := func(i int) {
		in := &w.a.inputs[i]
		w.t[0] = coordinate(in.Input, in.rule.Quantile(u[i]))
		w.a.mean.Stack(i).Values(dst[i], w.t[:])
	}
	if only == nil {
		for i := range dst {
			one(i)
		}
		return
	}
	for _, i := range only {
		one(i)
	}
}

// rest returns f − μ − Σ f_i at a point where the mean is f: what is left to interactions.
func (w *pointwise) rest(f float64, phi linear.Functional) float64 {
	rest := f - w.v.mean
	for i, c := range w.v.c {
		rest -= dot(c, phi[i]) - w.v.mean
	}
	return rest
}

// redrawn returns, of a group of inputs, what they explain and what all need them for: with g
// the interactions' part of f, whose value at the point is g, Σ_G V_i plus
// g(x) (g(x_G, z_∼G) − g(z)) (Saltelli et al., 2010) and (g(x) − g(z_G, x_∼G))²/2 (Jansen, 1999).
func (w *pointwise) redrawn(g float64, u []float64, inputs []int) (closed, total float64) {
	for i := range w.other {
		copy(w.other[i], w.phi[i])
	}
	w.fill(w.other, u, inputs)
	own := w.rest(w.pass.Value(w.other), w.other)
	w.fill(w.other, u, nil)
	z := w.rest(w.pass.Value(w.other), w.other)
	var alone float64
	for _, i := range inputs {
		copy(w.other[i], w.phi[i])
		alone += w.v.first[i]
	}
	return alone + g*(w.rest(w.pass.Value(w.other), w.other)-z), alone + (g-own)*(g-own)/2
}

// share calls do for 0 … n−1 on so many workers, each with what prepare gives it. A share of
// what is done goes to progress as the range from … to.
func share(ctx context.Context, workers, n int, prepare func() func(i int), progress func(float64), from, to float64) error {
	var wg sync.WaitGroup
	var next atomic.Int64
	var mu sync.Mutex // of done and progress
	done := 0
	for range min(max(1, workers), n) {
		wg.Go(func() {
			do := prepare()
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				do(i)
				if progress != nil {
					mu.Lock()
					done++
					progress(from + (to-from)*float64(done)/float64(n))
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
