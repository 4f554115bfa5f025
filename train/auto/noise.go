package auto

import (
	"context"
	"math"
	"slices"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/splitmix"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/train"
)

// noise is the variance of the errors, σ²(x) = constant · exp s(x, μ(x)).
type noise struct {
	constant  float64
	varying   *model.Auxiliary // nil where it is constant
	outOfFold []float64        // [n] s of row j by the member without its fold; zero where there is none
	structure *structure       // of s; nil where the noise is constant
}

const (
	// smallestNoise keeps a variance positive where the target is met exactly.
	smallestNoise = 1e-12
	// fewestForNoise is the number of rows below which the noise is taken as constant.
	fewestForNoise = 100
	// largestRatio of a squared error to the mean squared error; larger ones are outliers
	// and count as this one.
	largestRatio = 1000
	// gainForNoise is the gain in mean log-likelihood below which the noise is taken as
	// constant.
	gainForNoise = 0.005
	// noiseRange is that of log σ²(x) about its constant.
	noiseRange = 8.0
	noiseSeed  = 0x6e6f697365 // "noise"
)

// constantNoise returns the mean of squared errors out of fold.
func constantNoise(e *ensemble, numbers []int) noise {
	return noise{constant: max(e.meanDeviance(numbers), smallestNoise), outOfFold: make([]float64, e.data.Len())}
}

// noiseCandidates returns the structures that the log variance may have: coarse, and where
// there are many rows with local structure.
func (p plan) noiseCandidates() (all []structure) {
	side := p.sideCost(p.batch)
	group := side.within(component{Kind: basis.KindBernstein, Nodes: 6, Orderings: 10, Amplitude: 0.3}, p.sideTime)
	for _, lambda := range p.noiseSmoothness {
		all = append(all, structure{Components: []component{group}, Smoothness: lambda})
	}
	if p.rows > fewRows {
		for _, lambda := range p.noiseSmoothness[1:] {
			all = append(all, structure{Components: []component{group, side.within(fine(21, 10), p.sideTime)}, Smoothness: lambda})
		}
	}
	return all
}

// fitNoise learns σ²(x) from the squared errors out of fold, as a function of the inputs
// and the predicted mean. It is cross-fitted as the mean is, over folds of its own, more
// of them: a member that lacks many rows follows the errors less well than the average of
// all members, and calibration would make up for that with intervals that are too wide.
// The likelihood on held-out folds chooses the smoothness, or a constant; the members are
// averaged.
func fitNoise(ctx context.Context, w worker, p plan, data *dataset, e *ensemble) (noise, error) {
	seen := e.rows()
	folds := data.split(seen, p.noiseFolds, p.seed+noiseSeed)
	constant := constantNoise(e, slices.Concat(folds.folds...))
	if len(seen) < fewestForNoise || len(p.noises) == 0 {
		return constant, nil
	}
	errors, predicted, err := squaredErrors(data, e, constant.constant)
	if err != nil {
		return constant, err
	}
	// Varying noise is compared with the best constant.
	factor := bestConstant(errors, someOf(folds.folds))
	constant.constant *= factor
	for j := range errors.Y {
		errors.Y[j] /= float32(factor)
	}
	tried := min(p.held, len(folds.folds))
	tries, err := crossFitNoise(ctx, w.in(train.PhaseNoise, choosing), p, errors, folds, p.noises, tried)
	if err != nil {
		return constant, err
	}
	held := slices.Concat(folds.folds[:tried]...)
	best, least := -1, scaleLoss(errors, constant.outOfFold, held)-gainForNoise
	for i, own := range tries {
		if own == nil {
			continue
		}
		if loss := scaleLoss(errors, own.outOfFold, held); loss < least {
			best, least = i, loss
		}
	}
	if best < 0 {
		return constant, nil
	}
	whole, err := crossFitNoise(ctx, w.in(train.PhaseNoise, chosenOne), p, errors, folds, p.noises[best:best+1], len(folds.folds))
	if err != nil || whole[0] == nil {
		return constant, err
	}
	q, err := average(whole[0].members, 1)
	return noise{
		constant:  constant.constant,
		varying:   &model.Auxiliary{Surface: q, Predicted: &predicted, Limits: &model.Limits{Lo: -noiseRange, Hi: noiseRange}},
		outOfFold: whole[0].outOfFold, structure: &p.noises[best],
	}, err
}

// fillIn fills in s of the rows out of fold that had no part in it, of which the whole of it is out of fold.
func (n *noise) fillIn(ctx context.Context, w worker, all, learned *ensemble) error {
	if n.varying == nil || all == learned {
		return nil
	}
	had := make([]bool, all.data.Len())
	for _, j := range learned.rows() {
		had[j] = true
	}
	rest := slices.DeleteFunc(all.rows(), func(j int) bool { return had[j] })
	s := make([]float64, len(rest))
	if err := n.varying.NewEvaluator(w.pool).Values(ctx, all.data.Coordinates(rest), all.of(rest), s); err != nil {
		return err
	}
	n.outOfFold = slices.Clone(n.outOfFold)
	for p, j := range rest {
		n.outOfFold[j] = s[p]
	}
	return nil
}

// crossFitNoise returns for every structure the ensemble of the log variance without each
// of the first folds, nil for a structure of which a member diverges.
func crossFitNoise(ctx context.Context, w worker, p plan, errors *dataset, folds partition, structures []structure, first int) ([]*ensemble, error) {
	fits, err := crossFitEach(ctx, w, folds, len(structures), first, func(ctx context.Context, w worker, t task, rest, held []int) (*outOfFold, error) {
		m, err := descend(ctx, w, errors, errors.Only(rest), structures[t.candidate], descent.Descent{
			Loss: likelihood.LogScale, Steps: p.noiseSteps, Batch: p.batch, Seed: p.seed + noiseSeed + uint64(t.fold)*splitmix.Gamma,
		})
		if err != nil {
			return nil, err
		}
		return m.heldOut(ctx, w, errors, held)
	})
	if err != nil {
		return nil, err
	}
	all := make([]*ensemble, len(structures))
	for i, own := range fits {
		if own == nil {
			continue
		}
		all[i] = newEnsemble(errors)
		for k, m := range own {
			all[i].add(m, folds.folds[k])
		}
	}
	return all, nil
}

// squaredErrors returns the training set of the log variance: the inputs and the
// predicted mean, and the squared errors in units of the constant.
func squaredErrors(data *dataset, e *ensemble, constant float64) (*dataset, box.Input, error) {
	y := make([]float32, data.Len())
	for _, j := range e.rows() {
		y[j] = float32(min(e.deviance(j)/constant, largestRatio))
	}
	return withMean(data, e, y)
}

// withMean returns a training set whose inputs are the data's and one more, the mean
// predicted out of fold, by its rank among the rows predicted so; only these are of use.
func withMean(data *dataset, e *ensemble, y []float32) (*dataset, box.Input, error) {
	predicted, err := box.RankInput("predicted mean", e.of(e.rows()))
	if err != nil {
		return nil, predicted, err
	}
	mean := make([]float32, data.Len())
	for j, v := range e.outOfFold {
		mean[j] = predicted.Clip(v)
	}
	more, err := data.with(mean, y)
	return more, predicted, err
}

// bestConstant returns the e^s of least loss that is the same at all of the rows, by
// bisection: the loss is convex in s.
func bestConstant(errors *dataset, numbers []int) float64 {
	low, high := -noiseRange, noiseRange
	for high-low > 1e-3 {
		s, slope := (low+high)/2, 0.0
		for _, j := range numbers {
			_, own := likelihood.LogScale(s, errors.Y[j:j+1])
			slope += errors.Weight(j) * own
		}
		if slope > 0 {
			high = s
		} else {
			low = s
		}
	}
	return math.Exp((low + high) / 2)
}

// scaleLoss returns the weighted mean loss of log variances s, [n], at some rows.
func scaleLoss(errors *dataset, s []float64, numbers []int) float64 {
	var sum, weights float64
	for _, j := range numbers {
		value, _ := likelihood.LogScale(min(max(s[j], -noiseRange), noiseRange), errors.Y[j:j+1])
		sum, weights = sum+errors.Weight(j)*value, weights+errors.Weight(j)
	}
	return sum / weights
}
