package train

import (
	"context"
	"math"
	"slices"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
	"beziergp/model"
)

// noiseFit is the noise: its constant and how it varies.
type noiseFit struct {
	constant float64
	noise    *model.Noise // nil where the noise is constant
	outside  []float64    // [n] log σ²/constant, out of fold, of the rows whose error was seen so
	shape    *shape       // nil likewise
}

// noiseShapes returns the shapes that the log variance may have: coarse, and where
// there are many rows with local structure.
func (r *run) noiseShapes() (shapes []shape) {
	group := component{basis.KindBernstein, 6, 10, 0.3}.within(r.cost, r.distinct)
	for _, lambda := range r.noiseSmoothness {
		shapes = append(shapes, shape{Components: []component{group}, Smoothness: lambda})
	}
	if r.data.rows() > fewRows {
		for _, lambda := range r.noiseSmoothness[1:] {
			shapes = append(shapes, shape{Components: []component{group, fine(21, 10).within(r.cost, r.distinct)}, Smoothness: lambda})
		}
	}
	return shapes
}

// noiseRange is that of log σ²(x) about its constant.
const noiseRange = 8.0

// fitNoise learns σ²(x) from the squared errors out of fold of the rows seen so, as a
// function of the inputs and the predicted mean. It is cross-fitted as the mean is, over
// folds of its own, more of them: a member that lacks many rows follows the errors less
// well than the average will, and makes it seem worse calibrated than it is. How smooth
// the noise is, and whether it varies at all, is chosen by the likelihood on held-out
// folds, and the members are averaged.
func (r *run) fitNoise(ctx context.Context, m *members, seen []int) (noiseFit, error) {
	folds := split(seen, r.copies, r.noiseFolds, r.Seed+noiseSeed)
	constant := max(m.squaredError(folds), smallestNoise)
	fit := noiseFit{constant: constant, outside: make([]float64, len(m.data.Y))}
	if len(seen) < fewestForNoise || r.lacks(Varying) {
		return fit, nil
	}
	data, predicted, err := r.noiseData(m, seen, constant)
	if err != nil {
		return fit, err
	}
	// What varies is compared with the best that does not.
	factor := bestConstant(rows{data, someOf(folds)})
	fit.constant *= factor
	for j := range data.Y {
		data.Y[j] /= float32(factor)
	}
	held := folds[:r.heldFolds()]
	plain := make([]float64, len(m.data.Y))
	least := noiseLoss(plain, rows{data, slices.Concat(held...)}) - gainForNoise
	shapes := r.noiseShapes()
	tries, err := r.crossFitNoise(ctx, shapes, data, folds, len(held))
	if err != nil {
		return fit, err
	}
	for i, m := range tries {
		if m == nil {
			continue
		}
		if loss := noiseLoss(m.outside, rows{data, slices.Concat(held...)}); loss < least {
			least, fit.shape = loss, &shapes[i]
		}
	}
	if fit.shape == nil {
		return fit, nil
	}
	best, err := r.crossFitNoise(ctx, []shape{*fit.shape}, data, folds, len(folds))
	if err != nil {
		return fit, err
	}
	if best[0] == nil {
		fit.shape = nil
		return fit, nil
	}
	q, err := best[0].average(1)
	if err != nil {
		return fit, err
	}
	fit.outside = best[0].outside
	fit.noise = &model.Noise{Surface: q, Predicted: predicted, Lo: -noiseRange, Hi: noiseRange}
	return fit, nil
}

// crossFitNoise trains for every shape a member of the log variance without each of the
// first folds. It returns nil for a shape of which one diverges.
func (r *run) crossFitNoise(ctx context.Context, shapes []shape, data Data, folds [][]int, first int) ([]*members, error) {
	distinct := append(slices.Clone(r.distinct), maxDistinct)
	trained := make([]member, len(shapes)*first)
	err := r.each(ctx, len(trained), func(ctx context.Context, own *run, i int) error {
		k := i % first
		rest := own.without(folds, k)
		rest.Data = data
		var m member
		var err error
		m.surface, m.params, err = own.descend(ctx, shapes[i/first], distinct, rest, descent{
			loss: elbo.LogScaleLoss, steps: own.noiseSteps, batch: own.batch, seed: own.Seed + noiseSeed + uint64(k)*memberSeeds,
		})
		if err == nil {
			err = m.predict(ctx, rows{data, folds[k]}, own.pool, nil)
		}
		if diverged(err) {
			return nil
		}
		trained[i] = m
		return err
	})
	if err != nil {
		return nil, err
	}
	all := make([]*members, len(shapes))
	for i := range shapes {
		m := &members{outside: make([]float64, len(data.Y)), data: data}
		for k, own := range trained[i*first : (i+1)*first] {
			if own.surface != nil {
				m.add(own, folds[k])
			}
		}
		if len(m.folds) == first {
			all[i] = m
		}
	}
	return all, nil
}

const (
	// smallestNoise keeps a variance positive where the target is met exactly.
	smallestNoise = 1e-12
	// fewestForNoise is the number of rows below which the noise is taken as constant.
	fewestForNoise = 100
	// largestRatio is that of a squared error to the mean one: what lies beyond is an
	// outlier, which would say no more.
	largestRatio = 1000
	// gainForNoise is the gain in likelihood below which it is taken as constant.
	gainForNoise = 0.005
)

// noiseData returns the training set of the log variance: the inputs and the
// predicted mean, and the squared errors in units of the constant.
func (r *run) noiseData(m *members, seen []int, constant float64) (Data, box.Input, error) {
	data, predicted, err := r.withMean(m, seen)
	for _, j := range seen {
		data.Y[j] = float32(min(square(float64(m.data.Y[j])-m.outside[j])/constant, largestRatio))
	}
	return data, predicted, err
}

// withMean returns a training set whose inputs are the run's and one more, the mean
// predicted out of fold, by its rank among the rows seen so; only these are of use. The
// targets are left to fill in.
func (r *run) withMean(m *members, seen []int) (Data, box.Input, error) {
	n, d := len(m.data.Y), len(r.data.Bases)
	data := Data{Y: make([]float32, n), Weights: r.data.Weights}.with(make([]float32, n*(d+1)))
	predicted, err := box.RankInput("predicted mean", m.of(seen))
	if err != nil {
		return data, predicted, err
	}
	last := make([]float32, n)
	if err := model.MeanCoordinates(predicted, m.outside, last); err != nil {
		return data, predicted, err
	}
	one, err := basis.NewBernstein(1)
	if err != nil {
		return data, predicted, err
	}
	data.Bases = append(slices.Clone(r.data.Bases), one)
	model.Join(data.X, r.data.X, last)
	return data, predicted, nil
}

const noiseSeed = 0x6e6f697365 // "noise"

// bestConstant returns the e^s of least loss that is the same at all rows, by bisection:
// the loss is convex in s.
func bestConstant(data rows) float64 {
	low, high := -noiseRange, noiseRange
	for high-low > 1e-3 {
		s, slope := (low+high)/2, 0.0
		for _, j := range data.numbers {
			_, own := elbo.LogScaleLoss(s, float64(data.Y[j]))
			slope += data.weight(j) * own
		}
		if slope > 0 {
			high = s
		} else {
			low = s
		}
	}
	return math.Exp((low + high) / 2)
}

// noiseLoss returns the weighted mean loss of log variances s, [n], at some rows.
func noiseLoss(s []float64, data rows) float64 {
	var sum, weights float64
	for _, j := range data.numbers {
		value, _ := elbo.LogScaleLoss(min(max(s[j], -noiseRange), noiseRange), float64(data.Y[j]))
		sum, weights = sum+data.weight(j)*value, weights+data.weight(j)
	}
	return sum / weights
}
