package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"beziergp/internal/limit"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Paper is the recipe of the paper, section 4: first the variational parameters
// by Adam, with σ² held at 1/τ; then σ² with all else held, for which the closed
// form takes the place of a second descent. A zero field takes the paper's value.
type Paper struct {
	Orderings    int     `json:"orderings"`     // r, 20; at most 100,000
	Steps        int     `json:"steps"`         // 10000; at most 10⁹
	Batch        int     `json:"batch"`         // rows of a mini-batch, 500; there are never more than rows
	LearningRate float64 `json:"learning_rate"` // 0.001
	// KLWeight is σ² τ in the first phase; the paper's σ² = 1/τ makes it 1.
	KLWeight float64 `json:"kl_weight"`
	// Spread is the deviation of the starting weights from 1, which is the constant
	// function; 0.01, by held-out training rows. The paper does not tell how it starts.
	Spread float64 `json:"spread"`
	Seed   uint64  `json:"seed"`
	// Order is ν, the order of every input's Bernstein basis, from 1 to
	// basis.MaxPriorOrder; 20. Orders overrules it for columns by name. They are told by
	// the bases of the model.
	Order  int            `json:"-"`
	Orders map[string]int `json:"-"`
	// Checkpoint is a file for the state of a run that is interrupted; the same run,
	// started again, goes on from there and ends as if it had never stopped. Empty for
	// none. It is removed when training is done.
	Checkpoint string `json:"-"`
	// CheckpointEvery is the time between two checkpoints, half a minute; only with a
	// Checkpoint.
	CheckpointEvery time.Duration `json:"-"`
	// Fresh begins anew where there is a checkpoint, which stays until the run has one of
	// its own; only with a Checkpoint. A file that is no checkpoint is never replaced.
	Fresh bool `json:"-"`
	// KeepCheckpoint leaves the checkpoint of a finished run to the caller, who removes
	// it once the result is safe; only with a Checkpoint.
	KeepCheckpoint bool `json:"-"`
}

// WithDefaults returns the options with the paper's values for zero fields.
func (o Paper) WithDefaults() Paper {
	o.Orderings = orDefault(o.Orderings, 20)
	o.Steps = orDefault(o.Steps, 10000)
	o.Batch = orDefault(o.Batch, 500)
	o.LearningRate = orDefault(o.LearningRate, 0.001)
	o.KLWeight = orDefault(o.KLWeight, 1)
	o.Spread = orDefault(o.Spread, 0.01)
	o.Order = orDefault(o.Order, DefaultOrder)
	if o.Checkpoint != "" {
		o.CheckpointEvery = orDefault(o.CheckpointEvery, 30*time.Second)
	}
	return o
}

func orDefault[T int | float64 | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

func (o Paper) check() error {
	err := errors.Join(limit.Check("orderings", o.Orderings, limit.Orderings),
		limit.Check("steps", o.Steps, limit.Count), limit.Check("batch", o.Batch, limit.Count))
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name  string
		value float64
	}{
		{"learning rate", o.LearningRate}, {"KL weight", o.KLWeight}, {"spread", o.Spread},
	} {
		if !(c.value > 0) || math.IsInf(c.value, 0) {
			return &OptionError{Option: c.name, Problem: fmt.Sprintf("%g; it must be positive", c.value)}
		}
	}
	switch {
	case o.CheckpointEvery < 0:
		return &OptionError{Option: "checkpoint every", Problem: fmt.Sprintf("%v; it cannot be negative", o.CheckpointEvery)}
	case o.Checkpoint == "" && (o.CheckpointEvery > 0 || o.Fresh || o.KeepCheckpoint):
		return &OptionError{Option: "checkpoint", Problem: "it is to be written, replaced or kept, but has no file; name one"}
	}
	return nil
}

// Name returns "paper".
func (o Paper) Name() string { return "paper" }

// Scaling says that the inputs are to be mapped linearly.
func (o Paper) Scaling() Scaling { return Linear }

// Fit trains. Interrupted by ctx, it writes the checkpoint, if there is to be one,
// and returns ctx's error.
func (o Paper) Fit(ctx context.Context, data Data, env Environment) (*Result, error) {
	o, env = o.WithDefaults(), env.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := env.check(); err != nil {
		return nil, err
	}
	if err := errors.Join(data.check(), o.checkOrders(data.Inputs)); err != nil {
		return nil, err
	}
	s, err := o.surface(data)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil { // many orderings take their time
		return nil, err
	}
	pool := simd.NewPool(env.Workers)
	defer pool.Close()
	l := &loop{Paper: o, data: data, env: env, pool: pool, bound: elbo.NewBound(s, data.rows(), pool)}
	// With σ² τ = KLWeight.
	l.logNoise = math.Log(o.KLWeight) - s.Group(0).Ensemble.LogPaths()
	l.start(s, initial(s, o.Spread, rand.New(rand.NewPCG(o.Seed, streamWeights))))
	if err := l.run(ctx); err != nil {
		return nil, err
	}
	q, err := surface.NewPosterior(s, l.params)
	if err != nil {
		return nil, err
	}
	squared, variance, err := residuals(ctx, q, data, pool, l.report)
	if err != nil {
		return nil, errors.Join(err, l.save())
	}
	n := float64(data.rows())
	terms := elbo.Terms{Rows: n, SquaredError: squared, Variance: variance}
	if noise := terms.BestNoise(); !(noise > 0) || math.IsInf(noise, 0) {
		return nil, &DivergedError{Step: o.Steps, Rate: o.LearningRate}
	}
	l.removeCheckpoint()
	return &Result{
		Recipe:    o.Name(),
		Options:   o,
		Posterior: q,
		Noise:     terms.BestNoise(),
		RMSE:      math.Sqrt(squared / n),
		Objective: l.objective,
		Steps:     o.Steps,
	}, nil
}

// Streams of the random source, so that what one part draws does not move another.
const (
	streamOrderings = iota
	streamWeights
	streamBatches // and those after it, one an epoch
)

// These are far from the epochs of any run.
const (
	streamFolds = 1<<62 + iota
	streamSample
	streamCompared
)

// surface returns the shape of f: one group, orderings drawn from the seed.
func (o Paper) surface(data Data) (*surface.Surface, error) {
	widths := make([]int, len(data.Bases))
	for i, b := range data.Bases {
		widths[i] = b.Nodes()
	}
	if err := o.checkMemory(widths); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, streamOrderings))
	e, err := buttress.New(widths, buttress.RandomOrderings(len(widths), o.Orderings, rng))
	if err != nil {
		return nil, err
	}
	return surface.New(surface.Group{Bases: data.Bases, Ensemble: e})
}

// checkMemory refuses orderings whose weights could not be held. Neighbouring layers of
// m and m′ nodes have m m′ ≤ (m² + m′²) / 2 weights, so an ordering has Σ m² at most.
func (o Paper) checkMemory(widths []int) error {
	// Of a weight, mean and variance are float32s with a gradient and two moments each;
	// of a layer, its place and its links in two chains.
	const weightBytes, layerBytes = 2 * 4 * 4, 512
	bytes := 0.0
	for _, m := range widths {
		bytes += float64(o.Orderings) * (weightBytes*float64(m)*float64(m) + layerBytes)
	}
	if bytes > limit.Bytes {
		return &OptionError{Option: "orderings", Problem: fmt.Sprintf(
			"%d of %d inputs take %.3g GiB, more than the %d that a fit may take; take fewer, a lower order, or fewer inputs",
			o.Orderings, len(widths), bytes/(1<<30), limit.Bytes>>30)}
	}
	return nil
}

// initial returns parameters to start from. W = 1 everywhere makes a buttress the
// constant one, since a basis adds up to one, so W is 1 and a little noise; the
// first layers are ±1/√r in turn, so that the buttresses cancel. V = 0 is the
// prior.
func initial(s *surface.Surface, spread float64, rng *rand.Rand) []float32 {
	params := make([]float32, s.Size())
	for g := range s.Groups() {
		e := s.Group(g).Ensemble
		for k := range e.Buttresses() {
			w := e.Weights(s.Mean(params, g), k)
			sign := math.Sqrt(s.PriorScale()) * float64(1-2*(k%2))
			first := e.Widths()[e.Orderings()[k][0]]
			for i := range w {
				w[i] = float32(1 + spread*rng.NormFloat64())
				if i < first {
					w[i] *= float32(sign)
				}
			}
		}
	}
	return params
}

// residuals returns Σ w (y − μ)² and Σ w Var f over the training rows.
func residuals(ctx context.Context, q *surface.Posterior, data Data, pool *simd.Pool, report func(done, of int)) (squared, variance float64, err error) {
	e := surface.NewEvaluator(q, pool)
	var mean, varf []float64
	done := 0
	err = data.each(ctx, 64*q.TilePoints(), func(rows elbo.Batch) error {
		n := len(rows.Y)
		if len(mean) < n {
			mean, varf = make([]float64, n), make([]float64, n)
		}
		if err := e.Moments(ctx, rows.X, mean[:n], varf[:n]); err != nil {
			return err
		}
		for j, y := range rows.Y {
			w := rows.Weight(j)
			squared += w * (float64(y) - mean[j]) * (float64(y) - mean[j])
			variance += w * varf[j]
		}
		done += n
		report(done, data.rows())
		return nil
	})
	return squared, variance, err
}
