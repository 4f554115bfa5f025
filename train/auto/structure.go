package auto

import (
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/surface"
	"beziergp/train"
)

// component describes one group of mean buttresses.
type component struct {
	Kind      basis.Kind `json:"kind"` // of the basis of a number
	Nodes     int        `json:"nodes"`
	Orderings int        `json:"orderings"`
	Amplitude float64    `json:"amplitude"` // of its starting weights
	// Full says that a number of few values has all the nodes. The nodes of a layer are what
	// a buttress passes on from the inputs before it, and more of them pass on more.
	Full bool `json:"full,omitempty"`
	// Cells, if not 0, are the most functions that the component has of a number whose values
	// it tells apart (ties.go), in place of a basis of Nodes.
	Cells int `json:"cells,omitempty"`
	// Apart says that inputs of many functions do not lie next to each other in the orderings (orderings.go), as far as others can come between.
	Apart bool `json:"apart,omitempty"`
	// Ridge, if not 0, is λ of main effects (effects.go), which ridge regression finds before the other components learn.
	Ridge float64 `json:"ridge,omitempty"`
}

// structure is what the selection chooses on held-out rows: f is a sum of components of
// inputs in a scaling, with a penalty λ ([elbo.Smoothness]).
type structure struct {
	Scaling    train.Scaling `json:"scaling"`
	Components []component   `json:"components"`
	Smoothness float64       `json:"smoothness"` // λ
}

// basisOf returns the basis of one input in a component: that of the data for a
// category and for a constant, and no more nodes than the input has values unless it is
// full.
func (c component) basisOf(given basis.Basis, distinct int) (basis.Basis, error) {
	if !basis.Ordered(given) || distinct < 2 {
		return given, nil
	}
	return basis.New(basis.Spec{Kind: c.Kind, Nodes: c.nodesOf(distinct)})
}

// nodesOf returns the nodes of an input of so many values.
func (c component) nodesOf(distinct int) int {
	if c.Full {
		return c.Nodes
	}
	return min(c.Nodes, distinct)
}

// weights returns about how many a component has, with ties of one input.
func (c component) weights(distinct []int) (sum float64) {
	for _, n := range distinct {
		sum += square(float64(c.nodesOf(n)))
	}
	// More than so many values cost as much, for a step moves those of its rows.
	return (sum + float64(2*min(c.Cells, descent.ManySteps)*c.Nodes)) * float64(c.Orderings)
}

// equals tells whether two structures are the same.
func (s structure) equals(o structure) bool {
	return s.Scaling == o.Scaling && s.Smoothness == o.Smoothness && slices.Equal(s.Components, o.Components)
}

// surface returns the groups of one member, with orderings of its own.
func (s structure) surface(data *dataset, seed uint64) (*surface.Surface, error) {
	rng := descent.Random(seed, descent.StreamOrderings)
	var groups []surface.Group
	for _, c := range s.Components {
		g := surface.Group{Part: surface.MeanOnly}
		widths := make([]int, len(data.bases))
		for i, given := range data.bases {
			b, err := c.basisOf(given, data.distinct[i])
			if c.tellsValues(data, i) {
				b, err = data.tiesOf(i, data.tied(i), c.Cells)
			}
			if err == nil {
				b, err = data.averaged(b, i)
			}
			if err != nil {
				return nil, err
			}
			g.Bases, widths[i] = append(g.Bases, b), b.Nodes()
		}
		orderings := c.orderings(widths, data.Len(), rng)
		if c.isMainEffects() { // which every output has of its own
			orderings = slices.Repeat(orderings, data.latents())
		}
		var err error
		if g.Ensemble, err = buttress.NewOutputs(widths, surface.Supports(g.Bases), orderings, data.latents()); err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	return surface.New(groups...)
}
