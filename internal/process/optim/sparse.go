package optim

import "math"

// Sparse is [Adam] on weights of which a step has gradients of a few: the others wait. When one has a gradient again it first makes
// up for the steps since, in closed form. Those had no gradient: after k of them the moments are β₁^k m and β₂^k v, and with the rate
// and the correction of v as they were at the first of them the weight has moved by
//
//	α Σ_{j=1..k} (β₁/√β₂)^j m / (√v + ε).
//
// All weights of a call are those of one matrix, in its order.
type Sparse struct {
	of  *Grouped
	own []weight
}

// weight is what is known of one beside its value. It lies together, because weights of a step are anywhere in memory.
type weight struct {
	m, v float32 // moments
	seen int32   // the steps that it has taken
}

// NewSparse returns the optimiser of a matrix beside those of r, which takes its steps.
func (r *Grouped) NewSparse(size int) *Sparse {
	if r.decays == nil {
		r.decays = newDecays(r.beta1, r.beta2)
	}
	return &Sparse{r, make([]weight, size)}
}

// CatchUp brings the weights at some places to where a step that was begun finds them.
func (s *Sparse) CatchUp(places []int32, params []float32) {
	for _, i := range places {
		s.catchUp(i, s.of.steps-1, params)
	}
}

// CatchUpAll brings all weights there.
func (s *Sparse) CatchUpAll(params []float32) {
	s.catchUpAll(s.of.steps-1, params)
}

// Finish brings all weights to the end of the last step.
func (s *Sparse) Finish(params []float32) { s.catchUpAll(s.of.steps, params) }

func (s *Sparse) catchUpAll(step int, params []float32) {
	for i := range params {
		s.catchUp(int32(i), step, params)
	}
}

func (s *Sparse) catchUp(i int32, step int, params []float32) {
	w := &s.own[i]
	since := step - int(w.seen)
	if since <= 0 {
		return
	}
	if w.v > 0 {
		first, left := &s.of.taken[w.seen], s.of.decays.after(since)
		params[i] -= first.Rate * left.moves * w.m / (root(w.v*first.Correction2) + first.Epsilon)
		w.m *= left.first
		w.v *= left.second
	}
	w.seen = int32(step)
}

// Move moves the weights at some places, which have caught up, against their gradient, which it clears. A place may be given more than once.
func (s *Sparse) Move(places []int32, params, gradient []float32) {
	for _, i := range places {
		s.move(i, params, gradient)
	}
}

// MoveAll moves all weights, which have caught up, against their gradient, which it clears.
func (s *Sparse) MoveAll(params, gradient []float32) {
	for i := range params {
		s.move(int32(i), params, gradient)
	}
}

func (s *Sparse) move(i int32, params, gradient []float32) {
	w, a := &s.own[i], &s.of.step
	if int(w.seen) == s.of.steps {
		return
	}
	g := gradient[i]
	gradient[i] = 0
	w.m = a.Beta1*w.m + (1-a.Beta1)*g
	w.v = a.Beta2*w.v + (1-a.Beta2)*(g*g)
	params[i] -= a.Rate * w.m / (root(w.v*a.Correction2) + a.Epsilon)
	w.seen = int32(s.of.steps)
}

func root(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// decays are what is left of moments after steps without a gradient.
type decays struct {
	beta1, beta2 float64
	known        []decay // by steps
}

// decay is what some steps leave of both moments, and how far they move a weight, in moves of the last step with a gradient.
type decay struct{ first, second, moves float32 }

// knownDecays are the steps up to which decays are kept.
const knownDecays = 512

func newDecays(beta1, beta2 float64) *decays {
	d := &decays{beta1: beta1, beta2: beta2}
	for k := range knownDecays {
		d.known = append(d.known, d.of(k))
	}
	return d
}

func (d *decays) after(steps int) decay {
	if steps < len(d.known) {
		return d.known[steps]
	}
	return d.of(steps)
}

func (d *decays) of(steps int) decay {
	ratio, k := d.beta1/math.Sqrt(d.beta2), float64(steps)
	return decay{
		first:  float32(math.Pow(d.beta1, k)),
		second: float32(math.Pow(d.beta2, k)),
		moves:  float32(ratio * (1 - math.Pow(ratio, k)) / (1 - ratio)),
	}
}
