package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/model"
)

// doubtComponent is the group that carries the model's own uncertainty. Its nodes
// are closer where there are few inputs, so that a gap of a tenth of an input's
// range shows.
func doubtComponent(d int) component {
	if d <= 4 {
		return component{basis.KindSpline, 41, 10, 0}
	}
	return component{basis.KindSpline, 21, 10, 0}
}

// doubtSmoothness is λ of the log-weights V.
const doubtSmoothness = 0.01

// startDoubt is the log of Var f that training starts from, on the way from the
// prior to what it is at training rows.
const startDoubt = -2

// strange is the number of inputs, at most, that a strange row has.
const strange = 2

// familiarity is what a training row weighs against a strange one: Var f where both
// are as likely is one over it, nearly.
const familiarity = 100

// contrastLoss is the part of the evidence lower bound that Var f has, the divergence
// from the prior being taken at strange rows, y = 1, instead of at the control
// points: ½ familiarity · f at the others, and at these ½ (f − 1 − log f), which is
// that of a Gaussian of variance f from one of variance one.
func contrastLoss(f, y float64) (value, slope float64) {
	if y == 0 {
		return 0.5 * familiarity * f, 0.5 * familiarity
	}
	f = max(f, smallestNoise)
	return 0.5 * (f - 1 - math.Log(f)), 0.5 * (1 - 1/f)
}

// fitDoubt trains the variance of f. That of the prior, a product over the inputs, is one
// at the nodes and near it between them: where very many inputs say the same, all of its
// factors are off in the same way, and it leaves the range of numbers, or starts from too
// far off to be learned. Every other input is then left out of it, as often as it takes.
func (r *run) fitDoubt(ctx context.Context, numbers []int) (*model.Doubt, error) {
	for every := 1; ; every *= 2 {
		d, err := r.fitDoubtOf(ctx, numbers, r.doubtInputs(every))
		last := every >= len(r.data.Bases)
		if err != nil && (last || !diverged(err)) {
			return nil, err
		}
		if err == nil {
			if known, err := r.knows(ctx, d, numbers); known || last || err != nil {
				return d, err
			}
		}
	}
}

// knows tells whether Var f is less at training rows, or so many of them, than the
// prior's.
func (r *run) knows(ctx context.Context, d *model.Doubt, numbers []int) (bool, error) {
	const most = 1 << 10
	var some []int
	for i := 0; i < len(numbers); i += max(1, len(numbers)/most) {
		some = append(some, numbers[i])
	}
	variance, err := r.variances(ctx, d, some)
	return stat.Mean(variance, nil) < 1, err
}

// doubtInputs returns which inputs Var f depends on: categories, and of the others that
// vary every so many.
func (r *run) doubtInputs(every int) []bool {
	used, ordered := make([]bool, len(r.data.Bases)), 0
	for i, b := range r.data.Bases {
		used[i] = true
		if basis.Ordered(b) && r.distinct[i] > 1 {
			used[i] = ordered%every == 0
			ordered++
		}
	}
	return used
}

// fitDoubtOf trains the variance of f as a function of some inputs, by contrast: it is to
// be zero at the training rows and the prior's, one, at strange rows, those of which one
// input or two are drawn anew over a box that is wider than the rows'. So it is low where
// there are rows and rises in gaps and beyond the box.
func (r *run) fitDoubtOf(ctx context.Context, numbers []int, used []bool) (*model.Doubt, error) {
	w := r.wide()
	data, distinct, drawn := w.Data, slices.Clone(w.distinct), []int{}
	data.Bases = slices.Clone(data.Bases)
	for i, use := range used {
		if use {
			drawn = append(drawn, i)
			continue
		}
		constant, err := basis.NewBernstein(0)
		if err != nil {
			return nil, err
		}
		data.Bases[i], distinct[i] = constant, 1
	}
	like, err := (shape{Components: []component{doubtComponent(len(w.Inputs)).within(r.cost, distinct)}}).surface(data, distinct, r.Seed+doubtSeed)
	if err != nil {
		return nil, err
	}
	group := like.Group(0)
	group.Part = surface.VarianceOnly
	s, err := surface.New(group)
	if err != nil {
		return nil, err
	}
	v := make([]float32, s.Size()) // the prior, but for the first layers
	for k := range group.Ensemble.Buttresses() {
		own := group.Ensemble.Weights(v, k)
		for j := range group.Ensemble.Widths()[group.Ensemble.Orderings()[k][0]] {
			own[j] = startDoubt
		}
	}
	o := descent{
		objective: elbo.NewVariance, loss: contrastLoss, steps: r.doubtSteps, batch: r.batch, rate: 3 * rate(len(w.Inputs)),
		smoothness: doubtSmoothness, seed: r.Seed + doubtSeed, step: r.progress.step,
		alter: func(step int, x, y []float32) {
			r.contrast(x, y, drawn, rand.New(rand.NewPCG(r.Seed+doubtSeed, streamBatches+uint64(step))))
		},
	}
	if err := o.run(ctx, s, rows{w.Data, numbers}, v, r.pool); err != nil {
		return nil, err
	}
	q, err := surface.NewPosterior(s, v)
	return &model.Doubt{Inputs: w.Inputs, Surface: q}, err
}

// widened is the training set in a box that is wider than its rows.
type widened struct {
	Data
	distinct []int
}

// wide returns the rows in a wider box.
func (r *run) wide() *widened {
	if r.widened != nil {
		return r.widened
	}
	w := &widened{r.data.with(slices.Clone(r.data.X)), slices.Clone(r.distinct)}
	w.Inputs = slices.Clone(r.data.Inputs)
	for i, in := range r.data.Inputs {
		if r.distinct[i] > 1 && basis.Ordered(r.data.Bases[i]) {
			w.Inputs[i], w.distinct[i] = in.Widen(), maxDistinct // nodes between values and beyond them
		}
	}
	rescale(w.X, r.data, w.Inputs)
	r.widened = w
	return w
}

// contrast makes every other row a strange one in inputs of those given, and the targets
// tell which.
func (r *run) contrast(x, y []float32, drawn []int, rng *rand.Rand) {
	d := len(r.data.Bases)
	for p := range y {
		y[p] = float32(p % 2)
		if p%2 == 0 {
			continue
		}
		for range 1 + rng.IntN(strange) {
			i := drawn[rng.IntN(len(drawn))]
			switch b := r.data.Bases[i]; {
			case !basis.Ordered(b):
				x[p*d+i] = float32(rng.IntN(b.Nodes()))
			case r.distinct[i] > 1:
				x[p*d+i] = rng.Float32()
			}
		}
	}
}

const doubtSeed = 0x646f756274 // "doubt"

// variances returns Var f at some rows.
func (r *run) variances(ctx context.Context, d *model.Doubt, numbers []int) ([]float64, error) {
	of := len(numbers)
	variance := make([]float64, of)
	return variance, surface.NewEvaluator(d.Surface, r.pool).Moments(ctx, r.wide().inputs(numbers), make([]float64, of), variance)
}
