package train

import (
	"context"
	"math"
	"math/rand/v2"

	"beziergp/basis"
	"beziergp/box"
	"beziergp/elbo"
	"beziergp/model"
	"beziergp/surface"
)

// noiseFit is the noise: its constant and how it varies.
type noiseFit struct {
	constant   float64
	noise      *model.Noise // nil where the noise is constant
	smoothness float64
}

// noiseShapes are the shapes that the log variance may have.
func noiseShape(lambda float64) shape {
	return shape{[]component{{basis.KindBernstein, 6, 10, 0.3}}, lambda}
}

// noiseRange is that of log σ²(x) about its constant.
const noiseRange = 8

// fitNoise learns σ²(x) from the squared errors out of fold, as a function of the
// inputs and the predicted mean: how smooth it is, and whether it varies at all, is
// chosen by the likelihood of held-out rows.
func (r *run) fitNoise(ctx context.Context, m *members) (noiseFit, error) {
	constant := max(m.squaredError(), smallestNoise)
	fit := noiseFit{constant: constant}
	if len(m.y) < fewestForNoise {
		return fit, nil
	}
	data, predicted, err := r.noiseData(m, constant)
	if err != nil {
		return fit, err
	}
	distinct := append(append([]int(nil), r.distinct...), maxDistinct)
	folds := split(len(m.y), 5, r.Seed)
	held := rows{data, folds[0]}
	rest := (&run{data: data}).without(folds, 0)
	best := gaussianLoss(constants(len(held.numbers), meanOf(rest)), held)
	for _, lambda := range r.noiseSmoothness {
		s, params, err := r.trainNoise(ctx, lambda, data, rest, distinct)
		if diverged(err) {
			continue
		}
		if err != nil {
			return fit, err
		}
		values := make([]float64, len(held.numbers))
		if err := means(ctx, s, params, held, values, r.pool); err != nil {
			return fit, err
		}
		if loss := gaussianLoss(values, held); loss < best {
			best, fit.smoothness = loss, lambda
		}
	}
	if fit.smoothness == 0 {
		return fit, nil
	}
	all := rows{data, everyRow(len(m.y))}
	s, params, err := r.trainNoise(ctx, fit.smoothness, data, all, distinct)
	if diverged(err) {
		return noiseFit{constant: constant}, nil
	}
	if err != nil {
		return fit, err
	}
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		return fit, err
	}
	fit.noise = &model.Noise{Surface: q, Predicted: predicted, Lo: -noiseRange, Hi: noiseRange}
	return fit, nil
}

const (
	// smallestNoise keeps a variance positive where the target is met exactly.
	smallestNoise = 1e-12
	// fewestForNoise is the number of rows below which the noise is taken as constant.
	fewestForNoise = 100
	// largestRatio is that of a squared error to the mean one: what lies beyond is an
	// outlier, which would say no more.
	largestRatio = 1000
)

// noiseData returns the training set of the log variance: the inputs and the
// predicted mean, and the squared errors in units of the constant.
func (r *run) noiseData(m *members, constant float64) (Data, box.Input, error) {
	predicted, err := box.RankInput("predicted mean", m.outside)
	if err != nil {
		return Data{}, predicted, err
	}
	n, d := len(m.y), len(r.data.Bases)
	last := make([]float32, n)
	if err := (&model.Noise{Predicted: predicted}).Coordinates(m.outside, last); err != nil {
		return Data{}, predicted, err
	}
	one, err := basis.NewBernstein(1)
	if err != nil {
		return Data{}, predicted, err
	}
	data := Data{X: make([]float32, n*(d+1)), Y: make([]float32, n), Bases: append(append([]basis.Basis(nil), r.data.Bases...), one)}
	model.Join(data.X, r.data.X, last)
	for j, y := range m.y {
		data.Y[j] = float32(min(square(float64(y)-m.outside[j])/constant, largestRatio))
	}
	return data, predicted, nil
}

func (r *run) trainNoise(ctx context.Context, lambda float64, data Data, which rows, distinct []int) (*surface.Surface, []float32, error) {
	c := noiseShape(lambda)
	s, err := c.surface(data, distinct, r.Seed+noiseSeed)
	if err != nil {
		return nil, nil, err
	}
	params := startMean(s, c.amplitudes(), rand.New(rand.NewPCG(r.Seed+noiseSeed, streamWeights)))
	o := descent{
		loss: elbo.LogVarianceLoss, steps: r.noiseSteps, batch: r.batch, rate: rate(len(data.Bases)),
		smoothness: lambda, seed: r.Seed + noiseSeed, step: r.progress.step,
	}
	return s, params, o.run(ctx, s, which, params, r.pool)
}

const noiseSeed = 0x6e6f697365 // "noise"

// gaussianLoss returns the mean loss of log variances at some rows.
func gaussianLoss(s []float64, data rows) float64 {
	var sum float64
	for i, j := range data.numbers {
		value, _ := elbo.LogVarianceLoss(min(max(s[i], -noiseRange), noiseRange), float64(data.Y[j]))
		sum += value
	}
	return sum / float64(len(s))
}

// meanOf returns the logarithm of the mean target of some rows: the best constant.
func meanOf(data rows) float64 {
	var sum float64
	for _, j := range data.numbers {
		sum += float64(data.Y[j])
	}
	return math.Log(max(sum/float64(len(data.numbers)), smallestNoise))
}

func constants(n int, v float64) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = v
	}
	return c
}

func everyRow(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
