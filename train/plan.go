package train

import "beziergp/basis"

// plan is what an effort amounts to.
type plan struct {
	members         int
	batch           int
	steps           int   // of a member
	tries           []int // steps of the rounds of the choice
	keep            int   // candidates that go on to the next round, at most
	noiseSteps      int
	varianceSteps   int
	shapes          [][]component
	smoothness      []float64
	noiseSmoothness []float64
}

var coarse = component{basis.KindBernstein, 6, 30, 1}

func fine(nodes, orderings int) component {
	return component{basis.KindSpline, nodes, orderings, 0.1}
}

var plans = map[Effort]plan{
	Fast: {
		members: 3, batch: 512, steps: 500, tries: []int{150}, keep: 1, noiseSteps: 200, varianceSteps: 200, noiseSmoothness: []float64{3, 30},
		shapes:     [][]component{{coarse}, {coarse, fine(21, 10)}},
		smoothness: []float64{1, 10},
	},
	Default: {
		members: 5, batch: 512, steps: 2000, tries: []int{300, 1000}, keep: 2, noiseSteps: 500, varianceSteps: 400, noiseSmoothness: []float64{1, 10, 100},
		shapes:     [][]component{{{basis.KindBernstein, 4, 60, 1}}, {coarse, fine(31, 20)}, {coarse, fine(61, 20)}},
		smoothness: []float64{0.1, 1, 10, 100},
	},
	Best: {
		members: 10, batch: 512, steps: 4000, tries: []int{300, 1000, 2000}, keep: 4, noiseSteps: 1000, varianceSteps: 800, noiseSmoothness: []float64{0.3, 1, 3, 10, 30, 100},
		shapes:     [][]component{{{basis.KindBernstein, 4, 80, 1}}, {coarse, fine(31, 40)}, {coarse, fine(61, 40)}},
		smoothness: []float64{0.03, 0.1, 0.3, 1, 3, 10, 30, 100},
	},
}

// forRows fits the plan to the number of rows.
func (p plan) forRows(int) plan { return p }
