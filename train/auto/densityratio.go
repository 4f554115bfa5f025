package auto

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/surface"
	"beziergp/internal/splitmix"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/train"
)

// densityRatio is that of the targets' distribution to the reference, a Student's t or
// Gaussian, as a function of the inputs.
type densityRatio struct {
	model     *model.Auxiliary
	structure ratioStructure
	folds     [][]int   // of the members
	outOfFold []float64 // its log at rows of all folds, and then, if asked for, at the others, [.., predictive.Nodes]
}

// ratioStructure is a structure for the log of the density ratio: nodes of the inputs,
// and the smoothness.
type ratioStructure struct {
	Nodes      int     `json:"nodes"`
	Smoothness float64 `json:"smoothness"`
	Places     int     `json:"places,omitempty"` // nodes of u, 0 for placeNodes
	Power      float64 `json:"power"`            // that the ratio is raised to
}

const (
	// placeNodes are those of u, the place in the distribution, and finePlaces of a candidate for densities
	// with spikes, as of rows of which many have the target of another row of the same inputs.
	placeNodes = 16
	finePlaces = predictive.Nodes
	// ratioOrderings are those of a member.
	ratioOrderings = 10
	// gainForRatio is the gain in likelihood below which the ratio is one.
	gainForRatio = 0.005
	ratioSeed    = 0x74696c74 // the letters "tilt", from which files of older versions were made
)

// ratioCandidates returns the structures that the log ratio may have.
func ratioCandidates(e Effort, rows int) []ratioStructure {
	switch {
	case rows <= fewRows:
		return []ratioStructure{{Nodes: 4, Smoothness: 300}, {Nodes: 4, Smoothness: 100}, {Nodes: 4, Smoothness: 30}}
	case e == Fast:
		return []ratioStructure{{Nodes: 4, Smoothness: 300}, {Nodes: 4, Smoothness: 30}, {Nodes: 10, Smoothness: 3}}
	}
	return []ratioStructure{{Nodes: 4, Smoothness: 1000}, {Nodes: 4, Smoothness: 200}, {Nodes: 4, Smoothness: 30}, {Nodes: 10, Smoothness: 5}, {Nodes: 10, Smoothness: 1}, {Nodes: 10, Smoothness: 5, Places: finePlaces}}
}

// fitDensityRatio learns the distribution of the errors: the density w(u | x) of u = F(y),
// the place of a target in its reference distribution F, which is uniform where F is
// right, a Gaussian's, Student's t, or that of a law that gives amounts. It is the ratio of the target's density to the reference's,
//
//	p(y | x) = F′(y) · w(F(y) | x)
//
// Rows stand beside negative samples, copies of themselves whose u is drawn anew,
// uniformly; the logit that tells them apart is log w (noise-contrastive estimation,
// Gutmann & Hyvärinen, JMLR 13, 2012). How smooth it is, and whether the ratio is other
// than one at all, is chosen by the likelihood out of fold; members are trained without
// each fold and averaged. A ratio that gains in likelihood and adds to the CRPS has spikes at wrong
// places: its power is then as low as it takes to add nothing. The result is nil for a ratio of one.
func fitDensityRatio(ctx context.Context, w worker, p plan, data *dataset, f *forecasts) (*densityRatio, error) {
	if len(f.rows()) < fewestForNoise || len(p.ratios) == 0 {
		return nil, nil
	}
	places, predicted, err := f.places(data)
	if err != nil {
		return nil, err
	}
	folds := partition{f.rows(), f.folds}
	switch {
	case !data.gaussian() && data.keys.IsZero(): // whose members are many
		folds = folds.merged(mergedParts)
	case len(f.folds) == 1: // of rows that are marked
		folds = data.split(f.rows(), p.noiseFolds, p.seed+ratioSeed)
	}
	half := p
	half.ratioSteps /= 2
	half.outOfFold = false
	tries, err := crossFitRatios(ctx, w.in(train.PhaseDensityRatio, choosing), half, data, f, folds, p.ratios, places, predicted, min(p.held, len(folds.folds)))
	if err != nil {
		return nil, err
	}
	best, most := -1, gainForRatio
	for i, own := range tries {
		if own != nil && own.gain > most {
			best, most = i, own.gain
		}
	}
	if best < 0 {
		return nil, nil
	}
	whole, err := crossFitRatios(ctx, w.in(train.PhaseDensityRatio, chosenOne), p, data, f, folds, p.ratios[best:best+1], places, predicted, len(folds.folds))
	if err != nil || whole[0] == nil || whole[0].gain < gainForRatio {
		return nil, err
	}
	m := whole[0]
	q, err := average(m.members, float32(m.power))
	floats.Scale(m.power, m.outOfFold)
	chosen := p.ratios[best]
	chosen.Power = m.power
	return &densityRatio{logRatio(q, predicted), chosen, folds.folds, m.outOfFold}, err
}

// ratioMembers are members of the log ratio and the power of the ratio that is likeliest
// out of fold of those that do not worsen the CRPS. It is below one where members are overconfident.
type ratioMembers struct {
	members   []member
	power     float64
	gain      float64   // in mean log-likelihood out of fold
	outOfFold []float64 // log ratios of some rows of every fold, and then, if asked for, of the others
}

var ratioPowers = [...]float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}

// ratioGains are sums over rows, by the power that ratios are raised to: of the gain in log-likelihood, of
// what is added to the CRPS, and of its square; and last the weight of the rows.
type ratioGains []float64

const triedPowers = len(ratioPowers)

func newRatioGains() ratioGains { return make(ratioGains, 3*triedPowers+1) }

func (g ratioGains) weight() float64 { return g[3*triedPowers] }

// count has the gains be of one more row of that weight.
func (g ratioGains) count(weight float64) { g[3*triedPowers] += weight }

// add adds what a power changes of a row of that weight.
func (g ratioGains) add(power int, weight, likelihood, crps float64) {
	g[power] += weight * likelihood
	g[triedPowers+power] += weight * crps
	g[2*triedPowers+power] += square(weight * crps)
}

// worsens tells whether a power adds to the CRPS by more than two standard errors.
func (g ratioGains) worsens(power int) bool {
	return g[triedPowers+power] > 2*math.Sqrt(g[2*triedPowers+power])
}

// best returns the likeliest power that does not worsen the CRPS, and its gain a row; the gain is −∞ where all do.
func (g ratioGains) best() (power, gain float64) {
	gain = math.Inf(-1)
	for p, own := range ratioPowers {
		if mean := g[p] / g.weight(); mean > gain && !g.worsens(p) {
			power, gain = own, mean
		}
	}
	return power, gain
}

// ratioFit is a member and its gains at the rows of its fold.
type ratioFit struct {
	member
	gains      ratioGains
	some, rest []float64 // log ratios at some rows of its fold, and at the others if asked for
}

func (f *ratioFit) parts() (*member, []*[]float64) {
	return &f.member, []*[]float64{(*[]float64)(&f.gains), &f.some, &f.rest}
}

// crossFitRatios returns for every structure the members without each of some folds, nil
// for a structure of which one diverges.
func crossFitRatios(ctx context.Context, w worker, p plan, data *dataset, f *forecasts, folds partition, structures []ratioStructure, places *dataset, predicted box.Input, first int) ([]*ratioMembers, error) {
	fits, err := crossFitEach(ctx, w, folds, len(structures), first, func(ctx context.Context, w worker, t task, rest, held []int) (*ratioFit, error) {
		m, err := fitRatio(ctx, w, p, places, rest, structures[t.candidate], p.seed+ratioSeed+uint64(t.fold)*splitmix.Gamma)
		if err != nil {
			return nil, err
		}
		enough, fit := some(held, len(folds.folds)), &ratioFit{member: m}
		if fit.some, err = logRatios(ctx, w, data, f, m, predicted, enough); err != nil {
			return nil, err
		}
		fit.gains = f.gains(fit.some, enough)
		if p.outOfFold {
			fit.rest, err = logRatios(ctx, w, data, f, m, predicted, held[len(enough):])
		}
		return fit, err
	})
	if err != nil {
		return nil, err
	}
	all := make([]*ratioMembers, len(structures))
	for i, own := range fits {
		if own == nil {
			continue
		}
		m, sums := &ratioMembers{}, newRatioGains()
		for _, fit := range own {
			m.members, m.outOfFold = append(m.members, fit.member), append(m.outOfFold, fit.some...)
			floats.Add(sums, fit.gains)
		}
		for _, fit := range own {
			m.outOfFold = append(m.outOfFold, fit.rest...)
		}
		m.power, m.gain = sums.best()
		all[i] = m
	}
	return all, nil
}

// gains returns what log ratios add to the log-likelihood of some rows, and to the CRPS of numbers: that of
// a law that gives amounts takes too long.
func (f *forecasts) gains(logs []float64, numbers []int) ratioGains {
	gains, ratio := newRatioGains(), make([]float64, predictive.Nodes)
	crps := func(d predictive.Distribution, y float64) float64 {
		if !f.data.gaussian() {
			return 0
		}
		return d.CRPS(y)
	}
	for i, j := range numbers {
		reference, y, w := f.distribution(j, nil), f.target(j), f.data.Weight(j)
		u, before := reference.CDF(y), crps(reference, y)
		for p, power := range ratioPowers {
			for k, g := range logs[i*predictive.Nodes:][:predictive.Nodes] {
				ratio[k] = power * g
			}
			toRatios(ratio)
			gains.add(p, w, math.Log(predictive.DensityAt(ratio, u)), crps(f.distribution(j, ratio), y)-before)
		}
		gains.count(w)
	}
	return gains
}

// logRatios returns the predictions of a member, log w at the nodes of u, at some rows.
func logRatios(ctx context.Context, w worker, data *dataset, f *forecasts, m member, predicted box.Input, numbers []int) ([]float64, error) {
	q, err := surface.NewPosterior(m.surface, m.params)
	if err != nil {
		return nil, err
	}
	logs := make([]float64, len(numbers)*predictive.Nodes)
	e := logRatio(q, predicted).NewEvaluator(w.pool)
	return logs, e.Values(ctx, data.Coordinates(numbers), f.of(numbers), logs)
}

// at returns the densities w of the model at rows whose predicted means these are, [n, predictive.Nodes].
func (r *densityRatio) at(ctx context.Context, w worker, data *dataset, rows []int, mean []float64) ([]float64, error) {
	ratios := make([]float64, len(rows)*predictive.Nodes)
	err := r.model.NewEvaluator(w.pool).Values(ctx, data.Coordinates(rows), mean, ratios)
	toRatios(ratios)
	return ratios, err
}

// surface returns that of the log ratio; nil of a ratio of one, as seen is.
func (r *densityRatio) surface() *model.Auxiliary {
	if r == nil {
		return nil
	}
	return r.model
}

// seen returns the log ratios of the i-th of the rows out of fold.
func (r *densityRatio) seen(i int) []float64 {
	if r == nil {
		return nil
	}
	return r.outOfFold[i*predictive.Nodes:][:predictive.Nodes]
}

// logRatio is the surface g of the log ratio in a model.
func logRatio(g *surface.Posterior, predicted box.Input) *model.Auxiliary {
	return &model.Auxiliary{Surface: g, Predicted: &predicted, U: true, Limits: model.LogRatioLimits()}
}

// toRatios turns log ratios of rows, [n, predictive.Nodes], into densities w, as a
// prediction does.
func toRatios(logs []float64) {
	model.LogRatioLimits().Clamp(logs)
	for g := range slices.Chunk(logs, predictive.Nodes) {
		predictive.FromLog(g)
	}
}

// places returns the training set of the ratio: the inputs, the predicted mean, and the
// place of the target in its reference distribution.
func (f *forecasts) places(data *dataset) (*dataset, box.Input, error) {
	y := make([]float32, data.Len())
	means, predicted, err := withMean(data, f.ensemble, y)
	if err != nil {
		return nil, predicted, err
	}
	place := make([]float32, data.Len())
	for _, j := range f.rows() {
		place[j] = float32(f.distribution(j, nil).CDF(f.target(j)))
	}
	places, err := means.with(place, y)
	return places, predicted, err
}

// fitRatio trains one member.
func fitRatio(ctx context.Context, w worker, p plan, places *dataset, numbers []int, s ratioStructure, seed uint64) (member, error) {
	own, d := *places, places.Inputs
	own.distinct = make([]int, d)
	for i := range own.distinct[:d-1] {
		own.distinct[i] = min(s.Nodes, places.distinct[i])
	}
	own.distinct[d-1] = cmp.Or(s.Places, placeNodes)
	group := cost{distinct: own.distinct, batch: 2 * p.batch}.within(component{Kind: basis.KindSpline, Nodes: own.distinct[d-1], Orderings: ratioOrderings, Amplitude: 0.1}, p.sideTime)
	return descend(ctx, w, &own, own.Only(numbers), structure{Components: []component{group}, Smoothness: s.Smoothness}, descent.Descent{
		Loss: likelihood.Logistic, Steps: p.ratioSteps, Batch: 2 * p.batch, Seed: seed,
		Alter: func(step int, x, y []float32) {
			redrawLast(x, y, d, descent.Random(seed, descent.StreamBatches+uint64(step)))
		},
	})
}
