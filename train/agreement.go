package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"beziergp/model"
	"beziergp/predictive"
)

// agreement tells how much less an average of the members errs than one of them, who
// alone was seen at rows that training had not touched.
type agreement struct {
	members, twins int
	// apart is the mean square by which members without different folds differ, over
	// that by which twins do.
	apart float64
}

// agree sets the noise of the average of the members and its conformal score from
// what twins tell.
func (r *run) agree(ctx context.Context, p *parts, o *outOfFold, variance []float64) error {
	m := p.members
	p.agreement, p.conformal = 1, o.conformal(model.Level)
	if m.twins == nil || r.lacks(Average) {
		return nil
	}
	apart, err := r.apart(ctx, m, len(o.folds))
	if err != nil {
		return err
	}
	a := agreement{len(m.params), len(m.params) - len(o.folds), apart}
	all, err := r.sample(ctx, p, someOf(o.folds))
	if err != nil {
		return err
	}
	twins := m.twins[:min(len(m.twins), calibrationRows)]
	pairs, err := r.sample(ctx, p, slices.Concat(o.folds...)[:len(twins)])
	if err != nil {
		return err
	}
	p.agreement = a.ofAverage(all, pairs, twins, func(s *sample, mean []float64) float64 {
		return s.likeliest(p, o, variance, mean)
	})
	scales := p.scales
	scales.Noise *= p.agreement
	if o, err = scales.predictions(m, o.folds, variance, p.noise); err != nil {
		return err
	}
	p.conformal = o.conformal(model.Level) * math.Sqrt(a.ofAverage(all, pairs, twins, func(s *sample, mean []float64) float64 {
		return outerScore(o.scores(s.rows, mean))
	}))
	return nil
}

// sample are some rows with what members say of them that have not seen them.
type sample struct {
	rows    []int
	own     []float64
	density []float64 // the shapes of their distributions; nil where they have none
}

func (r *run) sample(ctx context.Context, p *parts, which []int) (*sample, error) {
	s := &sample{rows: which, own: p.members.of(which)}
	if p.tilt == nil {
		return s, nil
	}
	s.density = make([]float64, len(which)*predictive.Nodes)
	return s, p.tilt.NewEvaluator(r.pool).Densities(ctx, r.data.inputs(which), s.own, s.density)
}

// ofAverage returns the spread, a measure of errors like their variance, of the
// average of all members in units of that of single ones. Errors of twins, which
// differ in their random start, are alike to some part, for the average of two has
// (1 + alike)/2 of a single one's spread. A mean of squares is less for an average by
// the sum over all pairs of their squared difference, over the square of their number;
// members without different folds differ more than twins. Scales fit members better
// than twins, from which they were not learned; so will they fit the average.
func (a agreement) ofAverage(all, pairs *sample, twins []float64, spread func(s *sample, mean []float64) float64) float64 {
	both := make([]float64, len(twins))
	floats.AddTo(both, pairs.own, twins)
	floats.Scale(0.5, both)
	single := (spread(pairs, pairs.own) + spread(pairs, twins)) / 2
	differ := 1 - max(0, min(1, 2*spread(pairs, both)/single-1))
	k := float64(a.members)
	others := k*(k-1)/2 - float64(a.twins)
	less := 2 / (k * k) * (float64(a.twins)*differ + others*min(1, a.apart*differ))
	return min(1, single/spread(all, all.own)*(1-less))
}

// likeliest returns the factor of the noise under which the targets are likeliest
// around a mean. The likelihood is that of the whole distribution, shape included:
// humps of a shape that is the same for all members stay where they are.
func (s *sample) likeliest(p *parts, o *outOfFold, variance, mean []float64) float64 {
	data := o.members.data
	at := func(step float64) (sum float64) {
		c := p.scales
		c.Noise *= math.Pow(factorStep, step)
		for i, j := range s.rows {
			d := predictive.Distribution{Location: mean[i], Scale: math.Sqrt(c.total(j, variance, p.noise)), Family: o.family}
			if s.density != nil {
				d.Density = s.density[i*predictive.Nodes:][:predictive.Nodes]
			}
			sum += data.weight(j) * d.LogDensity(float64(data.Y[j]))
		}
		return sum
	}
	return math.Pow(factorStep, climb(at))
}

// Factors of the noise that are compared: powers of factorStep up to the factorSteps-th
// and down to its inverse.
const (
	factorStep  = 1.2
	factorSteps = 10
)

// climb returns where f is highest: it goes uphill from zero in whole steps, and then
// to the top of the parabola through the highest and its neighbours.
func climb(f func(step float64) float64) float64 {
	left, here, right := f(-1), f(0), f(1)
	var at float64
	for ; right > here && at < factorSteps; at++ {
		left, here, right = here, right, f(at+2)
	}
	for ; left > here && at > -factorSteps; at-- {
		left, here, right = f(at-2), left, here
	}
	bend := left - 2*here + right
	if bend >= 0 || here < max(left, right) {
		return at
	}
	return at + (left-right)/(2*bend)
}

// outerScore returns the mean square of the scores about the quantile that bounds an
// interval: one quantile alone is a matter of chance where rows are few.
func outerScore(sorted []float64) float64 {
	n := float64(len(sorted))
	some := sorted[int(0.9*n):max(int(0.99*n), int(0.9*n)+1)]
	return floats.Dot(some, some) / float64(len(some))
}

// apart returns the mean square by which members without different folds differ over
// that by which twins do. What a member has seen it has learned by heart, so they are
// compared at rows that nobody has: those of which one input is another row's. The
// median over rows bears with the few that are far off.
func (r *run) apart(ctx context.Context, m *members, folds int) (float64, error) {
	d, of := len(r.data.Bases), min(r.data.rows(), rowsToCompare)
	drawn := r.data.with(r.data.inputs(r.order[:of]))
	rng := rand.New(rand.NewPCG(r.Seed, streamCompared))
	numbers := make([]int, of)
	for j := range numbers {
		numbers[j] = j
		i := rng.IntN(d)
		drawn.X[j*d+i] = r.data.row(r.order[rng.IntN(len(r.order))])[i]
	}
	said := make([][]float64, len(m.surfaces))
	for k, s := range m.surfaces {
		said[k] = make([]float64, of)
		if err := (rows{drawn, numbers}).predict(ctx, s, m.params[k], said[k], r.pool, r.limits); err != nil {
			return 0, err
		}
	}
	var twins, others []float64
	squares := make([]float64, of)
	for k, a := range said {
		for l, b := range said[:k] {
			for j := range squares {
				squares[j] = square(a[j] - b[j])
			}
			slices.Sort(squares)
			if median := stat.Quantile(0.5, stat.Empirical, squares, nil); l == k-folds {
				twins = append(twins, median)
			} else {
				others = append(others, median)
			}
		}
	}
	if same := stat.Mean(twins, nil); same > 0 {
		return max(1, stat.Mean(others, nil)/same), nil
	}
	return 1, nil
}

// rowsToCompare are enough for a median.
const rowsToCompare = 2000
