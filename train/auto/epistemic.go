package auto

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/model"
	"beziergp/train"
)

// epistemic is the epistemic variance, Var f.
type epistemic struct {
	model     *model.Auxiliary // learned from all rows
	outOfFold []float64        // [n] Var f of row j by the surface without its fold; zero where there is none
	learned   []float64        // [n] the same without the variances of inputs that are not known; nil where there are none
}

// ofInputs returns Var f as it was learned, of the inputs alone.
func (v epistemic) ofInputs() epistemic {
	if v.learned != nil {
		v.outOfFold, v.learned = v.learned, nil
	}
	return v
}

// varianceFit is a surface of Var f, with its values at the rows of its fold.
type varianceFit struct {
	member
	outOfFold []float64
}

func (f *varianceFit) parts() (*member, []*[]float64) {
	return &f.member, []*[]float64{&f.outOfFold}
}

// auxiliary returns the surface of Var f as a model has it.
func (m member) auxiliary(data *dataset) (*model.Auxiliary, error) {
	q, err := surface.NewPosterior(m.surface, m.params)
	return &model.Auxiliary{Inputs: data.wide().inputs, Surface: q, Variance: true}, err
}

// fitEpistemic learns Var f from all rows, for the model, and without each of the first
// folds, for the out-of-fold Var f at the rows of that fold.
func fitEpistemic(ctx context.Context, w worker, p plan, data *dataset, folds partition, first int) (epistemic, error) {
	tasks := append(everyTask(1, first), task{fold: noFold})
	fits, err := crossFit(ctx, w.in(train.PhaseEpistemic, 0), folds, tasks, func(ctx context.Context, w worker, _ task, rest, held []int) (*varianceFit, error) {
		m, err := fitVariance(ctx, w, p, data, rest)
		if err != nil {
			return nil, err
		}
		variance, err := variances(ctx, w, data, m, held)
		if err != nil {
			return nil, err
		}
		return &varianceFit{m, variance}, nil
	}, nil)
	if err != nil {
		return epistemic{}, err
	}
	whole, err := fits[first].auxiliary(data)
	if err != nil {
		return epistemic{}, err
	}
	e := epistemic{model: whole, outOfFold: make([]float64, data.Len())}
	for k, fit := range fits[:first] {
		for i, j := range folds.folds[k] {
			e.outOfFold[j] = fit.outOfFold[i]
		}
	}
	return e, nil
}

// epistemicComponent is the group of Var f. Its nodes are closer where there are few
// inputs, so that a gap of a tenth of an input's range shows. Every step moves all its weights, so that large categories lie apart.
func epistemicComponent(d int) component {
	if d <= 4 {
		return component{Kind: basis.KindSpline, Nodes: 41, Orderings: 10, Apart: true}
	}
	return component{Kind: basis.KindSpline, Nodes: 21, Orderings: 10, Apart: true}
}

const (
	// epistemicSmoothness is λ of the log-weights V.
	epistemicSmoothness = 0.01
	// startLogVariance is the log of Var f that training starts from, between that of the
	// prior, 0, and the values at training rows.
	startLogVariance = -2
	epistemicSeed    = 0x646f756274 // the letters "doubt", from which files of older versions were made
)

// fitVariance learns Var f from some rows. The prior's Var f is a product over the inputs of
// factors Σ_i ς_i φ_i², which are one at the nodes and near one between them. Where very many
// inputs carry the same information, all factors deviate from one in the same direction, and
// the product leaves the range of numbers, or starts too far off to be learned. Every other
// input is then left out of it, as often as it takes.
func fitVariance(ctx context.Context, w worker, p plan, data *dataset, numbers []int) (member, error) {
	for every := 1; ; every *= 2 {
		m, err := fitVarianceOf(ctx, w, p, data, numbers, data.oneInput(every))
		last := every >= data.Inputs
		if err != nil && (last || !diverged(err)) {
			return m, err
		}
		if err == nil {
			if known, err := belowPrior(ctx, w, data, m, numbers); known || last || err != nil {
				return m, err
			}
		}
	}
}

// belowPrior tells whether Var f is less at training rows, or so many of them, than the
// prior's, which is one.
func belowPrior(ctx context.Context, w worker, data *dataset, m member, numbers []int) (bool, error) {
	const most = 1 << 10
	var some []int
	for i := 0; i < len(numbers); i += max(1, len(numbers)/most) {
		some = append(some, numbers[i])
	}
	variance, err := variances(ctx, w, data, m, some)
	return stat.Mean(variance, nil) < 1, err
}

// oneInput returns which inputs to take of so many: categories, and of the numbers that
// vary one.
func (d *dataset) oneInput(of int) []bool {
	used, ordered := make([]bool, d.Inputs), 0
	for i, b := range d.bases {
		used[i] = true
		if basis.Ordered(b) && d.distinct[i] > 1 {
			used[i] = ordered%of == 0
			ordered++
		}
	}
	return used
}

// fitVarianceOf learns Var f as a function of some inputs, by [contrastiveLoss]: it is drawn
// to zero at the training rows and to the prior's, one, at negative samples, which are rows
// of which one input or two are drawn anew from a box that is wider than that of the rows.
// So it is low where there are rows and rises in gaps and beyond the box.
func fitVarianceOf(ctx context.Context, w worker, p plan, data *dataset, numbers []int, used []bool) (m member, err error) {
	wide := *data.wide()
	wide.bases, wide.distinct = slices.Clone(wide.bases), slices.Clone(wide.distinct)
	var drawn []int
	for i, use := range used {
		if use {
			drawn = append(drawn, i)
			continue
		}
		constant, err := basis.NewBernstein(0)
		if err != nil {
			return m, err
		}
		wide.bases[i], wide.distinct[i] = constant, 1
	}
	s, err := varianceSurface(&wide, p.varianceCost(wide.distinct).within(epistemicComponent(wide.Inputs), p.sideTime), p.seed+epistemicSeed)
	if err != nil {
		return m, err
	}
	m = member{surface: s, params: startVariance(s)}
	o := descent.Descent{
		Objective: elbo.NewVariance, Loss: contrastiveLoss, Steps: p.epistemicSteps, Batch: p.batch, Rate: 3 * rate(wide.Inputs),
		Smoothness: epistemicSmoothness, Seed: p.seed + epistemicSeed, Step: w.fit.descent(p.epistemicSteps),
		Alter: func(step int, x, y []float32) {
			data.drawNegatives(x, y, drawn, descent.Random(p.seed+epistemicSeed, descent.StreamBatches+uint64(step)))
		},
	}
	return m, o.Run(ctx, s, wide.Only(numbers), m.params, w.pool)
}

// varianceSurface returns one group of variance buttresses.
func varianceSurface(data *dataset, c component, seed uint64) (*surface.Surface, error) {
	like, err := structure{Components: []component{c}}.surface(data, seed)
	if err != nil {
		return nil, err
	}
	group := like.Group(0)
	group.Part = surface.VarianceOnly
	return surface.New(group)
}

// startVariance returns the prior's log-weights, but for the first layers.
func startVariance(s *surface.Surface) []float32 {
	v := make([]float32, s.Size())
	changeFirst(s.Group(0), v, func(float32) float32 { return startLogVariance })
	return v
}

// variances returns Var f at some rows.
func variances(ctx context.Context, w worker, data *dataset, m member, numbers []int) ([]float64, error) {
	a, err := m.auxiliary(data)
	if err != nil {
		return nil, err
	}
	variance := make([]float64, len(numbers))
	x := data.wide().Coordinates(numbers)
	return variance, a.NewEvaluator(w.pool).Values(ctx, x, make([]float64, len(numbers)), variance)
}
