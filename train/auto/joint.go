package auto

import (
	"math"
	"slices"

	"beziergp/internal/process/surface"
	"beziergp/likelihood"
	"beziergp/model"
)

// joint is the law of T Gaussian targets with a process each. A target that a row lacks is NaN
// and adds nothing. Targets are in units of their deviations, and one that lies very far from f counts as
// Huber's loss ρ has it: else a single wild value of one target would decide what all learn.
//
//	ℓ(y, f) = Σ_t ρ(y_t − f_t), over the targets that are there
//	ρ(r) = ½ r² where |r| ≤ δ, δ |r| − ½ δ² beyond
type joint struct {
	likelihood.Gaussian
	limits []*model.Limits // of each
	perRow float64         // targets that a row has on average
}

var _ likelihood.Several = joint{}

// Latents returns T.
func (l joint) Latents() int { return len(l.limits) }

// wild is δ, the deviations beyond which a target counts less than its square: Gaussian targets have none.
const wild = 5

// Losses returns ℓ and writes its derivatives.
func (l joint) Losses(f []float64, y []float32, slope []float64) (loss float64) {
	for t := range l.limits {
		if slope[t] = 0; y[t] == y[t] {
			off := f[t] - float64(y[t])
			slope[t] = min(max(off, -wild), wild)
			loss += slope[t] * (off - 0.5*slope[t])
		}
	}
	return loss
}

// bend returns the second derivative of ℓ along a direction times its squared length.
func (l joint) bend(f []float64, y []float32, direction []float64) (sum float64) {
	for t := range l.limits {
		if math.Abs(f[t]-float64(y[t])) <= wild { // NaN is not
			sum += square(direction[t])
		}
	}
	return sum
}

// Probabilities is of classes alone.
func (joint) Probabilities([]float64, float64, []float64) {
	panic("auto: several outputs have no classes")
}

// newJoint returns the law of the columns of targets, none of which may lack all.
func newJoint(y []float32, columns int) (l joint) {
	known := 0
	for t := range columns {
		own := column(y, columns, t)
		l.limits, known = append(l.limits, limitsOf(own)), known+len(own)
	}
	l.perRow = float64(known) / float64(len(y)/columns)
	return l
}

// column returns the targets of an output that are there.
func column(y []float32, columns, t int) (all []float32) {
	for j := t; j < len(y); j += columns {
		if y[j] == y[j] {
			all = append(all, y[j])
		}
	}
	return all
}

// several returns the law of several outputs, if it is that of the data.
func (d *dataset) several() (joint, bool) {
	l, ok := d.law.(joint)
	return l, ok
}

// outputs returns T, 1 for the classes of one target.
func (d *dataset) outputs() int {
	if l, ok := d.several(); ok {
		return l.Latents()
	}
	return 1
}

// clamp holds predictions, [n, T], within the limits.
func (d *dataset) clamp(mean []float64) {
	l, ok := d.several()
	if t := d.latents(); !ok && t > 1 {
		for at := 0; at < len(mean); at += t {
			d.limits.ClampClasses(mean[at : at+t])
		}
		return
	}
	if !ok {
		d.limits.Clamp(mean)
		return
	}
	for at := range mean {
		l.limits[at%len(l.limits)].Clamp(mean[at : at+1])
	}
}

// known returns the targets of row j of several outputs that are there.
func (d *dataset) known(j, t int) bool {
	v := d.Targets(j, j+1)[t]
	return v == v
}

// perRow returns the average number of targets that a row has, by which a deviance that is
// summed over outputs is that of one.
func (d *dataset) perRow() float64 {
	if l, ok := d.several(); ok {
		return l.perRow
	}
	return 1
}

// output returns the data of one output, of all rows: those that lack it have NaN.
func (d *dataset) output(t int) *dataset {
	l, _ := d.several()
	own, y := *d, make([]float32, d.Len())
	for j := range y {
		y[j] = d.Targets(j, j+1)[t]
	}
	own.Y, own.Outputs, own.law, own.limits = y, 1, likelihood.Gaussian{}, l.limits[t]
	return own.scaled(d.X, d.inputs)
}

// having returns the rows and the folds that have an output, of data of one.
func (p partition) having(d *dataset) (own partition) {
	lacks := func(j int) bool { return math.IsNaN(float64(d.Y[j])) }
	own.rows = slices.DeleteFunc(slices.Clone(p.rows), lacks)
	for _, fold := range p.folds {
		own.folds = append(own.folds, slices.DeleteFunc(slices.Clone(fold), lacks))
	}
	return own
}

// output returns the ensemble of one output, whose data and rows these are: the members' own
// functions of it, and what they predict of it.
func (e *ensemble) output(t int, data *dataset) (*ensemble, error) {
	own := e.predictionsOf(t, data)
	for _, m := range e.members {
		q, err := surface.NewPosterior(m.surface, m.params)
		if err != nil {
			return nil, err
		}
		q = q.Output(t)
		m.surface, m.params = q.Surface, q.Params()
		own.members = append(own.members, m)
	}
	return own, nil
}

// predictionsOf returns what the members predict of one output, without the members.
func (e *ensemble) predictionsOf(t int, data *dataset) *ensemble {
	own, all := newEnsemble(data), e.data.latents()
	own.folds = partition{folds: e.folds}.having(data).folds
	for j := range own.outOfFold {
		own.outOfFold[j] = e.outOfFold[j*all+t]
	}
	if e.twins != nil {
		own.twins = make([]float64, data.Len())
		for j := range own.twins {
			own.twins[j] = e.twins[j*all+t]
		}
	}
	rows := e.rows()
	for i := t; i < len(e.replicates); i += all {
		if e.data.known(rows[i/all], t) {
			own.replicates = append(own.replicates, e.replicates[i])
		}
	}
	return own
}
