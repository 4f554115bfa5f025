package auto

import (
	"context"
	"math"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/surface"
)

// member is a surface with its weights, one of those that are averaged.
type member struct {
	surface  *surface.Surface
	params   []float32
	streamed int // rows of a stream that it has learned from
}

// outOfFold is a member and its predictions at the rows of its fold.
type outOfFold struct {
	member
	held []float64 // [rows, T]
	twin []float64 // those of another member of the same structure and fold; nil for none
}

// diverged tells whether there is no member because it diverged.
func (m *outOfFold) diverged() bool { return m.surface == nil }

func (m *outOfFold) parts() (*member, []*[]float64) {
	return &m.member, []*[]float64{&m.held, &m.twin}
}

// descend trains a member of a structure, on some rows of the kind of the data's, from a random start; the
// descent says by what loss, from which seed and how long, and at what rate unless it is the
// usual one.
func descend(ctx context.Context, w worker, data *dataset, rows descent.Part, s structure, o descent.Descent) (m member, err error) {
	if m.surface, err = s.surface(data, o.Seed); err != nil {
		return m, err
	}
	m.params = s.start(m.surface, o.Seed)
	if o.Rate == 0 {
		o.Rate = rate(data.Inputs)
	}
	told := w.fit.descent(o.Steps)
	o.Smoothness, o.Step = s.Smoothness, func(loss float64) { told(loss / data.perRow()) }
	return m, o.Run(ctx, m.surface, rows, m.params, w.pool)
}

// rate returns the learning rate for d inputs. A step moves all d layers, so that f, a
// product over them, moves in proportion to d.
func rate(d int) float64 { return 0.02 * min(1, 70/float64(d)) }

// start lays the weights of a surface of the structure.
func (s structure) start(of *surface.Surface, seed uint64) []float32 {
	params, rng := make([]float32, of.Size()), descent.Random(seed, descent.StreamWeights)
	deviation := spread * min(1, math.Sqrt(spreadInputs/float64(of.Inputs())))
	for g, c := range s.Components {
		group := of.Group(g)
		descent.Start(group, of.Mean(params, g), c.Amplitude/math.Sqrt(float64(group.Ensemble.Buttresses())), deviation, rng)
	}
	return params
}

// spread is the deviation of starting weights from one, up to spreadInputs inputs; a
// longer chain, whose deviations add up, starts as near a constant.
const (
	spread       = 0.02
	spreadInputs = 32.0
)

// predict returns the member's predictions at some rows, clamped in the limits.
func (m member) predict(ctx context.Context, w worker, data *dataset, numbers []int) ([]float64, error) {
	q, err := surface.NewPosterior(m.surface, m.params)
	if err != nil {
		return nil, err
	}
	t := m.surface.Outputs()
	mean := make([]float64, len(numbers)*t)
	e, d, block := surface.NewEvaluator(q, w.pool), m.surface.Inputs(), 64*m.surface.TilePoints()
	x := make([]float32, min(block, len(numbers))*d)
	for from := 0; from < len(numbers); from += block {
		to := min(from+block, len(numbers))
		for p, j := range numbers[from:to] {
			copy(x[p*d:], data.Row(j))
		}
		if err := e.Moments(ctx, x[:(to-from)*d], mean[from*t:to*t], nil); err != nil {
			return nil, err
		}
	}
	data.clamp(mean)
	return mean, nil
}

// heldOut returns the member with its predictions at the rows held out.
func (m member) heldOut(ctx context.Context, w worker, data *dataset, held []int) (*outOfFold, error) {
	mean, err := m.predict(ctx, w, data, held)
	if err != nil {
		return nil, err
	}
	return &outOfFold{member: m, held: mean}, nil
}

// average adds members up to a multiple of their average: one more group for each, with
// its first layers scaled.
func average(members []member, factor float32) (*surface.Posterior, error) {
	var groups []surface.Group
	var params []float32
	for _, m := range members {
		for g := range m.surface.Groups() {
			group := m.surface.Group(g)
			groups = append(groups, group)
			from := len(params)
			params = append(params, m.surface.Mean(m.params, g)...)
			scaleFirst(group, params[from:], factor/float32(len(members)))
		}
	}
	s, err := surface.New(groups...)
	if err != nil {
		return nil, err
	}
	return surface.NewPosterior(s, params)
}

// scaleFirst multiplies the first layers of a group, and so its sum.
func scaleFirst(g surface.Group, w []float32, by float32) {
	changeFirst(g, w, func(v float32) float32 { return v * by })
}

// changeFirst changes the weights of the first layers of a group, one by one.
func changeFirst(g surface.Group, w []float32, to func(v float32) float32) {
	for k := range g.Ensemble.Buttresses() {
		own := g.Ensemble.Weights(w, k)
		first := g.Ensemble.Widths()[g.Ensemble.Orderings()[k][0]]
		for j, v := range own[:first] {
			own[j] = to(v)
		}
	}
}

func square(v float64) float64 { return v * v }
