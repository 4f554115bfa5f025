package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"beziergp/box"
	"beziergp/elbo"
	"beziergp/internal/kernel"
	"beziergp/model"
	"beziergp/surface"
)

// Effort says how much work [Auto] does.
type Effort string

const (
	Fast    Effort = "fast"    // seconds: fewer candidates, fewer steps, three members
	Default Effort = "default" // about a minute for tens of thousands of rows
	Best    Effort = "best"    // several times that
)

// ParseEffort returns the effort of that name.
func ParseEffort(name string) (Effort, error) {
	if _, ok := plans[Effort(name)]; ok {
		return Effort(name), nil
	}
	return "", fmt.Errorf("effort %q is unknown; choose %s, %s or %s", name, Fast, Default, Best)
}

// Auto is the recipe for any table. It chooses the shape of the process on held-out
// rows, trains one member for every fold of the rows without that fold, adds the
// members up to their average, and takes the noise from what every member says of
// the rows that it has not seen. The zero value is the default.
type Auto struct {
	Effort Effort `json:"effort"`
	// Budget is a time after which the best so far is taken; 0 for none. With a budget
	// the result depends on the speed of the machine.
	Budget time.Duration `json:"budget"`
	Seed   uint64        `json:"seed"`
}

// Scaling says that the inputs are to be mapped by ranks.
func (o Auto) Scaling() Scaling { return ByRanks }

// Name returns "auto".
func (o Auto) Name() string { return "auto" }

// run is a run of [Auto]: what it works with.
type run struct {
	Auto
	plan
	choices
	data     Data          // in the scaling in use
	given    Data          // by ranks
	linear   *Data         // nil until it is tried
	limits   *model.Limits // of predictions
	distinct []int
	env      Environment
	pool     *kernel.Pool
	progress *progress
}

// Fit trains. It takes up no checkpoint.
func (o Auto) Fit(ctx context.Context, data Data, env Environment) (*Result, error) {
	if o.Effort == "" {
		o.Effort = Default
	}
	if _, err := ParseEffort(string(o.Effort)); err != nil {
		return nil, &OptionError{"effort", err.Error()}
	}
	if o.Budget < 0 {
		return nil, &OptionError{"budget", fmt.Sprintf("%v; it cannot be negative", o.Budget)}
	}
	env = env.withDefaults()
	if err := env.check(); err != nil {
		return nil, err
	}
	if err := data.check(); err != nil {
		return nil, err
	}
	data, err := data.inMemory(ctx, o.Seed)
	if err != nil {
		return nil, err
	}
	data = data.withInputs()
	distinct, p := distinctValues(data), plans[o.Effort]
	r := &run{
		Auto: o, plan: p, choices: p.choicesFor(data.rows(), distinct), data: data, given: data, limits: limitsOf(data.Y), distinct: distinct,
		env: env, pool: kernel.NewPool(env.Workers),
	}
	defer r.pool.Close()
	r.progress = newProgress(r)
	return r.fit(ctx)
}

// limitsOf returns the range of the targets and a tenth of it beyond.
func limitsOf(y []float32) *model.Limits {
	lo, hi := float64(slices.Min(y)), float64(slices.Max(y))
	return &model.Limits{Lo: lo - 0.1*(hi-lo), Hi: hi + 0.1*(hi-lo)}
}

// withInputs returns the data with scalings: where they tell of none, those of the
// unit interval.
func (d Data) withInputs() Data {
	if d.Inputs == nil {
		for i := range d.Bases {
			d.Inputs = append(d.Inputs, box.Input{Name: strconv.Itoa(i), Hi: 1})
		}
	}
	return d
}

func (r *run) fit(ctx context.Context) (*Result, error) {
	folds := r.folds()
	chosen, err := r.choose(ctx, folds)
	if err != nil {
		return nil, err
	}
	r.use(chosen.Scaling)
	r.fitBudget()
	members, err := r.crossFit(ctx, folds, chosen)
	if err != nil {
		return nil, err
	}
	alike, err := r.agreement(ctx, folds, chosen, members)
	if err != nil {
		return nil, err
	}
	noise, err := r.fitNoise(ctx, members, folds)
	if err != nil {
		return nil, err
	}
	doubt, variance, err := r.doubt(ctx, folds)
	if err != nil {
		return nil, err
	}
	scales := r.calibrate(members, folds, variance, noise)
	outside, err := scales.predictions(members, folds, variance, noise)
	if err != nil {
		return nil, err
	}
	tilt, tilted, err := r.fitTilt(ctx, outside)
	if err != nil {
		return nil, err
	}
	if noise.noise != nil {
		if noise.noise, err = scales.apply(noise.noise); err != nil {
			return nil, err
		}
	}
	posterior, err := members.average(1)
	if err != nil {
		return nil, err
	}
	return &Result{
		Recipe:        r.Name(),
		Options:       autoOptions{r.Auto, chosen, len(members.params), noise.shape, scales, tilted, alike},
		Posterior:     posterior,
		Inputs:        r.data.Inputs,
		Noise:         noise.constant * scales.Noise * alike,
		Varying:       noise.noise,
		Doubt:         doubt,
		VarianceScale: scales.Doubt,
		Tails:         scales.Tails,
		Tilt:          tilt,
		Conformal:     outside.conformal(model.Level),
		Limits:        r.limits,
		RMSE:          math.Sqrt(members.squaredError()),
		Objective:     members.squaredError(),
		Steps:         r.progress.done,
	}, nil
}

// autoOptions tells in the model what was chosen.
type autoOptions struct {
	Auto
	Shape   shape       `json:"shape"`
	Members int         `json:"members"`
	Noise   *shape      `json:"noise,omitempty"` // nil where it is constant
	Scales  calibration `json:"scales"`
	Tilt    *tiltShape  `json:"tilt,omitempty"` // nil where predictions have no shape of their own
	// Agreement is the squared error of the average of the members over that of one.
	Agreement float64 `json:"agreement"`
}

// doubt trains the model's own uncertainty on all rows, and without each fold for
// the variance of f at the rows of that fold.
func (r *run) doubt(ctx context.Context, folds [][]int) (*model.Doubt, []float64, error) {
	outside := make([]float64, r.data.rows())
	for k, fold := range folds {
		d, err := r.fitDoubt(ctx, r.without(folds, k))
		if err != nil {
			return nil, nil, err
		}
		held := make([]float64, len(fold))
		if err := variances(ctx, d, rows{r.data, fold}, held, r.pool); err != nil {
			return nil, nil, err
		}
		for i, j := range fold {
			outside[j] = held[i]
		}
	}
	d, err := r.fitDoubt(ctx, rows{r.data, everyRow(r.data.rows())})
	return d, outside, err
}

// folds shares the rows out, every row to one fold.
func (r *run) folds() [][]int { return split(r.data.rows(), r.members, r.Seed) }

// without returns the rows of all folds but one.
func (r *run) without(folds [][]int, k int) rows {
	var numbers []int
	for i, fold := range folds {
		if i != k {
			numbers = append(numbers, fold...)
		}
	}
	return rows{r.data, numbers}
}

// members are what cross-fitting makes: a surface a fold and, for every row, the
// prediction of the one that has not seen it.
type members struct {
	surfaces []*surface.Surface
	params   [][]float32
	outside  []float64 // [n] predictions out of fold
	data     Data
}

// squaredError returns the mean squared error out of fold.
func (m *members) squaredError() float64 {
	return m.data.squaredError(everyRow(len(m.outside)), func(_, j int) float64 { return m.outside[j] })
}

func square(v float64) float64 { return v * v }

// crossFit trains a member without each fold.
func (r *run) crossFit(ctx context.Context, folds [][]int, chosen shape) (*members, error) {
	m := &members{outside: make([]float64, r.data.rows()), data: r.data}
	for k, fold := range folds {
		s, params, err := r.train(ctx, chosen, r.without(folds, k), r.steps, uint64(k))
		if err != nil {
			return nil, err
		}
		if err := m.add(ctx, s, params, rows{r.data, fold}, r.pool); err != nil {
			return nil, err
		}
	}
	r.limits.Hold(m.outside)
	return m, nil
}

// add takes up a member that has not seen the rows of a fold.
func (m *members) add(ctx context.Context, s *surface.Surface, params []float32, fold rows, pool *kernel.Pool) error {
	held := make([]float64, len(fold.numbers))
	if err := means(ctx, s, params, fold, held, pool); err != nil {
		return err
	}
	for i, j := range fold.numbers {
		m.outside[j] = held[i]
	}
	m.surfaces, m.params = append(m.surfaces, s), append(m.params, params)
	return nil
}

// train trains one member of a shape.
func (r *run) train(ctx context.Context, c shape, data rows, steps int, member uint64) (*surface.Surface, []float32, error) {
	seed := r.Seed + member*memberSeeds
	s, err := c.surface(r.data, r.distinct, seed)
	if err != nil {
		return nil, nil, err
	}
	params := startMean(s, c.amplitudes(), rand.New(rand.NewPCG(seed, streamWeights)))
	o := descent{
		objective: elbo.NewMean, loss: elbo.SquaredLoss, steps: steps, batch: r.batch, rate: rate(len(r.data.Bases)),
		smoothness: c.Smoothness, seed: seed, step: r.progress.step,
	}
	return s, params, o.run(ctx, s, data, params, r.pool)
}

// rate returns the learning rate for d inputs. A step moves every layer, so the
// function of a long chain moves further.
func rate(d int) float64 { return 0.02 * min(1, 70/float64(d)) }

// memberSeeds tells the seeds of members apart.
const memberSeeds = 0x9e3779b97f4a7c15

// average adds the members up to a multiple of their average: one more group for
// each, with its first layers scaled.
func (m *members) average(factor float32) (*surface.Posterior, error) {
	var groups []surface.Group
	var params []float32
	for i, s := range m.surfaces {
		for g := range s.Groups() {
			group := s.Group(g)
			groups = append(groups, group)
			from := len(params)
			params = append(params, s.Mean(m.params[i], g)...)
			scaleFirst(group, params[from:], factor/float32(len(m.surfaces)))
		}
	}
	s, err := surface.New(groups...)
	if err != nil {
		return nil, err
	}
	return surface.NewPosterior(s, params)
}

var errNothing = errors.New("no candidate could be trained")
