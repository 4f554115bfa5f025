package auto

import (
	"context"

	"beziergp/internal/process/basis"
)

// additive returns the component of an additive model, f(x) = Σ_i a_i(x_i): a straight line of each
// number, or with more than two nodes a spline, and any function of each category. Ridge regression
// finds it exactly, so that nothing is lost where an additive model is the truth, or all that the
// rows can tell.
func additive(nodes int) component {
	c := component{Kind: basis.KindSpline, Nodes: nodes, Orderings: 2, Amplitude: additiveAmplitude}
	if nodes == 2 {
		c.Kind = basis.KindBernstein
	}
	return c
}

// additiveAmplitude is c in c Π(1 + a_i/2c) − c Π(1 − a_i/2c) = Σ a_i + O(f³/c²): so large
// that the remainder, about f³/24c², is negligible, and so small that the difference
// keeps its digits in float32.
const additiveAmplitude = 64

// isAdditive tells whether the structure is that of an additive model.
func (s structure) isAdditive() bool {
	return len(s.Components) == 1 && s.Components[0].isAdditive()
}

func (c component) isAdditive() bool { return c == additive(c.Nodes) }

// isStraight tells whether an additive model has lines alone.
func (c component) isStraight() bool { return c.Nodes == 2 }

// What the regression takes at most: features f, rows n of them, and products f² n where n
// is more than 4 f.
const (
	additiveFeatures = 2500
	additiveRows     = 100_000
	additiveProducts = 4e9
)

// features returns the number of regressors of an additive model.
func (d *dataset) features(c component) (sum int) {
	for i, b := range d.bases {
		switch {
		case !basis.Ordered(b):
			sum += b.Nodes()
		case d.distinct[i] < 2:
		case c.isStraight():
			sum++
		default:
			sum += c.nodesOf(d.distinct[i])
		}
	}
	return sum
}

// fitAdditive finds the additive model by ridge regression, min ‖y − Z b‖² + λ ‖b‖², on
// standardised numbers, or the functions of their bases, and the indicators of categories.
func fitAdditive(ctx context.Context, w worker, data *dataset, numbers []int, s structure, seed uint64) (m member, err error) {
	if m.surface, err = s.surface(data, seed); err != nil {
		return m, err
	}
	if err := ctx.Err(); err != nil {
		return m, err
	}
	c := s.Components[0]
	f := data.features(c)
	most := max(4*f, int(min(additiveRows, additiveProducts/square(float64(max(f, 1))))))
	rows := data.some(numbers, most)
	w.fit.descent(1)(0)
	if !data.gaussian() {
		m.params, err = reweighted(ctx, m.surface, c, data, rows, s.Smoothness)
		return m, err
	}
	y, weight := make([]float64, len(rows)), make([]float64, len(rows))
	for p, j := range rows {
		y[p], weight[p] = float64(data.Y[j]), data.Weight(j)
	}
	design := newDesign(m.surface, c, data, rows, y, weight)
	m.params = design.lines(m.surface, design.solve(s.Smoothness)).params(m.surface)
	return m, nil
}

// some returns so many of the rows at most: the first, where they are in a random order,
// and else such as lie evenly, for rows of a fold are neighbours in time or of few groups.
func (d *dataset) some(numbers []int, most int) []int {
	if len(numbers) <= most || d.keys.IsZero() {
		return numbers[:min(len(numbers), most)]
	}
	some := make([]int, most)
	for i := range some {
		some[i] = numbers[i*len(numbers)/most]
	}
	return some
}
