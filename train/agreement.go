package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/predictive"
)

// agree returns the noise of the average of the members in units of that of one, who
// alone was seen at rows that training had not touched. Twins, which differ in their
// random start, tell how far members are apart at rows that neither has seen, and so
// how large the errors of the average would be there.
func (r *run) agree(ctx context.Context, p *parts, o *outOfFold, variance []float64) (float64, error) {
	m := p.members
	if m.twins == nil || r.lacks(Average) {
		return 1, nil
	}
	apart, err := r.apart(ctx, m, len(o.folds))
	if err != nil {
		return 0, err
	}
	twins := m.twins[:min(len(m.twins), calibrationRows)]
	pairs, err := r.sample(ctx, p, o.rows()[:len(twins)])
	if err != nil {
		return 0, err
	}
	// Scales were learned from the members' own errors, whose luck is that of rows where
	// they are few, and else that of the members, of which all together have none.
	reference := pairs
	if len(m.outside) > fewRows {
		if reference, err = r.sample(ctx, p, someOf(o.folds)); err != nil {
			return 0, err
		}
	}
	likeliest := func(s *sample, mean []float64) float64 { return s.likeliest(p, o, variance, mean) }
	average := ofAverage(m.data.Y, pairs, twins, removed(len(m.params), len(m.params)-len(o.folds), apart))
	return min(1, likeliest(pairs, average)/likeliest(reference, reference.own)), nil
}

// removed returns how many times the mean square by which twins differ, halved, the
// average of members has less in its squared error than one of them: that of an average is
// less by the sum over all pairs of their squared difference, over the square of their
// number. Members without different folds are further apart than twins.
func removed(members, twins int, apart float64) float64 {
	k, same := float64(members), float64(twins)
	return 2 / (k * k) * (same + (k*(k-1)/2-same)*apart)
}

// ofAverage returns means that err as much as the average of all members would: the
// means of twins, which have lost once the square of their halved difference, with what
// else is removed taken from the squared errors row by row, so that where members agree
// errors stay what they are.
func ofAverage(y []float32, pairs *sample, twins []float64, removed float64) []float64 {
	mean := make([]float64, len(twins))
	for i, j := range pairs.rows {
		target := float64(y[j])
		off := (pairs.own[i]+twins[i])/2 - target
		apart := (pairs.own[i] - twins[i]) / 2
		mean[i] = target + math.Copysign(math.Sqrt(max(0, off*off-(2*removed-1)*apart*apart)), off)
	}
	return mean
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
	return s, p.tilt.NewEvaluator(r.pool).Densities(ctx, r.data.inputs(which), s.own, s.density, nil)
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
