package train

import (
	"context"
	"math"
	"math/rand/v2"

	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// rows are some rows of a training set, by number.
type rows struct {
	Data
	numbers []int
}

// gather copies the rows at some places among them to a batch, and puts their numbers
// in the places' stead.
func (r rows) gather(places []int, to elbo.Batch) {
	for p, i := range places {
		places[p] = r.numbers[i]
	}
	r.Data.gather(places, to)
}

// weight returns that of row j.
func (d Data) weight(j int) float64 {
	if d.Weights == nil {
		return 1
	}
	return float64(d.Weights[j])
}

// squaredError returns the weighted mean squared error of values, [n], at the rows,
// where value i is that of row number i.
func (d Data) squaredError(numbers []int, value func(i, j int) float64) float64 {
	var sum, weights float64
	for i, j := range numbers {
		w := d.weight(j)
		sum, weights = sum+w*square(float64(d.Y[j])-value(i, j)), weights+w
	}
	return sum / weights
}

// descent trains mean buttresses, or variance buttresses: Adam on mini-batches, with a
// rate that rises for a few steps and then falls along a cosine to zero.
type descent struct {
	objective  func(*surface.Surface, elbo.Loss, *simd.Pool) *elbo.Mean
	loss       elbo.Loss
	steps      int
	batch      int
	rate       float64
	smoothness float64 // λ over all rows
	seed       uint64
	step       func() // called after every step
	// alter changes a mini-batch before it is used; nil for none.
	alter func(step int, x, y []float32)
}

const (
	warmUp     = 0.05 // share of the steps in which the rate rises
	recoveries = 6    // halvings of the rate before training is given up
	// A run has diverged when its average loss is this many times what it started
	// from, or what saying zero would cost on the same batches, if that is more: one
	// row far out makes the loss of its batch large, whatever the weights.
	divergedBy = 3
	// A run has not settled when it ends by this share above its lowest; once, it begins
	// again at half the rate.
	unsettledBy = 0.5
	// The average runs over about as many steps.
	averaged = 20
)

// run moves params, which hold the weights to start from. Where they leave the
// range of numbers, or the loss runs away, it begins again at half the rate.
func (o descent) run(ctx context.Context, s *surface.Surface, data rows, params []float32, pool *simd.Pool) error {
	start := append([]float32(nil), params...)
	objective := o.objective(s, o.loss, pool)
	for try := range recoveries {
		done, settled, err := o.attempt(ctx, s, objective, data, params, pool)
		if done && (settled || try > 0) || err != nil {
			return err
		}
		copy(params, start)
		o.rate /= 2
	}
	return &DivergedError{Step: o.steps, Rate: 2 * o.rate, Tries: recoveries}
}

// attempt reports whether all steps could be taken, and whether the loss came down for
// good: one that jumps up on the way leaves a member that spoils the average.
func (o descent) attempt(ctx context.Context, s *surface.Surface, objective *elbo.Mean, data rows, params []float32, pool *simd.Pool) (done, settled bool, err error) {
	adam := optim.NewAdam(s.Ends()...)
	batches := newSampler(o.seed, len(data.numbers), o.batch)
	which := make([]int, batches.batch)
	batch := data.newBatch(len(which))
	gradient := make([]float32, len(params))
	lambda := o.smoothness / float64(len(data.numbers))
	var first, average, plain float64
	lowest := math.Inf(1)
	for t := range o.steps {
		if err := ctx.Err(); err != nil {
			return false, false, err
		}
		batches.rowsAt(t, which)
		data.gather(which, batch)
		if o.alter != nil {
			o.alter(t, batch.X, batch.Y)
		}
		loss, _ := objective.Evaluate(params, lambda, batch, gradient)
		ofZero := o.lossOfZero(batch)
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
		adam.Step(params, gradient, o.rateAt(t), pool)
		o.step()
	}
	return true, average <= lowest+unsettledBy*(math.Abs(lowest)+0.1*first) || o.steps <= 2*averaged, nil
}

// lossOfZero returns the loss of a mini-batch for f = 0.
func (o descent) lossOfZero(batch elbo.Batch) (sum float64) {
	for p, y := range batch.Y {
		value, _ := o.loss(0, float64(y))
		sum += batch.Weight(p) * value
	}
	return sum / float64(len(batch.Y))
}

func (o descent) rateAt(t int) float64 {
	done := (float64(t) + 0.5) / float64(o.steps)
	return o.rate * min(done/warmUp, 0.5*(1+math.Cos(math.Pi*done)))
}

// startMean lays the weights of mean buttresses: W is 1 and a little noise, which
// is the constant one, and the first layers ±amplitude/√r in turn, so that the
// buttresses of a group cancel.
func startMean(s *surface.Surface, amplitudes []float64, rng *rand.Rand) []float32 {
	params := make([]float32, s.Size())
	deviation := spread * min(1, math.Sqrt(spreadInputs/float64(s.Inputs())))
	for g, amplitude := range amplitudes {
		e := s.Group(g).Ensemble
		for k := range e.Buttresses() {
			w := e.Weights(s.Mean(params, g), k)
			sign := amplitude / math.Sqrt(float64(e.Buttresses())) * float64(1-2*(k%2))
			first := e.Widths()[e.Orderings()[k][0]]
			for i := range w {
				w[i] = float32(1 + deviation*rng.NormFloat64())
				if i < first {
					w[i] *= float32(sign)
				}
			}
		}
	}
	return params
}

// spread is the deviation of starting weights from one, up to spreadInputs inputs; a
// longer chain, whose deviations add up, starts as near a constant.
const (
	spread       = 0.02
	spreadInputs = 32.0
)

// means writes the values of the surface at some rows of a training set to dst.
func means(ctx context.Context, s *surface.Surface, params []float32, data rows, dst []float64, pool *simd.Pool) error {
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		return err
	}
	e, d, block := surface.NewEvaluator(q, pool), s.Inputs(), 64*s.TilePoints()
	x := make([]float32, min(block, len(data.numbers))*d)
	for from := 0; from < len(data.numbers); from += block {
		to := min(from+block, len(data.numbers))
		for p, j := range data.numbers[from:to] {
			copy(x[p*d:], data.row(j))
		}
		if err := e.Moments(ctx, x[:(to-from)*d], dst[from:to], nil); err != nil {
			return err
		}
	}
	return nil
}
