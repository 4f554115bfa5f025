package inducing

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"beziergp/rival/method"
)

// Start returns m inducing points [m, d] for the rows x [n, d]: all distinct rows if
// there are no more than m, else the means of Lloyd's k-means, begun by k-means++
// (Arthur and Vassilvitskii, SODA 2007). Rows must be in lexicographic order, as
// [method.Standardise] leaves them.
func Start(ctx context.Context, workers int, x []float64, d, m int, seed uint64) ([]float64, error) {
	distinct := slices.Clone(x[:d])
	for i := d; i < len(x); i += d {
		if !slices.Equal(x[i:i+d], x[i-d:i]) {
			distinct = append(distinct, x[i:i+d]...)
		}
	}
	if len(distinct) <= m*d {
		return distinct, nil
	}
	const rounds = 10 // Lloyd's steps; what is left, gradients do better
	k := &means{ctx: ctx, workers: workers, x: x, d: d, nearest: make([]int, len(x)/d), distance: make([]float64, len(x)/d)}
	if err := k.seed(m, rand.New(rand.NewPCG(seed, 1))); err != nil {
		return nil, err
	}
	for range rounds {
		if err := k.assign(); err != nil {
			return nil, err
		}
		k.move()
	}
	return k.centres, nil
}

// means is the state of k-means: the nearest centre of every row and the squared
// distance to it.
type means struct {
	ctx      context.Context
	workers  int
	x        []float64
	d        int
	centres  []float64 // [m, d]
	nearest  []int
	distance []float64
}

const block = 1024

func (k *means) row(i int) []float64 { return k.x[i*k.d : (i+1)*k.d] }

// seed draws each centre from the rows with odds of the squared distance to those
// before it.
func (k *means) seed(m int, random *rand.Rand) error {
	for i := range k.distance {
		k.distance[i] = math.Inf(1)
	}
	at := random.IntN(len(k.distance))
	for {
		k.centres = append(k.centres, k.row(at)...)
		centre := k.centres[len(k.centres)-k.d:]
		err := method.Blocks(k.ctx, k.workers, len(k.distance), block, func(_, from, to int) error {
			for i := from; i < to; i++ {
				k.distance[i] = min(k.distance[i], squared(k.row(i), centre))
			}
			return nil
		})
		if err != nil || len(k.centres) == m*k.d {
			return err
		}
		var total float64
		for _, v := range k.distance {
			total += v
		}
		left := random.Float64() * total
		for i, v := range k.distance {
			if v > 0 {
				at = i // the last row with any odds, should rounding leave a rest
			}
			if left -= v; left < 0 {
				break
			}
		}
	}
}

// assign finds every row's nearest centre.
func (k *means) assign() error {
	return method.Blocks(k.ctx, k.workers, len(k.distance), block, func(_, from, to int) error {
		for i := from; i < to; i++ {
			row, best := k.row(i), math.Inf(1)
			for c := range len(k.centres) / k.d {
				if v := squared(row, k.centres[c*k.d:(c+1)*k.d]); v < best {
					best, k.nearest[i] = v, c
				}
			}
		}
		return nil
	})
}

// move puts every centre at the mean of its rows; one without rows stays.
func (k *means) move() {
	sums, counts := make([]float64, len(k.centres)), make([]float64, len(k.centres)/k.d)
	for i, c := range k.nearest {
		counts[c]++
		for j, v := range k.row(i) {
			sums[c*k.d+j] += v
		}
	}
	for c, count := range counts {
		for j := range k.d {
			if count > 0 {
				k.centres[c*k.d+j] = sums[c*k.d+j] / count
			}
		}
	}
}

func squared(a, b []float64) float64 {
	var sum float64
	for j, v := range a {
		sum += (v - b[j]) * (v - b[j])
	}
	return sum
}
