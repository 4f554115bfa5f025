package descent

import (
	"context"
	"math"

	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Descent trains mean buttresses, or variance buttresses: Adam on mini-batches, with a
// rate that rises for a few steps and then falls along a cosine to zero.
type Descent struct {
	Objective  func(*surface.Surface, elbo.Loss, *simd.Pool) *elbo.Mean // nil for [elbo.NewMean]
	Loss       elbo.Loss
	Losses     elbo.Losses // of all outputs, in the place of Objective and Loss, which are then nil
	Steps      int
	Batch      int
	Rate       float64
	Smoothness float64 // λ over all rows
	Beta2      float64 // the share of second moments that a step leaves, 0 for [optim.Beta2]
	Seed       uint64
	// Step is called after every step with the running mean of the batches' losses, without
	// the penalty. A run that begins again goes on calling it.
	Step func(loss float64)
	// Alter changes a mini-batch before it is used; nil for none.
	Alter func(step int, x, y []float32)
}

const (
	warmUp     = 0.05 // share of the steps in which the rate rises
	recoveries = 6    // halvings of the rate before training is given up
	// A run has diverged when its average loss is more than this many times the first loss,
	// or the loss of f = 0 on the same batches, if that is larger: one outlier makes the loss
	// of its batch large, whatever the weights.
	divergedBy = 3
	// A run has not settled when it ends by this share above its lowest; once, it begins
	// again at half the rate.
	unsettledBy = 0.5
	// The average runs over about as many steps.
	averaged = 20
	// The penalty, which costs more than the rest of a step's work on a weight, is added to
	// the gradient once in so many steps.
	penaltyEvery = 8
)

// Run moves params, which hold the weights to start from, down the loss of some rows. Where weights leave the range of numbers, or the loss runs away, it
// begins again at half the rate.
func (o Descent) Run(ctx context.Context, s *surface.Surface, data Part, params []float32, pool *simd.Pool) error {
	start := append([]float32(nil), params...)
	for try := range recoveries {
		done, settled, err := o.attempt(ctx, s, data, params, pool)
		if done && (settled || try > 0) || err != nil {
			return err
		}
		copy(params, start)
		o.Rate /= 2
	}
	return &DivergedError{Step: o.Steps, Rate: 2 * o.Rate, Tries: recoveries}
}

// attempt reports whether all steps were taken, and whether the loss has settled near its
// lowest: a run that ends far above it gives a member that spoils the average.
func (o Descent) attempt(ctx context.Context, s *surface.Surface, data Part, params []float32, pool *simd.Pool) (done, settled bool, err error) {
	batches, size := data.Batches(o.Seed, o.Batch)
	defer batches.Wait()
	batch := data.of.NewBatch(size)
	weights, err := newSlotted(s, params, size, data.of.Inputs, o.Smoothness/float64(data.Len()), o.beta2(), pool)
	if err != nil {
		return false, false, err
	}
	defer weights.end()
	objective := o.objective(weights.surface, pool)
	var first, average, plain float64
	lowest := math.Inf(1) // and so in a short run, which has settled
	for t := range o.Steps {
		if err := ctx.Err(); err != nil {
			return false, false, err
		}
		if err := batches.At(t, batch); err != nil {
			return false, false, err
		}
		if o.Alter != nil {
			o.Alter(t, batch.X, batch.Y)
		}
		weights.begin(o.rateAt(t), batch)
		loss := objective.Evaluate(weights.params, 0, batch, weights.gradient, weights.move)
		ofZero := o.lossOfZero(batch, weights.surface.Outputs())
		if t == 0 {
			first, average, plain = math.Abs(loss), loss, ofZero
		}
		average += (loss - average) / averaged
		plain += (ofZero - plain) / averaged
		if math.IsNaN(average) || average > divergedBy*(max(first, plain)+1) {
			return false, false, nil
		}
		if t >= 2*averaged {
			lowest = min(lowest, average)
		}
		o.Step(average)
	}
	return true, average <= lowest+unsettledBy*(math.Abs(lowest)+0.1*first), nil
}

// lossOfZero returns the loss of a mini-batch for f = 0.
func (o Descent) lossOfZero(batch elbo.Batch, outputs int) (sum float64) {
	loss := func(y []float32) (value float64) { value, _ = o.Loss(0, y); return value }
	if o.Losses != nil {
		zeros, slopes := make([]float64, outputs), make([]float64, outputs)
		loss = func(y []float32) float64 { return o.Losses(zeros, y, slopes) }
	}
	rows := batch.Len()
	for p := range rows {
		sum += batch.Weight(p) * loss(batch.Targets(p, p+1))
	}
	return sum / float64(rows)
}

func (o Descent) objective(s *surface.Surface, pool *simd.Pool) *elbo.Mean {
	switch {
	case o.Losses != nil && (o.Objective != nil || o.Loss != nil):
		panic("descent: both a loss of one output and one of all")
	case o.Losses != nil:
		return elbo.NewOutputs(s, o.Losses, pool)
	case o.Objective == nil:
		return elbo.NewMean(s, o.Loss, pool)
	}
	return o.Objective(s, o.Loss, pool)
}

func (o Descent) beta2() float64 {
	if o.Beta2 == 0 {
		return optim.Beta2
	}
	return o.Beta2
}

func (o Descent) rateAt(t int) float64 {
	done := (float64(t) + 0.5) / float64(o.Steps)
	return o.Rate * min(done/warmUp, 0.5*(1+math.Cos(math.Pi*done)))
}
