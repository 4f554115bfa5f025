package auto

import (
	"fmt"
	"slices"

	"beziergp/internal/process/basis"
)

// Effort says how much work the recipe does.
type Effort string

const (
	Fast    Effort = "fast"    // seconds: fewer candidates, fewer steps, fewer members
	Default Effort = "default" // about a minute for tens of thousands of rows
	Best    Effort = "best"    // several times that
)

// ParseEffort returns the effort of that name.
func ParseEffort(name string) (Effort, error) {
	if _, ok := efforts[Effort(name)]; ok {
		return Effort(name), nil
	}
	return "", fmt.Errorf("effort %q is unknown; choose %s, %s or %s", name, Fast, Default, Best)
}

// effort is an [Effort] in numbers: figures that hold for any table, and choices for few
// rows, for many, and for a tall table's. Few rows show no fine structure, but their noise may be anything from
// zero to all of the variance, so that λ has a wider range.
type effort struct {
	figures
	few, many choices
	tall      choices // no steps where many do
}

// choices returns those for so many rows, of which a category has so many levels at most.
// Weights grow with levels times orderings, so that a category of very many cannot have
// the orderings of a tall table.
func (e effort) choices(rows, levels int) choices {
	switch {
	case rows <= fewRows:
		return e.few
	case rows > tallRows && levels <= tallLevels && e.tall.steps > 0:
		return e.tall
	}
	own := e.many
	if rows <= tallRows {
		own.sums, own.ofCodes = slices.Concat(own.sums, own.finest), 0
	}
	if rows > tallRows/2 && own.sideOfTall > 0 {
		own.sideTime = own.sideOfTall
	}
	return own
}

// ofLaw returns the choices where the law of the target is not a Gaussian. Members of few steps, and more of
// them, are as good as any of classes: what makes members sure of what they cannot know is lost in their average.
// The finest sums are not among them: where values tell so much each for itself, ties tell it of classes at less cost.
func (c choices) ofLaw() choices {
	coarser := slices.DeleteFunc(slices.Clone(c.sums), func(sum []component) bool {
		return slices.ContainsFunc(c.finest, func(f []component) bool { return slices.Equal(f, sum) })
	})
	for _, sum := range c.finest {
		c.finestNodes = max(c.finestNodes, sum[len(sum)-1].Nodes)
	}
	c.folds, c.sums, c.smoothness = max(c.folds, c.short), slices.Concat(coarser, c.ofLaws), slices.Clone(c.smoothness)
	for i := range c.smoothness {
		c.smoothness[i] *= smootherLaws
	}
	return c
}

// ofMixture returns the choices where members are of a mixture of structures: trials are of the best of every sum of
// components, and members take less time, for most take a part of the steps and they are more.
func (c choices) ofMixture() choices {
	c.everyStructure, c.keep = true, max(c.keep, mixedSums)
	if n := len(c.smoothness); n > mixedSmoothness {
		c.smoothness = c.smoothness[1 : n-1] // what is best rises after the last round
	}
	c.seconds *= timeOfMixed
	return c
}

// ofVeryMany returns the choices where the law is not a Gaussian and rows are too many for a mixture: these tell of more
// orderings, and an average of more members is better, as a mixture's is. Every sum of components goes on, for few steps
// show little of what many orderings learn, nor does one scaling tell of the other.
func (c choices) ofVeryMany() choices {
	if c.ofVery != nil {
		c.sums, c.members, c.keep, c.everyStructure = slices.Concat(c.sums, c.ofVery), max(c.members, 2), max(c.keep, 3), true
		c.linears = c.keep
	}
	return c
}

// The sums of components that a mixture is chosen of at least, and the share of the time that its members have.
const (
	mixedSums   = 4
	timeOfMixed = 0.6
	// mixedSmoothness are the λ of candidates beyond which the outermost are not tried.
	mixedSmoothness = 5
)

// smootherLaws is how many times as large λ is where the law is not a Gaussian. A class or a
// count tells less of f than a number does, whose noise is mostly a part of its deviation.
const smootherLaws = 10

// fewRows is the number of rows up to which they are few.
const fewRows = 2000

// tallRows is the number of rows beyond which a table is tall: more steps and orderings
// lower its errors for as long as it can pay for them.
const tallRows = 100_000

// tallLevels are the most levels of a category in a tall table.
const tallLevels = 128

type figures struct {
	batch           int     // of all but members
	rowTime         float64 // of a step of a component by one row, in nanoseconds on a reference core, at most
	mostWidening    float64 // how many times as long it may take where inputs are many, at most
	mostOfPairs     float64 // weights that a component has of layers between large categories, at most
	countsLevels    bool    // whether members of numbers take as many steps fewer as the levels of categories take time
	mostTime        float64 // of selection and members beside categories on a reference core, in seconds, at most; 0 for no limit
	decisive        float64 // share of the deviance of the best candidate without main effects that those with them leave at most to go on alone, 0 for none
	streamed        float64 // of a member by all steps, in seconds on a reference core, where rows are streamed
	noiseFolds      int     // and so members of the noise
	noiseSteps      int
	noiseSmoothness []float64
	epistemicSteps  int
	ratioSteps      int
}

// choices are how many members there are, and what they are chosen from: every sum of
// components with every smoothness.
type choices struct {
	folds          int       // of the rows; a member lacks one
	members        int       // one for each of the first folds: where rows are many, the errors on these are enough
	ofNumber       int       // members of a number in memory, of at most manyInputs inputs; 0 for members
	ofCodes        int       // those of a number where rows are more than tallRows and a category has more than tallLevels, 0 elsewhere
	replicates     int       // second members of the first so many folds
	memberBatch    int       // small: the gradient noise of small batches acts as a prior, it favours flat optima
	haste          float64   // the learning rate of a member in units of the usual one
	beta2          float64   // the share of second moments that a step of a member leaves, 0 for the usual one
	steps          int       // of a member, at most
	seconds        float64   // of a member on a reference core, at most: larger structures take fewer steps
	sideTime       float64   // of a step by one row, in nanoseconds on a reference core, at most, of what is learned beside the mean
	sideOfTall     float64   // the same where rows are more than half of tallRows; 0 for the same time
	held           int       // folds that candidates are tried on
	heldRows       int       // rows that they are tried on where the target is a number, at least, as far as folds that have members go
	tries          []float64 // shares of the steps in the rounds of the selection
	keep           int       // candidates that go on to the next round, at most
	everyStructure bool      // among them the best of every sum of components, and not of every smoothness
	linears        int       // candidates of the first round that are tried on a linear scaling, too, at most; 0 for the best
	sums           [][]component
	finestNodes    int           // of splines that are tried last where the law is of counts or amounts
	finest         [][]component // sums besides, of tables without very many rows: there their trials cost most, and they did not go on
	short          int           // folds where the law is not a Gaussian, and members where these take few steps; no fewer than of a Gaussian
	ofLaws         [][]component // sums besides, of such a law
	ofVery         [][]component // sums besides, of such a law and more than mixedRows rows
	wider          [][]component // sums besides, for one number as the target of a table that is not tall, where the effort can pay for them whole
	smoothness     []float64
}

var coarse = component{Kind: basis.KindBernstein, Nodes: 6, Orderings: 30, Amplitude: 1}

// rich is like coarse, of order 14: layers of more nodes pass on more of the inputs before them. Interactions of classes
// need that, while splines of as many nodes bend wherever a few rows are of one class.
var rich = component{Kind: basis.KindBernstein, Nodes: 15, Orderings: 30, Amplitude: 1}

// fine returns a group that adds local structure; it starts small.
func fine(nodes, orderings int) component {
	return component{Kind: basis.KindSpline, Nodes: nodes, Orderings: orderings, Amplitude: 0.1}
}

// smooth returns a group of low order and many orderings, for interactions.
func smooth(orderings int) component {
	return component{Kind: basis.KindBernstein, Nodes: 4, Orderings: orderings, Amplitude: 1}
}

// full returns a group like coarse, of many orderings and with all nodes on inputs of few
// values, for interactions of many inputs that only many rows show.
func full(orderings int) component {
	return component{Kind: basis.KindBernstein, Nodes: 6, Orderings: orderings, Amplitude: 1, Full: true}
}

// Few rows have these candidates whether effort is default or best: 40 orderings of splines gained nothing there.
var (
	sumsOfFew       = [][]component{{smooth(60)}, {coarse, fine(12, 20)}, {coarse, fine(21, 20)}}
	smoothnessOfFew = []float64{0.0005, 0.005, 0.05, 0.5, 5, 30, 100}
)

var efforts = map[Effort]effort{
	Fast: {
		figures: figures{
			batch: 192, rowTime: 5e3, mostWidening: 1, mostOfPairs: 1e6, countsLevels: true, mostTime: 12, decisive: 0.9, streamed: 8,
			noiseFolds: 5, noiseSteps: 200, noiseSmoothness: []float64{3, 30}, epistemicSteps: 300, ratioSteps: 300,
		},
		few: choices{
			folds: 4, members: 4, replicates: 3, memberBatch: 128, haste: 1, steps: 1500, seconds: 0.4, sideTime: 5e3, held: 3, tries: []float64{0.25}, keep: 1,
			sums: [][]component{{coarse}, {coarse, fine(12, 10)}}, smoothness: []float64{0.0003, 0.03, 1, 30},
		},
		many: choices{
			folds: 4, members: 3, ofCodes: 3, replicates: 1, memberBatch: 128, haste: 1, steps: 1300, seconds: 0.6, sideTime: 5e3, sideOfTall: 2.2e3, held: 1, tries: []float64{0.3}, keep: 1,
			sums: [][]component{{coarse}, {coarse, fine(21, 10)}}, smoothness: []float64{0.03, 1, 10},
		},
	},
	Default: {
		figures: figures{
			batch: 256, rowTime: 20e3, mostWidening: 4, mostOfPairs: 4e6, mostTime: 85, streamed: 160,
			noiseFolds: 10, noiseSteps: 400, noiseSmoothness: []float64{1, 10, 100}, epistemicSteps: 400, ratioSteps: 1000,
		},
		few: choices{
			folds: 13, members: 13, replicates: 3, memberBatch: 64, haste: 1, steps: 12000, seconds: 2.5, sideTime: 5e3, held: 5, tries: []float64{0.06, 0.2}, keep: 4, everyStructure: true,
			short: 20, ofLaws: [][]component{{coarse}}, sums: sumsOfFew, smoothness: smoothnessOfFew,
		},
		many: choices{
			folds: 8, members: 5, ofNumber: 7, ofCodes: 3, replicates: 1, memberBatch: 128, haste: 1, steps: 12000, seconds: 10, sideTime: 20e3, held: 1, heldRows: 1000, tries: []float64{0.05, 0.3}, keep: 3,
			sums: [][]component{{smooth(60)}, {coarse, fine(31, 20)}, {coarse, fine(61, 20)}}, short: 16, ofLaws: [][]component{{coarse}, {rich}, {full(100)}}, finest: [][]component{{coarse, fine(121, 20)}}, wider: [][]component{{coarse, fine(31, 40)}}, smoothness: []float64{0.03, 0.1, 0.3, 1, 3, 10},
		},
		tall: choices{
			folds: 8, members: 1, replicates: 1, memberBatch: 128, haste: 0.8, beta2: 0.99, steps: 40000, seconds: 90, sideTime: 20e3, held: 1, tries: []float64{0.02, 0.1}, keep: 2,
			sums: [][]component{{full(100)}, {full(300)}, {coarse, fine(31, 20)}, {coarse, fine(61, 20)}}, ofVery: [][]component{{coarse, fine(31, 80)}}, smoothness: []float64{0.01, 0.3, 5},
		},
	},
	Best: {
		figures: figures{
			batch: 256, rowTime: 80e3, mostWidening: 4, mostOfPairs: 4e6, streamed: 800,
			noiseFolds: 16, noiseSteps: 1000, noiseSmoothness: []float64{0.3, 1, 3, 10, 30, 100}, epistemicSteps: 1200, ratioSteps: 3000,
		},
		few: choices{
			folds: 26, members: 26, replicates: 4, memberBatch: 64, haste: 1, steps: 12000, seconds: 2.5, sideTime: 20e3, held: 26, tries: []float64{0.06, 0.2}, keep: 6, everyStructure: true, linears: 3,
			ofLaws: [][]component{{coarse}}, sums: sumsOfFew, smoothness: smoothnessOfFew,
		},
		many: choices{
			folds: 16, members: 14, ofCodes: 7, replicates: 2, memberBatch: 128, haste: 1, steps: 12000, seconds: 10, sideTime: 80e3, held: 4, heldRows: 1000, tries: []float64{0.05, 0.3}, keep: 4,
			short: 24, ofLaws: [][]component{{coarse}, {rich}, {full(100)}, {full(300)}},
			sums:       [][]component{{smooth(60)}, {coarse, fine(31, 20)}, {coarse, fine(61, 20)}, {coarse, fine(121, 20)}, {coarse, fine(31, 40)}, {coarse, fine(61, 40)}},
			smoothness: []float64{0.03, 0.1, 0.3, 1, 3, 10, 30},
		},
		tall: choices{
			folds: 16, members: 2, replicates: 1, memberBatch: 128, haste: 0.6, beta2: 0.99, steps: 80000, seconds: 250, sideTime: 80e3, held: 1, tries: []float64{0.01, 0.04}, keep: 4,
			sums: [][]component{{full(100)}, {full(300)}, {coarse, fine(31, 40)}, {coarse, fine(61, 40)}}, ofVery: [][]component{{coarse, fine(31, 80)}}, smoothness: []float64{0.001, 0.01, 0.1, 1, 10},
		},
	},
}
