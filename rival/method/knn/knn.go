// Package knn averages the targets of the nearest rows in standardised inputs, and under a
// law counts their classes. How many, and how far off the average is, comes from leaving rows
// out one by one.
package knn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"beziergp/internal/limit"
	"beziergp/rival/method"
)

// Method's zero value is its default.
type Method struct {
	// Neighbours are the numbers of neighbours to choose from; by default 1, 2, 3, 5,
	// 8, 13, 21 and 34, and of classes, counts and other laws 89 and 233 too. Those above
	// n − 1 are passed over.
	Neighbours []int `json:"neighbours"`
	// Probe is the most rows that are left out to choose and to learn errors, a random
	// sample where there are more; by default 10000.
	Probe int `json:"probe"`
}

func (m Method) options() (Method, error) {
	if m.Neighbours == nil {
		m.Neighbours = []int{1, 2, 3, 5, 8, 13, 21, 34}
	}
	m.Probe = cmp.Or(m.Probe, 10000)
	for _, k := range m.Neighbours {
		if err := limit.Check("neighbours", k, limit.Count); err != nil {
			return m, err
		}
	}
	if m.Probe < 1 || len(m.Neighbours) == 0 {
		return m, fmt.Errorf("knn: probe of %d rows, %d numbers of neighbours; give 1 or more of each", m.Probe, len(m.Neighbours))
	}
	return m, nil
}

// pooled is the number of probed rows whose errors tell the variance at a point, and
// as many again of the variance of all of them hold it.
const pooled = 16

type regressor struct {
	scaling *method.Scaling
	workers int
	learned learned
	rows    *tree
	y       []float64
	probe   *tree
	errors  []float64 // squared, of the probed rows
}

type learned struct {
	Options    Method  `json:"options"`
	Neighbours int     `json:"neighbours"` // k
	Error      float64 `json:"error"`      // mean of the squared errors
}

// Fit implements [method.Method].
func (m Method) Fit(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	chosen := m.Neighbours != nil
	m, err := m.options()
	if err != nil {
		return nil, err
	}
	if data.Law != nil {
		return m.fitLaw(ctx, data, env, chosen)
	}
	standard, scaling, err := method.Standardise(data)
	if err != nil {
		return nil, err
	}
	r := &regressor{scaling: scaling, workers: env.Pool(), learned: learned{Options: m, Error: math.Inf(1)}, y: standard.Y, rows: grow(standard.X, data.Inputs)}
	probe := sample(data.Rows(), m.Probe, env.Seed)
	errs, err := r.leaveOut(ctx, m.Neighbours, probe)
	if err != nil {
		return nil, err
	}
	for c, k := range m.Neighbours {
		var mean float64
		for _, e := range errs[c] {
			mean += e / float64(len(probe))
		}
		if k < data.Rows() && mean < r.learned.Error {
			r.learned.Neighbours, r.learned.Error, r.errors = k, mean, errs[c]
		}
	}
	if r.errors == nil {
		return nil, fewer(data.Rows())
	}
	x := make([]float64, 0, len(probe)*data.Inputs)
	for _, row := range probe {
		x = append(x, standard.X[row*data.Inputs:(row+1)*data.Inputs]...)
	}
	r.probe = grow(x, data.Inputs)
	return r, nil
}

func fewer(rows int) error {
	return &method.DataError{Err: fmt.Errorf("knn: no number of neighbours is below the %d rows; give a smaller one", rows)}
}

// sample returns all of n rows or so many of them, drawn at random, in order.
func sample(n, size int, seed uint64) []int {
	random := rand.New(rand.NewPCG(seed, 0))
	rows := make([]int, 0, min(n, size))
	for i := range n {
		// Knuth's algorithm S: each row with the share of those still wanted.
		if left := min(n, size) - len(rows); random.IntN(n-i) < left {
			rows = append(rows, i)
		}
	}
	return rows
}

// leaveOut returns the squared errors of probed rows, each predicted from all other
// rows, for every number of neighbours: [choices][probe].
func (r *regressor) leaveOut(ctx context.Context, choices, probe []int) ([][]float64, error) {
	most := 0
	errs := make([][]float64, len(choices))
	for c, k := range choices {
		errs[c], most = make([]float64, len(probe)), max(most, k)
	}
	d := r.rows.d
	err := method.Blocks(ctx, r.workers, len(probe), 64, func(_, from, to int) error {
		var found []neighbour
		for p := from; p < to; p++ {
			row := probe[p]
			found = r.rows.nearest(found, r.rows.x[row*d:(row+1)*d], most, row)
			for c, k := range choices {
				e := r.y[row] - r.average(found, k)
				errs[c][p] = e * e
			}
		}
		return nil
	})
	return errs, err
}

// average is the mean target of the k first found.
func (r *regressor) average(found []neighbour, k int) float64 {
	k = min(k, len(found))
	var sum float64
	for _, n := range found[:k] {
		sum += r.y[n.row]
	}
	return sum / float64(k)
}

func (r *regressor) Predict(ctx context.Context, x, mean, std []float64) error {
	d := r.rows.d
	return r.scaling.Predict(x, mean, std, func(rows, mean, variance []float64) error {
		return method.Blocks(ctx, r.workers, len(mean), 64, func(_, from, to int) error {
			var found []neighbour
			for i := from; i < to; i++ {
				query := rows[i*d : (i+1)*d]
				found = r.rows.nearest(found, query, r.learned.Neighbours, -1)
				mean[i] = r.average(found, r.learned.Neighbours)
				found = r.probe.nearest(found, query, pooled, -1)
				sum := pooled * r.learned.Error
				for _, n := range found {
					sum += r.errors[n.row]
				}
				variance[i] = sum / float64(pooled+len(found))
			}
			return nil
		})
	})
}
