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
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/model"
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
	// Without leaves ingredients out, for experiments.
	Without []Ingredient `json:"without,omitempty"`
	sampled int          // coordinates of a sample, for tests; 0 for sampledValues
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
	widened  *widened      // data in a wider box; nil until it is needed
	limits   *model.Limits // of predictions
	distinct []int
	order    []int      // the rows by their content
	copies   []int      // of every row the first of the same inputs, −1 for none
	best     *candidate // so far; nil for none
	env      Environment
	pool     *simd.Pool
	progress *progress
}

// Fit trains. It takes up no checkpoint. Interrupted after a candidate was tried on a
// fold it returns the best so far beside the error, which wraps that of ctx.
func (o Auto) Fit(ctx context.Context, data Data, env Environment) (*Result, error) {
	if o.Effort == "" {
		o.Effort = Default
	}
	if _, err := ParseEffort(string(o.Effort)); err != nil {
		return nil, &OptionError{Option: "effort", Problem: err.Error()}
	}
	if o.Budget < 0 {
		return nil, &OptionError{Option: "budget", Problem: fmt.Sprintf("%v; it cannot be negative", o.Budget)}
	}
	for _, i := range o.Without {
		if !slices.Contains(ingredients, i) {
			return nil, &OptionError{Option: "without", Problem: fmt.Sprintf("ingredient %q is unknown; choose from %v", i, ingredients)}
		}
	}
	env = env.withDefaults()
	if err := env.check(); err != nil {
		return nil, err
	}
	if err := data.check(); err != nil {
		return nil, err
	}
	all := data.rows()
	data, err := data.inMemory(ctx, o.Seed, orDefault(o.sampled, sampledValues))
	if err != nil {
		return nil, err
	}
	r := o.newRun(data, env)
	defer r.pool.Close()
	result, err := r.fit(ctx)
	if n := data.rows(); result != nil && n < all {
		result.Sampled = n
	}
	return result, err
}

// newRun returns a run that has done nothing yet; its pool is to be closed.
func (o Auto) newRun(data Data, env Environment) *run {
	data, order := data.withInputs().with(data.X).withoutRepeats(byContent(data))
	distinct, p := distinctValues(data), plans[o.Effort]
	r := &run{
		Auto: o, plan: p, choices: o.leaveOut(p.choicesFor(data.rows(), distinct)), data: data, given: data, limits: limitsOf(data.Y), distinct: distinct,
		order: order, copies: copies(data, order),
		env: env, pool: simd.NewPool(env.Workers),
	}
	r.progress = newProgress(r)
	return r
}

// limitsOf returns the range of the targets and a tenth of it beyond for the mean of f,
// and the largest variance that anything within has, (hi − lo)²/4 (Popoviciu).
func limitsOf(y []float32) *model.Limits {
	lo, hi := float64(slices.Min(y)), float64(slices.Max(y))
	l := &model.Limits{Lo: lo - 0.1*(hi-lo), Hi: hi + 0.1*(hi-lo)}
	l.Variance = square(l.Hi-l.Lo) / 4
	return l
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

// parts are what a run makes, one after the other.
type parts struct {
	shapes      []shape // of the members, in turn; the best first
	members     *members
	agreement   float64
	noise       noiseFit
	doubt       *model.Doubt
	scales      calibration
	tilt        *model.Tilt
	tilted      *tiltShape
	conformal   float64
	interrupted bool
}

// fit runs all stages. When it is interrupted it returns the best so far beside the
// error: what members there are, with a constant noise.
func (r *run) fit(ctx context.Context) (*Result, error) {
	folds := r.folds()
	p, err := r.stages(ctx, folds)
	if err != nil {
		if ctx.Err() == nil || r.best == nil {
			return nil, err
		}
		var unfit error
		if p, unfit = r.unfinished(p); unfit != nil {
			return nil, errors.Join(err, unfit)
		}
	}
	result, unfit := r.result(p)
	return result, errors.Join(err, unfit)
}

func (r *run) stages(ctx context.Context, folds [][]int) (p parts, err error) {
	if p.shapes, err = r.choose(ctx, folds); err != nil {
		return p, err
	}
	r.use(p.shapes[0].Scaling)
	most := fewestSteps
	for _, s := range p.shapes {
		most = max(most, r.stepsFor(s))
	}
	r.steps = most
	r.fitBudget()
	if p.members, err = r.crossFit(ctx, folds, p.shapes); err != nil {
		return p, err
	}
	seen := p.members.folds
	if p.noise, err = r.fitNoise(ctx, p.members, slices.Concat(seen...)); err != nil {
		return p, err
	}
	var variance []float64
	if p.doubt, variance, err = r.doubt(ctx, folds, len(seen)); err != nil {
		return p, err
	}
	p.scales = r.calibrate(p.members, seen, variance, p.noise)
	outside, err := p.scales.predictions(p.members, seen, variance, p.noise)
	if err != nil {
		return p, err
	}
	if p.noise.noise != nil {
		if p.noise.noise, err = p.scales.apply(p.noise, p.members.errors(slices.Concat(seen...))); err != nil {
			return p, err
		}
	}
	p.conformal = outside.conformal(model.Level)
	if p.tilt, p.tilted, err = r.fitTilt(ctx, outside); err != nil {
		return p, err
	}
	p.agreement, err = r.agree(ctx, &p, outside, variance)
	return p, err
}

// unfinished makes the best of a run that was interrupted: the members there are, or
// those of the best candidate, with the noise that their errors tell.
func (r *run) unfinished(p parts) (parts, error) {
	if p.members == nil || len(p.members.folds) == 0 {
		p = parts{shapes: []shape{r.best.shape}, members: r.best.members}
	}
	r.use(p.shapes[0].Scaling)
	m := p.members
	none := make([]float64, len(m.outside))
	q := parts{shapes: p.shapes, members: m, agreement: 1, scales: calibration{Noise: 1, Power: 1, Floor: -noiseRange, Doubt: 1}, interrupted: true}
	q.noise = noiseFit{constant: max(m.squaredError(m.folds), smallestNoise), outside: none}
	o, err := q.scales.predictions(m, m.folds, none, q.noise)
	if err != nil {
		return q, err
	}
	q.conformal = o.conformal(model.Level)
	return q, nil
}

func (r *run) result(p parts) (*Result, error) {
	averaged := p.members
	if r.lacks(Average) {
		averaged = &members{surfaces: averaged.surfaces[:1], params: averaged.params[:1]}
	}
	posterior, err := averaged.average(1)
	if err != nil {
		return nil, err
	}
	squaredError := p.members.squaredError(p.members.folds)
	return &Result{
		Recipe:        r.Name(),
		Options:       autoOptions{r.Auto, p.shapes, len(p.members.params), p.noise.shape, p.scales, p.tilted, p.agreement, p.interrupted},
		Posterior:     posterior,
		Inputs:        r.data.Inputs,
		Noise:         p.noise.constant * p.scales.Noise * p.agreement,
		Varying:       p.noise.noise,
		Doubt:         p.doubt,
		VarianceScale: p.scales.Doubt,
		Tails:         p.scales.Tails,
		Tilt:          p.tilt,
		Conformal:     p.conformal,
		Limits:        r.limits,
		RMSE:          math.Sqrt(squaredError),
		Objective:     squaredError,
		Steps:         r.progress.done,
	}, nil
}

// autoOptions tells in the model what was chosen.
type autoOptions struct {
	Auto
	Shapes  []shape     `json:"shapes"`
	Members int         `json:"members"`
	Noise   *shape      `json:"noise,omitempty"` // nil where it is constant
	Scales  calibration `json:"scales"`
	Tilt    *tiltShape  `json:"tilt,omitempty"` // nil where predictions have no shape of their own
	// Agreement is the noise of the average of the members over that of one.
	Agreement float64 `json:"agreement"`
	// Interrupted says that the run was, and that the model is the best until then.
	Interrupted bool `json:"interrupted,omitempty"`
}

// doubt trains the model's own uncertainty on all rows, and without each of the first
// folds for the variance of f at the rows of that fold.
func (r *run) doubt(ctx context.Context, folds [][]int, first int) (*model.Doubt, []float64, error) {
	outside := make([]float64, r.data.rows())
	var all *model.Doubt
	r.wide() // for all of them
	err := r.each(ctx, first+1, func(ctx context.Context, own *run, k int) (err error) {
		if k == first {
			all, err = own.fitDoubt(ctx, r.order)
			return err
		}
		d, err := own.fitDoubt(ctx, r.without(folds, k).numbers)
		if err != nil {
			return err
		}
		held, err := own.variances(ctx, d, folds[k])
		if err != nil {
			return err
		}
		for i, j := range folds[k] {
			outside[j] = held[i]
		}
		return nil
	})
	return all, outside, err
}

// folds shares the rows out, every row to one fold.
func (r *run) folds() [][]int { return split(r.order, r.copies, r.choices.folds, r.Seed) }

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

// members are what cross-fitting makes: a surface without each of some folds, and the
// predictions of their rows by the one that has not seen them.
type members struct {
	surfaces []*surface.Surface
	params   [][]float32
	folds    [][]int   // those that have a member each
	outside  []float64 // [n] predictions out of fold; zero where no member lacks the row
	twins    []float64 // of the rows of the first of them, by a second member without them
	data     Data
}

// of returns the predictions of some rows, out of fold.
func (m *members) of(which []int) []float64 {
	mean := make([]float64, len(which))
	for i, j := range which {
		mean[i] = m.outside[j]
	}
	return mean
}

// squaredError returns the mean squared error at the rows of folds, out of fold.
func (m *members) squaredError(folds [][]int) float64 {
	return m.data.squaredError(slices.Concat(folds...), func(_, j int) float64 { return m.outside[j] })
}

func square(v float64) float64 { return v * v }

// crossFit trains a member without each of the first folds, of the shapes in turn, and
// a twin of some of them, which tells how alike errors are. Where it fails it returns
// those that were done.
func (r *run) crossFit(ctx context.Context, folds [][]int, shapes []shape) (*members, error) {
	alone := min(r.members, len(folds))
	trained := make([]member, alone+min(r.twins, alone))
	err := r.each(ctx, len(trained), func(ctx context.Context, own *run, i int) (err error) {
		k := i % alone
		s := shapes[k%len(shapes)]
		trained[i], err = own.train(ctx, s, folds, k, own.stepsFor(s), uint64(i))
		return err
	})
	m := r.noMembers()
	for k, own := range trained {
		switch {
		case own.surface == nil:
			continue
		case k < alone:
			m.add(own, folds[k])
		default:
			m.surfaces, m.params, m.twins = append(m.surfaces, own.surface), append(m.params, own.params), append(m.twins, own.held...)
		}
	}
	return m, err
}

func (r *run) noMembers() *members {
	return &members{outside: make([]float64, r.data.rows()), data: r.data}
}

// member is a surface that has not seen the rows of a fold.
type member struct {
	surface *surface.Surface // nil where it was not trained
	params  []float32
	held    []float64 // what it says of the fold's rows
}

// add takes up the member without the rows of a fold.
func (m *members) add(own member, fold []int) {
	for i, j := range fold {
		m.outside[j] = own.held[i]
	}
	m.surfaces, m.params = append(m.surfaces, own.surface), append(m.params, own.params)
	m.folds = append(m.folds, fold)
}

// predict sets dst to what a member says of rows, held by limits, nil for none.
func (data rows) predict(ctx context.Context, s *surface.Surface, params []float32, dst []float64, pool *simd.Pool, limits *model.Limits) error {
	if err := means(ctx, s, params, data, dst, pool); err != nil {
		return err
	}
	limits.Hold(dst)
	return nil
}

// train trains one member of a shape without fold k.
func (r *run) train(ctx context.Context, c shape, folds [][]int, k, steps int, number uint64) (m member, err error) {
	seen, seed := r.without(folds, k), r.Seed+number*memberSeeds
	if c.isLine() {
		m.surface, m.params, err = r.fitLine(ctx, c, seen, seed)
	} else {
		m.surface, m.params, err = r.descend(ctx, c, r.distinct, seen, descent{loss: elbo.SquaredLoss, steps: steps, batch: r.memberBatch, seed: seed})
	}
	if err == nil {
		err = m.predict(ctx, rows{r.data, folds[k]}, r.pool, r.limits)
	}
	if err != nil {
		return member{}, err
	}
	return m, nil
}

// predict sets what the member says of rows that it has not seen, held by limits, nil
// for none.
func (m *member) predict(ctx context.Context, fold rows, pool *simd.Pool, limits *model.Limits) error {
	m.held = make([]float64, len(fold.numbers))
	return fold.predict(ctx, m.surface, m.params, m.held, pool, limits)
}

// descend trains mean buttresses of a shape from a random start; the descent says by
// what loss, from which seed and how long.
func (r *run) descend(ctx context.Context, c shape, distinct []int, data rows, o descent) (*surface.Surface, []float32, error) {
	s, err := c.surface(data.Data, distinct, o.seed)
	if err != nil {
		return nil, nil, err
	}
	params := startMean(s, c.amplitudes(), rand.New(rand.NewPCG(o.seed, streamWeights)))
	o.objective, o.rate, o.smoothness, o.step = elbo.NewMean, rate(len(data.Bases)), c.Smoothness, r.progress.step
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

var errNothing = errors.New("no candidate could be trained, all diverged: leave out inputs that say nearly the same as others, or rows whose values lie far from all others")
