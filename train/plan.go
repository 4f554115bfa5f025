package train

import (
	"slices"

	"beziergp/basis"
)

// plan is what an effort amounts to.
type plan struct {
	members         int
	batch           int
	cost            float64 // of a component by one row and step, at most
	steps           int     // of a member
	tries           []int   // steps of the rounds of the choice
	keep            int     // candidates that go on to the next round, at most
	noiseSteps      int
	doubtSteps      int
	noiseSmoothness []float64
	tiltSteps       int
	// What is chosen from, for few rows and for many: few rows have no fine structure
	// to show, but may be free of noise or all noise.
	few, many choices
}

// choices are the candidates: every shape with every smoothness.
type choices struct {
	shapes     [][]component
	smoothness []float64
}

// fewRows is the number of rows up to which they are few.
const fewRows = 2000

var coarse = component{basis.KindBernstein, 6, 30, 1}

// fine returns a group that adds local structure; it starts small.
func fine(nodes, orderings int) component {
	return component{basis.KindSpline, nodes, orderings, 0.1}
}

// smooth returns a group of low order and many orderings, for interactions.
func smooth(orderings int) component {
	return component{basis.KindBernstein, 4, orderings, 1}
}

var plans = map[Effort]plan{
	Fast: {
		members: 3, batch: 512, cost: 0.6e6, steps: 500, tries: []int{150}, keep: 1,
		noiseSteps: 200, doubtSteps: 300, noiseSmoothness: []float64{3, 30}, tiltSteps: 400,
		few:  choices{[][]component{{coarse}, {coarse, fine(12, 10)}}, []float64{0.1, 1, 10}},
		many: choices{[][]component{{coarse}, {coarse, fine(21, 10)}}, []float64{1, 10}},
	},
	Default: {
		members: 5, batch: 512, cost: 1.7e6, steps: 1700, tries: []int{300, 800}, keep: 3,
		noiseSteps: 400, doubtSteps: 400, noiseSmoothness: []float64{1, 10, 100}, tiltSteps: 1000,
		few:  choices{[][]component{{smooth(60)}, {coarse, fine(12, 20)}, {coarse, fine(21, 20)}}, []float64{0.01, 0.1, 1, 10, 100}},
		many: choices{[][]component{{smooth(60)}, {coarse, fine(31, 20)}, {coarse, fine(61, 20)}}, []float64{0.1, 1, 10}},
	},
	Best: {
		members: 10, batch: 512, cost: 8e6, steps: 4000, tries: []int{300, 1000, 2000}, keep: 4,
		noiseSteps: 1000, doubtSteps: 1200, noiseSmoothness: []float64{0.3, 1, 3, 10, 30, 100}, tiltSteps: 3000,
		few:  choices{[][]component{{smooth(80)}, {coarse, fine(12, 40)}, {coarse, fine(21, 40)}}, []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100}},
		many: choices{[][]component{{smooth(80)}, {coarse, fine(31, 40)}, {coarse, fine(61, 40)}}, []float64{0.03, 0.1, 0.3, 1, 3, 10, 30}},
	},
}

// choicesFor returns the candidates for a number of rows and inputs of so many
// values.
func (p plan) choicesFor(rows int, distinct []int) choices {
	given := p.many
	if rows <= fewRows {
		given = p.few
	}
	c := choices{smoothness: given.smoothness}
	for _, components := range given.shapes {
		var own []component
		for _, component := range components {
			own = append(own, component.within(p.cost, distinct))
		}
		if !slices.ContainsFunc(c.shapes, func(s []component) bool { return slices.Equal(s, own) }) {
			c.shapes = append(c.shapes, own)
		}
	}
	return c
}

// tiltShapes are the candidates for the shape of distributions.
func (r *run) tiltShapes() []tiltShape {
	switch {
	case r.data.rows() <= fewRows:
		return []tiltShape{{Nodes: 4, Smoothness: 300}, {Nodes: 4, Smoothness: 100}, {Nodes: 4, Smoothness: 30}}
	case r.Effort == Fast:
		return []tiltShape{{Nodes: 4, Smoothness: 300}, {Nodes: 4, Smoothness: 30}, {Nodes: 10, Smoothness: 3}}
	}
	return []tiltShape{{Nodes: 4, Smoothness: 1000}, {Nodes: 4, Smoothness: 200}, {Nodes: 4, Smoothness: 30}, {Nodes: 10, Smoothness: 5}, {Nodes: 10, Smoothness: 1}}
}
