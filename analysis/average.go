package analysis

import (
	"context"
	"math"
	"math/rand/v2"
)

// Average is a weighted sum of f over rows, Σ w_i f(x_i): a mean, a total, or the difference
// of two means.
type Average struct {
	Number
	// StdError is the standard error of Std where it is an estimate, from pairs of rows
	// drawn at random; 0 where all pairs were taken.
	StdError float64
	Pairs    int // of rows, whose covariance was taken
}

// mostTurns are the shifts of an estimate; each takes every row once with another one.
const mostTurns = 64

// Weighted returns Σ w_i f(x_i) over the rows, w [n]: its mean and its deviation,
// Var = Σ_ij w_i w_j Cov(f(x_i), f(x_j)), which is not the sum of the rows' variances. Where
// there are more pairs than [RowsOptions.MostPairs] the sum over i ≠ j is an estimate: rows in a random order are
// taken with those 64 random distances on.
func (r *Rows) Weighted(ctx context.Context, w []float64, seed uint64) (Average, error) {
	if len(w) != r.Len() {
		panic("analysis: weights that are not one a row")
	}
	n := r.Len()
	var a Average
	for i, v := range r.mean {
		a.Mean += w[i] * v
	}
	shared := r.common.weighted(w, r.bins)
	if pairs := n * (n + 1) / 2; pairs <= r.mostPairs {
		variance, err := r.exact(ctx, w)
		a.Std, a.Pairs = math.Sqrt(max(0, r.factor*variance)+shared), pairs
		return a, err
	}
	diagonal, shifts, err := r.shifted(ctx, w, seed)
	e := estimate(shifts)
	variance := max(0, r.factor*(diagonal+e.Value)) + shared
	a.Std, a.Pairs = math.Sqrt(variance), n*(len(shifts)+1)
	if e.Error *= r.factor; a.Std > 0 {
		a.StdError = e.Error / (2 * a.Std)
	} else {
		a.StdError = math.Sqrt(e.Error)
	}
	return a, err
}

// exact returns wᵀ K w, without the factor of variances.
func (r *Rows) exact(ctx context.Context, w []float64) (sum float64, err error) {
	n := r.Len()
	sums := make([]float64, n)
	err = share(ctx, r.workers, n, func() func(i int) {
		k := r.points.NewKernel()
		return func(i int) {
			if w[i] == 0 {
				return
			}
			own := w[i] * k.Covariance(i, i)
			for j := i + 1; j < n; j++ {
				own += 2 * w[j] * k.Covariance(i, j)
			}
			sums[i] = w[i] * own
		}
	}, nil, 0, 1)
	for _, v := range sums {
		sum += v
	}
	return sum, err
}

// shifted returns Σ w_i² k_ii, and estimates of the sum over i ≠ j, one a distance.
func (r *Rows) shifted(ctx context.Context, w []float64, seed uint64) (diagonal float64, shifts []float64, err error) {
	n := r.Len()
	turns := min(mostTurns, n-1)
	rng := rand.New(rand.NewPCG(seed, 0x7061697273)) // the letters "pairs"
	order, distances := rng.Perm(n), rng.Perm(n - 1)[:turns]
	shifts = make([]float64, turns+1)
	err = share(ctx, r.workers, turns+1, func() func(s int) {
		k := r.points.NewKernel()
		return func(s int) {
			distance, factor := 0, 1.0
			if s < turns {
				distance, factor = 1+distances[s], float64(n-1)
			}
			var sum float64
			for p, i := range order {
				j := order[(p+distance)%n]
				sum += w[i] * w[j] * k.Covariance(i, j)
			}
			shifts[s] = factor * sum
		}
	}, nil, 0, 1)
	return shifts[turns], shifts[:turns], err
}
