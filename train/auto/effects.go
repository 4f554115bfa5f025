package auto

import (
	"context"
	"slices"
	"sync"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/internal/splitmix"
)

// Main effects are the part Σ_i a_i(x_i) of a sum of components: a spline of each number and a function of every level
// of each category. Ridge regression finds them first, and the other components learn what they leave. A product over many inputs takes
// many steps to learn what each of these tells for itself, and learns levels by heart meanwhile.

// mainEffects returns the component, with a ridge λ of its own.
func mainEffects(nodes int, lambda float64) component {
	c := additive(nodes)
	c.Cells, c.Ridge = basis.MaxSteps, lambda
	return c
}

// usualRidge is λ of main effects that do not tell it.
const usualRidge = 10

func (c component) isMainEffects() bool { return c.Ridge > 0 }

// hasMainEffects tells whether a structure begins with main effects.
func (s structure) hasMainEffects() bool {
	return len(s.Components) > 0 && s.Components[0].isMainEffects()
}

// beyondEffects returns the structure without main effects.
func (s structure) beyondEffects() structure {
	s.Components = slices.DeleteFunc(slices.Clone(s.Components), component.isMainEffects)
	return s
}

// isExact tells whether a structure is fitted without steps: an additive model, or main effects alone.
func (s structure) isExact() bool { return s.isAdditive() || len(s.beyondEffects().Components) == 0 }

// effects are main effects that were learned, on the surface of a structure that begins with them; of T classes those of each.
type effects struct {
	bases  []basis.Basis
	of     []line    // [T]
	fitted []float64 // [n, T] what they say of the rows that they were learned from
}

// mostEntries are those of the regression: of more only as many rows are taken as have so many.
const mostEntries = 2e7

// knownEffects keeps the main effects that were learned from some rows of a dataset: candidates that differ in what they have beside
// these share them.
type knownEffects struct {
	mu    sync.Mutex
	known map[rowsOfEffects]func() (*effects, error)
}

// rowsOfEffects tells main effects of a dataset apart.
type rowsOfEffects struct {
	effects component
	rows    uint64 // digest of their numbers
}

func newKnownEffects() *knownEffects {
	return &knownEffects{known: map[rowsOfEffects]func() (*effects, error){}}
}

// effectsOf returns the main effects of a structure, learned from some rows: once, unless the rows of a fold have inputs of their own.
func (d *dataset) effectsOf(ctx context.Context, w worker, s structure, numbers []int) (*effects, error) {
	learn := func() (*effects, error) { return fitEffects(ctx, w, d, s, numbers) }
	if d.whole != nil {
		return learn()
	}
	key := rowsOfEffects{s.Components[0], splitmix.Gamma}
	for _, j := range numbers {
		key.rows = splitmix.Mix(key.rows + uint64(j))
	}
	d.effects.mu.Lock()
	once, ok := d.effects.known[key]
	if !ok {
		once = sync.OnceValues(learn)
		d.effects.known[key] = once
	}
	d.effects.mu.Unlock()
	e, err := once()
	if err != nil && ctx.Err() == nil { // of another one's context
		return learn()
	}
	return e, err
}

// fitEffects learns the main effects of a structure from some rows.
func fitEffects(ctx context.Context, w worker, data *dataset, s structure, numbers []int) (*effects, error) {
	c := s.Components[0]
	of, err := structure{Scaling: s.Scaling, Components: []component{c}}.surface(data, 0)
	if err != nil {
		return nil, err
	}
	e := &effects{bases: of.Group(0).Bases}
	perRow := 0
	for _, b := range e.bases {
		perRow += b.Support()
	}
	some := data.some(numbers, mostEntries/(perRow*data.latents()))
	r := newRegression(w.pool, e.bases, data, some)
	if e.of, err = r.likeliest(ctx, data, some, c.Ridge); err != nil {
		return nil, err
	}
	if len(some) < len(numbers) {
		r = newRegression(w.pool, e.bases, data, numbers)
	}
	e.fitted = make([]float64, len(numbers)*len(e.of))
	for k, l := range e.of {
		for p, f := range r.fitted(l) {
			e.fitted[p*len(e.of)+k] = f
		}
	}
	return e, nil
}

// left returns the data with what the effects leave of the targets of the rows that they were learned from. Of a law other than a Gaussian they are an
// offset of f.
func (e *effects) left(data *dataset, numbers []int) *dataset {
	own := *data
	if data.gaussian() {
		own.Y = slices.Clone(data.Y)
		for p, j := range numbers {
			own.Y[j] = float32(float64(data.Y[j]) - e.fitted[p])
		}
		return &own
	}
	t := len(e.of)
	own.Outputs = 1 + t // the target and offsets
	own.Y = make([]float32, own.Outputs*data.Len())
	for p, j := range numbers {
		y := own.Targets(j, j+1)
		y[0] = float32(data.target(j))
		for k, f := range e.fitted[p*t : (p+1)*t] {
			y[1+k] = float32(data.offset(j) + f)
		}
	}
	return &own
}

// with returns the member of a structure whose components beside these effects are those of a member, if there are any.
func (e *effects) with(others member, data *dataset, s structure, seed uint64) (m member, err error) {
	if m.surface, err = s.surface(data, seed); err != nil {
		return m, err
	}
	m.params = make([]float32, m.surface.Size())
	for k, l := range e.of {
		layAdditive(m.surface.Group(0), m.surface.Mean(m.params, 0), k, e.values(l), l.mu)
	}
	for g := 1; g < m.surface.Groups(); g++ {
		copy(m.surface.Mean(m.params, g), others.surface.Mean(others.params, g-1))
	}
	return m, nil
}

// values returns the effects a_i at the nodes of every input, less what they are on average.
func (e *effects) values(l line) [][]float64 {
	values, at := make([][]float64, len(e.bases)), 0
	for i, b := range e.bases {
		values[i] = slices.Clone(l.b[at : at+b.Nodes()])
		mean := 0.0
		for a, v := range averageOf(b) {
			mean += float64(v) * values[i][a]
		}
		for a := range values[i] {
			values[i][a] -= mean
		}
		at += b.Nodes()
	}
	return values
}

// layAdditive lays the weights of the two buttresses of an output, of a constant and functions of each input. A layer multiplies the chain by
// 1 ± a_i(x_i)/2c, with a_i the function of its input, and the sum of both is
//
//	f = c Π_i (1 + a_i/2c) − c Π_i (1 − a_i/2c) = Σ_i a_i + terms of third order
//
// Of several outputs the last layer passes it on to that output alone.
func layAdditive(of surface.Group, weights []float32, output int, values [][]float64, constant float64) {
	e := of.Ensemble
	for k := 2 * output; k < 2*output+2; k++ {
		w, rows, sign := e.Weights(weights, k), 1, float64(1-2*(k%2))
		for g, input := range e.Orderings()[k] {
			own := values[input]
			for i := range rows {
				for j, a := range own {
					if input == 0 {
						a += constant
					}
					v := 1 + sign*a/(2*additiveAmplitude)
					if g == 0 {
						v *= sign * additiveAmplitude
					}
					w[i*len(own)+j] = float32(v)
				}
			}
			w, rows = w[rows*len(own):], len(own)
		}
		if t := e.Outputs(); t > 1 {
			for i := range rows {
				w[i*t+output] = 1
			}
		}
	}
}

// effectsOrderings returns those of main effects: one twice, in which inputs of many functions lie beside those of few, for layers have
// the weights of all pairs of their functions.
func effectsOrderings(widths []int) [][]int {
	by := upTo(len(widths))
	slices.SortStableFunc(by, func(a, b int) int { return widths[b] - widths[a] })
	var ordering []int
	for k, l := 0, len(by)-1; k <= l; k, l = k+1, l-1 {
		if ordering = append(ordering, by[k]); k < l {
			ordering = append(ordering, by[l])
		}
	}
	return [][]int{ordering, ordering}
}

// weightsOfEffects returns how many weights main effects have on data that tell all levels apart.
func (d *dataset) weightsOfEffects(c component) (sum int) {
	widths := make([]int, len(d.bases))
	for i, b := range d.bases {
		switch l := d.levelsOf(i); {
		case l != nil:
			widths[i] = l.All.Functions()
		case basis.Ordered(b) && c.tellsValues(d, i):
			widths[i] = min(c.Cells, stepsOf(d.tied(i)))
		case basis.Ordered(b):
			widths[i] = c.nodesOf(d.distinct[i])
		default:
			widths[i] = b.Nodes()
		}
	}
	o := effectsOrderings(widths)[0]
	for k := 1; k < len(o); k++ {
		sum += widths[o[k-1]] * widths[o[k]]
	}
	return 2 * sum * d.latents()
}
