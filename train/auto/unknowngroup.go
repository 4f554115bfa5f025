package auto

import (
	"math"
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/model"
)

// logNothing is the log-weight of a variance that is 0 in float32.
const logNothing = -200

// doubt returns Var f as the model has it: where inputs may be unknown a surface of one group more, of a buttress for each of them, whose
// value is v_i/a where input i is not known, and else 0.
func (f *fitted) doubt() (*model.Auxiliary, error) {
	from := f.epistemic.model
	if from == nil || f.unknown == nil {
		return from, nil
	}
	s, params := from.Surface.Surface, slices.Clone(from.Surface.Params())
	var groups []surface.Group
	own := 0
	for g := range s.Groups() {
		groups = append(groups, s.Group(g))
		own += s.Group(g).Ensemble.Buttresses()
	}
	all := own + len(f.unknown) // which share the variance
	for g, group := range groups {
		addFirst(group, s.Variance(params, g), math.Log(float64(all)/float64(own)))
	}
	group, err := f.data.ofUnknown(len(f.unknown))
	if err != nil {
		return nil, err
	}
	params = append(params, f.unknownWeights(group.Ensemble, float64(all)/f.varianceScale())...)
	joined, err := surface.New(append(groups, group)...)
	if err != nil {
		return nil, err
	}
	q, err := surface.NewPosterior(joined, params)
	return &model.Auxiliary{Inputs: from.Inputs, Surface: q, Variance: true}, err
}

// addFirst adds to the log-weights of the first layers of a group, which multiplies its sum.
func addFirst(g surface.Group, v []float32, by float64) {
	changeFirst(g, v, func(w float32) float32 { return w + float32(by) })
}

// ofUnknown returns a group of so many variance buttresses of whether inputs are known.
func (d *dataset) ofUnknown(buttresses int) (g surface.Group, err error) {
	known := basis.NewKnown()
	g = surface.Group{Bases: slices.Repeat([]basis.Basis{known}, d.Inputs), Part: surface.VarianceOnly}
	widths := slices.Repeat([]int{known.Nodes()}, d.Inputs)
	orderings := slices.Repeat([][]int{upTo(d.Inputs)}, buttresses)
	g.Ensemble, err = buttress.New(widths, surface.Supports(g.Bases), orderings)
	return g, err
}

// unknownWeights returns the log-weights of their variances, times a factor: 0 but of the input that a buttress is of.
func (f *fitted) unknownWeights(e *buttress.Ensemble, factor float64) []float32 {
	v := make([]float32, e.Size())
	for k, own := range f.unknown {
		rows, w := 1, e.Weights(v, k)
		for i, cols := range e.Widths() {
			if i == own.input {
				for r := range rows {
					w[r*cols], w[r*cols+1] = logNothing, float32(math.Log(own.Variance*factor))
				}
			}
			rows, w = cols, w[rows*cols:]
		}
	}
	return v
}
