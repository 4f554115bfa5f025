package train

import (
	"slices"

	"beziergp/internal/process/basis"
)

// plan is what an effort amounts to.
type plan struct {
	batch           int     // of all but members
	cost            float64 // of a component by one row and step, at most
	noiseFolds      int     // and so members of the noise
	noiseSteps      int
	doubtSteps      int
	noiseSmoothness []float64
	tiltSteps       int
	// What is chosen from, for few rows and for many: few rows have no fine structure
	// to show, but may be free of noise or all noise.
	few, many choices
}

// choices are how many members there are, and what they are chosen from: every shape
// with every smoothness.
type choices struct {
	folds       int       // of the rows; a member lacks one
	members     int       // one a fold, of the first so many: what the rows of these tell of errors is enough where rows are many
	twins       int       // and of so many folds a second one
	memberBatch int       // small ones act as a prior does: the noise of their gradients prefers flat optima
	steps       int       // of a member, at most
	updates     float64   // of single weights by a member: more weights take fewer steps; 0 for any number
	held        int       // folds that candidates are tried on
	tries       []float64 // shares of the steps in the rounds of the choice
	keep        int       // candidates that go on to the next round, at most
	everyShape  bool      // among them the best of every shape, and not of every smoothness
	shapes      [][]component
	smoothness  []float64
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
		batch: 192, cost: 0.5e6,
		noiseFolds: 5, noiseSteps: 200, doubtSteps: 300, noiseSmoothness: []float64{3, 30}, tiltSteps: 300,
		few: choices{
			folds: 4, members: 3, twins: 1, memberBatch: 128, steps: 1500, updates: 1e8, held: 3, tries: []float64{0.25}, keep: 1,
			shapes: [][]component{{coarse}, {coarse, fine(12, 10)}}, smoothness: []float64{0.0003, 0.03, 1, 30},
		},
		many: choices{
			folds: 4, members: 3, twins: 1, memberBatch: 128, steps: 1300, updates: 7e7, held: 1, tries: []float64{0.3}, keep: 1,
			shapes: [][]component{{coarse}, {coarse, fine(21, 10)}}, smoothness: []float64{0.03, 1, 10},
		},
	},
	Default: {
		batch: 256, cost: 2e6,
		noiseFolds: 10, noiseSteps: 400, doubtSteps: 400, noiseSmoothness: []float64{1, 10, 100}, tiltSteps: 1000,
		few: choices{
			folds: 13, members: 13, twins: 3, memberBatch: 64, steps: 12000, updates: 4e8, held: 5, tries: []float64{0.06, 0.2}, keep: 4, everyShape: true,
			shapes: [][]component{{smooth(60)}, {coarse, fine(12, 20)}, {coarse, fine(21, 20)}}, smoothness: []float64{0.0005, 0.005, 0.05, 0.5, 5, 30, 100},
		},
		many: choices{
			folds: 8, members: 5, twins: 1, memberBatch: 128, steps: 3600, updates: 9e8, held: 1, tries: []float64{0.15, 0.4}, keep: 3,
			shapes: [][]component{{smooth(60)}, {coarse, fine(31, 20)}, {coarse, fine(61, 20)}}, smoothness: []float64{0.1, 1, 10},
		},
	},
	Best: {
		batch: 256, cost: 8e6,
		noiseFolds: 16, noiseSteps: 1000, doubtSteps: 1200, noiseSmoothness: []float64{0.3, 1, 3, 10, 30, 100}, tiltSteps: 3000,
		few: choices{
			folds: 16, members: 16, twins: 4, memberBatch: 64, steps: 20000, updates: 1e9, held: 8, tries: []float64{0.06, 0.2, 0.4}, keep: 4, everyShape: true,
			shapes:     [][]component{{smooth(80)}, {coarse, fine(12, 40)}, {coarse, fine(21, 40)}},
			smoothness: []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100},
		},
		many: choices{
			folds: 16, members: 10, twins: 2, memberBatch: 128, steps: 8000, held: 1, tries: []float64{0.08, 0.25, 0.5}, keep: 4,
			shapes:     [][]component{{smooth(80)}, {coarse, fine(31, 40)}, {coarse, fine(61, 40)}},
			smoothness: []float64{0.03, 0.1, 0.3, 1, 3, 10, 30},
		},
	},
}

// choicesFor returns the candidates for a number of rows and inputs of so many
// values.
func (p plan) choicesFor(rows int, distinct []int) choices {
	given := p.many
	if rows <= fewRows {
		given = p.few
	}
	c := given
	c.shapes = nil
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

// stepsFor returns the steps of a member of a shape.
func (r *run) stepsFor(s shape) int {
	if r.updates == 0 {
		return r.steps
	}
	weights := 0.0
	for _, c := range s.Components {
		weights += c.weights(r.distinct)
	}
	return max(min(r.steps, int(r.updates/weights)), fewestSteps)
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
