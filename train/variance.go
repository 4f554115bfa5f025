package train

import (
	"context"
	"math"
	"math/rand/v2"

	"beziergp/basis"
	"beziergp/elbo"
	"beziergp/optim"
	"beziergp/surface"
)

// varianceComponent is the group that carries the model's own uncertainty.
var varianceComponent = component{basis.KindSpline, 11, 10, 0}

// fitVariance trains the variance buttresses of a group of their own, apart from
// the mean as a Gaussian likelihood allows: they see the inputs alone, and keep the
// prior where there are no rows. It returns the group and its log-weights V.
func (r *run) fitVariance(ctx context.Context, noise float64) (surface.Group, []float32, error) {
	like, err := (shape{Components: []component{varianceComponent}}).surface(r.data, r.distinct, r.Seed+varianceSeed)
	if err != nil {
		return surface.Group{}, nil, err
	}
	group := like.Group(0)
	group.Part = surface.Whole // W stays zero: the mean has no part in this
	s, err := surface.New(group)
	if err != nil {
		return surface.Group{}, nil, err
	}
	params, gradient := make([]float32, s.Size()), make([]float32, s.Size())
	bound, adam := elbo.NewBound(s, r.data.rows(), r.pool), optim.NewAdam(s.Size())
	batches := newSampler(r.Seed+varianceSeed, r.data.rows(), r.batch)
	which := make([]int, batches.batch)
	x, y := make([]float32, len(which)*len(r.data.Bases)), make([]float32, len(which))
	all := rows{r.data, everyRow(r.data.rows())}
	// One row for every weight of a layer outweighs the prior.
	logNoise := math.Log(noise*widest*widest) - s.Group(0).Ensemble.LogPaths()
	for t := range r.varianceSteps {
		if err := ctx.Err(); err != nil {
			return group, nil, err
		}
		batches.rowsAt(t, which)
		all.gather(which, x, y)
		clear(y)
		bound.Evaluate(params, logNoise, elbo.Batch{X: x, Y: y}, gradient)
		adam.Step(params, gradient, 2*rate(len(r.data.Bases))*(1-float64(t)/float64(r.varianceSteps)), r.pool)
		r.progress.step()
	}
	v := append([]float32(nil), s.Variance(params, 0)...)
	group.Part = surface.VarianceOnly
	return group, v, nil
}

// widest is the number of nodes of the widest layers.
const widest = 11

const varianceSeed = 0x646f756274 // "doubt"

// split shares the numbers below n out in k parts at random.
func split(n, k int, seed uint64) [][]int {
	numbers := rand.New(rand.NewPCG(seed, streamFolds)).Perm(n)
	k = min(k, n)
	parts := make([][]int, k)
	for i := range parts {
		parts[i] = numbers[i*n/k : (i+1)*n/k]
	}
	return parts
}
