package elbo

import (
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
)

// task names the work on one buttress.
type task struct{ group, index int }

// mean returns the part of p, as the parameters, that belongs to the buttress's mean.
func (t task) mean(s *surface.Surface, p []float32) []float32 {
	return s.Group(t.group).Ensemble.Weights(s.Mean(p, t.group), t.index)
}

// variance returns the part that belongs to its variance.
func (t task) variance(s *surface.Surface, p []float32) []float32 {
	return s.Group(t.group).Ensemble.Weights(s.Variance(p, t.group), t.index)
}

// tasks returns the buttresses of all groups.
func tasks(s *surface.Surface) (all []task) {
	for g := range s.Groups() {
		for k := range s.Group(g).Ensemble.Buttresses() {
			all = append(all, task{g, k})
		}
	}
	return all
}

// passes take a tile through the buttresses of all groups, forward and then backward,
// which starts from the states that forward has left: kept where memory allows it,
// and else computed again. Where the cotangent is known beforehand, backward alone, with
// no states kept, does both at once.
type passes struct {
	surface *surface.Surface
	tasks   []task
	kept    []*buttress.States // by buttress; nil where computed again
	values  [][]float32        // by buttress: what it is at the tile, [T, TilePoints]
}

// newPasses returns passes of a portion of the buttresses that keep states where memory allows
// it, or never.
func newPasses(s *surface.Surface, own Portion, keep bool) passes {
	p := passes{surface: s, tasks: tasks(s)}
	p.kept = make([]*buttress.States, len(p.tasks))
	keep = keep && s.KeepsPasses(own.Len())
	for i, t := range p.tasks {
		p.values = append(p.values, make([]float32, s.Outputs()*s.TilePoints()))
		if keep && own.has(i) {
			p.kept[i] = s.Group(t.group).Ensemble.NewKeptStates(s.TilePoints())
		}
	}
	return p
}

// forward finds the values of one buttress, by its weights, in the memory of a worker.
func (p *passes) forward(own *scratch, part int, weights []float32, bases *buttress.Tile) {
	states := p.kept[part]
	if states == nil {
		states = own.values[p.tasks[part].group]
	}
	p.into(states, part, weights, bases)
}

// backward adds the gradient by a buttress's weights, given the cotangent of its values.
func (p *passes) backward(own *scratch, part int, weights []float32, bases *buttress.Tile, cotangent, gradient []float32) {
	t, states := p.tasks[part], p.kept[part]
	if states == nil {
		states = own.states[t.group]
		p.into(states, part, weights, bases)
	}
	p.surface.Group(t.group).Ensemble.Backward(t.index, weights, bases, states, cotangent, gradient)
}

func (p *passes) into(states *buttress.States, part int, weights []float32, bases *buttress.Tile) {
	t := p.tasks[part]
	p.surface.Group(t.group).Ensemble.Forward(t.index, weights, bases, states, p.values[part])
}

// addTo adds the values of all buttresses from one on.
func (p *passes) addTo(sum []float64, at int) {
	for _, values := range p.values {
		for i, v := range values[at:][:len(sum)] {
			sum[i] += float64(v)
		}
	}
}
