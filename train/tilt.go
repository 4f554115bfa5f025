package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/model"
	"beziergp/predictive"
)

// outOfFold are the predictions of the rows of folds by members that have not seen
// them, but for their shape.
type outOfFold struct {
	members *members
	folds   [][]int
	scale   []float64 // [n]
	family  *predictive.Family
}

// distribution returns that of row j, as it was predicted by the member that has not
// seen it.
func (o *outOfFold) distribution(j int, density []float64) predictive.Distribution {
	return predictive.Distribution{Location: o.members.outside[j], Scale: o.scale[j], Density: density, Family: o.family}
}

// rows returns those that are predicted.
func (o *outOfFold) rows() []int { return slices.Concat(o.folds...) }

// some returns rows of a fold.
func (o *outOfFold) some(fold int) []int { return some(o.folds[fold], len(o.folds)) }

// tiltShape is a shape for the log of the density ratio: nodes of the inputs, and
// the smoothness.
type tiltShape struct {
	Nodes      int     `json:"nodes"`
	Smoothness float64 `json:"smoothness"`
	Power      float64 `json:"power"` // that the ratio of densities is raised to
}

const (
	// tiltNodes are those of u, the place in the distribution.
	tiltNodes = 16
	// tiltOrderings are those of a member.
	tiltOrderings = 10
	// gainForTilt is the gain in likelihood below which distributions keep the shape of
	// the reference.
	gainForTilt = 0.005
	tiltSeed    = 0x74696c74 // "tilt"
)

// fitTilt learns the shape of the errors' distribution: the density of u, which is
// uniform where the reference is right, as a function of the inputs and the predicted
// mean. Rows stand beside copies of themselves whose u is drawn anew, uniformly; the
// log of the ratio of their densities, which is that of w, is what tells them apart
// (logistic loss; noise-contrastive estimation, Gutmann & Hyvärinen, JMLR 13, 2012).
// How smooth it is, and whether there is a shape at all, is chosen by the likelihood
// out of fold; members are trained without each fold and averaged. Both results are
// nil where distributions have the reference's shape.
func (r *run) fitTilt(ctx context.Context, o *outOfFold) (*model.Tilt, *tiltShape, error) {
	if len(o.rows()) < fewestForNoise || r.lacks(Shapes) {
		return nil, nil, nil
	}
	data, predicted, err := r.tiltData(o)
	if err != nil {
		return nil, nil, err
	}
	shapes := r.tiltShapes()
	tries, err := r.crossFitTilts(ctx, o, shapes, data, predicted, r.heldFolds(), r.tiltSteps/2)
	if err != nil {
		return nil, nil, err
	}
	var shape *tiltShape
	best := gainForTilt
	for i, m := range tries {
		if m != nil && m.gain > best {
			best, shape = m.gain, &shapes[i]
		}
	}
	if shape == nil {
		return nil, nil, nil
	}
	tries, err = r.crossFitTilts(ctx, o, []tiltShape{*shape}, data, predicted, len(o.folds), r.tiltSteps)
	if err != nil {
		return nil, nil, err
	}
	m := tries[0]
	if m == nil || m.gain < gainForTilt {
		return nil, nil, nil
	}
	q, err := m.average(float32(m.power))
	return &model.Tilt{Surface: q, Predicted: predicted}, &tiltShape{shape.Nodes, shape.Smoothness, m.power}, err
}

// tilts are members of the log ratio, and the power of the ratio that is likeliest
// out of fold: members know less than they say.
type tilts struct {
	members
	power float64
	gain  float64 // in mean log-likelihood out of fold
}

var tiltPowers = []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3}

// crossFitTilts trains for every shape a member without each of some folds. It returns
// nil for a shape of which one diverges.
func (r *run) crossFitTilts(ctx context.Context, o *outOfFold, shapes []tiltShape, data Data, predicted box.Input, folds, steps int) ([]*tilts, error) {
	trained := make([]member, len(shapes)*folds)
	gains := make([][]float64, len(trained)) // by power, and the weight of the rows
	err := r.each(ctx, len(trained), func(ctx context.Context, own *run, i int) error {
		k := i % folds
		s, params, err := own.trainTilt(ctx, o, shapes[i/folds], data, k, steps)
		if diverged(err) {
			return nil
		}
		if err != nil {
			return err
		}
		trained[i] = member{surface: s, params: params}
		logs, err := own.tiltLogs(ctx, o, s, params, predicted, k)
		if err != nil {
			return err
		}
		gains[i] = o.tiltGains(k, logs)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := make([]*tilts, len(shapes))
	for i := range shapes {
		m, sums := &tilts{}, make([]float64, len(tiltPowers)+1)
		for k := i * folds; k < (i+1)*folds && trained[k].surface != nil; k++ {
			m.surfaces, m.params = append(m.surfaces, trained[k].surface), append(m.params, trained[k].params)
			floats.Add(sums, gains[k])
		}
		if len(m.surfaces) < folds {
			continue
		}
		best := floats.MaxIdx(sums[:len(tiltPowers)])
		m.power, m.gain = tiltPowers[best], sums[best]/sums[len(tiltPowers)]
		all[i] = m
	}
	return all, nil
}

// tiltGains returns what log ratios add to the log-likelihood of some rows of a fold,
// by the power that the ratios are raised to, and last the weight of the rows.
func (o *outOfFold) tiltGains(fold int, logs []float64) []float64 {
	gains := make([]float64, len(tiltPowers)+1)
	density := make([]float64, predictive.Nodes)
	for i, j := range o.some(fold) {
		y, w := float64(o.members.data.Y[j]), o.members.data.weight(j)
		plain := o.distribution(j, nil).LogDensity(y)
		for p, power := range tiltPowers {
			copy(density, logs[i*predictive.Nodes:])
			model.ToDensity(density, power)
			gains[p] += w * (o.distribution(j, density).LogDensity(y) - plain)
		}
		gains[len(tiltPowers)] += w
	}
	return gains
}

// tiltLogs returns the log ratios at some rows of a fold, by a member that has not
// seen it.
func (r *run) tiltLogs(ctx context.Context, o *outOfFold, s *surface.Surface, params []float32, predicted box.Input, fold int) ([]float64, error) {
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		return nil, err
	}
	which := o.some(fold)
	dst := make([]float64, len(which)*predictive.Nodes)
	x, mean := r.data.inputs(which), o.members.of(which)
	return dst, (&model.Tilt{Surface: q, Predicted: predicted}).NewEvaluator(r.pool).Logs(ctx, x, mean, dst)
}

// tiltData returns the training set of the tilt: the inputs, the predicted mean, and
// the place of the target in its reference distribution.
func (r *run) tiltData(o *outOfFold) (Data, box.Input, error) {
	seen := o.rows()
	data, predicted, err := r.withMean(o.members, seen)
	if err != nil {
		return data, predicted, err
	}
	n, d := len(data.Y), len(data.Bases)
	place := make([]float32, n)
	for _, j := range seen {
		place[j] = float32(o.distribution(j, nil).CDF(float64(o.members.data.Y[j])))
	}
	x := make([]float32, n*(d+1))
	model.Join(x, data.X, place)
	one, err := basis.NewBernstein(1)
	data = data.with(x)
	data.Bases = append(data.Bases, one)
	return data, predicted, err
}

// trainTilt trains one member without a fold.
func (r *run) trainTilt(ctx context.Context, o *outOfFold, c tiltShape, data Data, fold, steps int) (*surface.Surface, []float32, error) {
	d := len(data.Bases)
	distinct := make([]int, d)
	for i := range distinct[:d-1] {
		distinct[i] = c.Nodes
		if i < d-2 {
			distinct[i] = min(distinct[i], r.distinct[i])
		}
	}
	distinct[d-1] = tiltNodes
	seed := r.Seed + tiltSeed + uint64(fold)*memberSeeds
	group := component{basis.KindSpline, tiltNodes, tiltOrderings, 0.1}.within(r.cost, distinct)
	rest := r.without(o.folds, fold)
	rest.Data = data
	return r.descend(ctx, shape{Components: []component{group}, Smoothness: c.Smoothness}, distinct, rest, descent{
		loss: logisticLoss, steps: steps, batch: 2 * r.batch, seed: seed,
		alter: func(step int, x, y []float32) {
			redraw(x, y, d, rand.New(rand.NewPCG(seed, streamBatches+uint64(step))))
		},
	})
}

// redraw makes every other row a copy of the one before with its last input drawn
// anew; the targets tell which are rows.
func redraw(x, y []float32, d int, rng *rand.Rand) {
	for p := range y {
		y[p] = float32(1 - p%2)
		if p%2 == 1 {
			copy(x[p*d:(p+1)*d-1], x[(p-1)*d:p*d-1])
			x[(p+1)*d-1] = rng.Float32()
		}
	}
}

// logisticLoss is −log of the probability 1/(1 + e^−f) of y = 1 or its complement of
// y = 0.
func logisticLoss(f, y float64) (value, slope float64) {
	return math.Max(f, 0) + math.Log1p(math.Exp(-math.Abs(f))) - y*f, 1/(1+math.Exp(-f)) - y
}
