package auto

import (
	"context"
	"math"
	"slices"
	"time"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/train"
)

// plan is what a run does on its table: the figures of the effort and the candidates of
// every stage. Stages depend on no other option.
type plan struct {
	figures
	choices
	seed      uint64
	rows      int
	distinct  []int         // values of the inputs
	gaps      gaps          // what the rows lack
	bends     float64       // how many times as much the loss bends as that of the law that was given
	functions []int         // of categories, 0 for numbers
	latents   int           // processes, where it is not
	scaling   train.Scaling // of the candidates, but for those that try a linear one
	noises    []structure   // candidates for the log of the noise; none for a constant one
	ratios    []ratioStructure
	tails     []float64 // degrees of freedom, 0 for a Gaussian
	averages  bool      // whether the model is the average of the members
	// outOfFold says that all rows are predicted out of fold at the end, not those alone that
	// are scored.
	outOfFold bool
	given     int         // folds that there have to be; 0 where the effort chooses
	groups    int         // of the rows; 0 where these are held out one by one, or by times
	shapes    []structure // that were given as candidates; nil for those of the choices
	// unshortened are the steps of members before a budget shortened them, where they learn
	// from a stream; 0 where they learn from the rows in memory.
	unshortened int
	streams     int // rows that members are to learn from, beyond memory; 0 for none
	// neighbours says that neighbour inputs are tried.
	neighbours bool
	effects    bool        // whether main effects may be tried
	main       []component // the main effects that candidates begin with, once these are better; nil for none
	hurried    bool        // whether there is less time than for other tables, so that trials of as many steps as members have are few
	// repeated are the values of inputs that components of ties may tell apart, in as many
	// orderings as the effort has of splines; nil for none.
	repeated     []int
	tieOrderings int
	gaussian     bool                           // the law of the target
	brief        bool                           // members of a number take few steps, and are more
	density      bool                           // the law gives a density, not probabilities
	merges       bool                           // trials hold out several folds at once
	outputs      int                            // that are learned at once; 1 for the classes of one target
	more         float64                        // how many times as many orderings members of all outputs have as those of one
	screens      bool                           // many inputs are screened
	prunes       bool                           // inputs that are worth nothing are left out
	again        func(d *dataset) (plan, error) // the plan of other data of the same target
	single       *plan                          // of an output that is tried alone; nil where none is
}

// plan returns that of a table.
func (o Recipe) plan(d *dataset, lightTails bool) (plan, error) {
	e := efforts[o.Effort]
	p := plan{
		bends: 1, gaps: d.gapsOf(), gaussian: d.gaussian(), density: d.density(), outputs: d.outputs(),
		figures: e.figures, choices: e.choices(d.size(), slices.Max(d.functions())), seed: o.Seed, rows: d.Len(), distinct: d.distinct,
		functions: d.functions(), scaling: train.ByRanks, ratios: ratioCandidates(o.Effort, d.Len()), tails: degreesOfFreedom, averages: !o.lacks(Averaging),
	}
	if d.stream != nil {
		p.streams = d.size()
	}
	switch {
	case !p.gaussian:
		p.choices = p.choices.ofLaw()
		if d.size() > mixedRows {
			p.choices = p.choices.ofVeryMany()
		}
		p.latents = d.latents()
	case p.ofCodes > 0:
		p.members = p.ofCodes
	case p.ofNumber > 0 && d.Inputs <= manyInputs && p.streams == 0: // more inputs take their time in trials of all steps
		p.members = p.ofNumber
	}
	if err := o.control(&p, d); err != nil {
		return p, err
	}
	if o.Shapes == nil && p.mixes() {
		p.choices = p.choices.ofMixture()
		p.merges = d.keys.IsZero()
	}
	switch {
	case p.merges:
		p.held = p.merged()
	case !p.gaussian:
		p = p.holdingOut(heldOfLaw, e.few.seconds)
	case len(p.distinct) < fewestToScreen: // where the fewest steps of a trial take long
		p = p.holdingOut(p.heldRows, e.few.seconds)
	}
	if p.outputs > 1 { // whose errors tell more of a fold than those of one
		p.held = min(p.held, fewestHeld)
	}
	p.held = min(p.held, p.members, p.rows)
	p = p.widened().forOutputs()
	p.sums = p.affordable(p.sums)
	if p.gaussian && p.outputs == 1 && p.rows <= tallRows && p.streams == 0 {
		p.sums = append(p.sums, p.whole(p.wider)...)
	}
	p.noises = p.noiseCandidates()
	if o.lacks(Ranks) {
		p.scaling = train.Linear
	}
	if o.lacks(Fine) {
		p.sums = withoutSplines(p.sums)
	}
	if o.lacks(Smoothness) {
		p.smoothness = []float64{0}
	}
	if o.lacks(VaryingNoise) {
		p.noises = nil
	}
	if o.lacks(DensityRatio) {
		p.ratios = nil
	}
	if o.lacks(HeavyTails) || lightTails {
		p.tails = p.tails[:1]
	}
	p.neighbours = o.neighbours && p.gaussian && p.outputs == 1 && d.Len() >= rowsForNeighbours && p.streams == 0 && p.scaling == train.ByRanks && !o.lacks(Neighbours)
	p.effects = o.Shapes == nil && p.outputs == 1 && p.streams == 0 && !o.lacks(Effects) && !o.lacks(Fine) && p.asksForEffects()
	if o.Shapes == nil && p.outputs == 1 && p.streams == 0 && !o.lacks(Ties) {
		p.repeated, p.tieOrderings = d.repeated(), e.orderings(basis.KindSpline, 0)
	}
	narrows := p.outputs == 1 && p.streams == 0
	p.screens = narrows && o.screens(d.law, len(d.given), d.Inputs)
	p.prunes = narrows && o.prunes(d.law, len(d.given), d.Inputs) && (p.showsLevels() || p.triesEffects())
	p.again = func(d *dataset) (plan, error) { return o.plan(d, lightTails) }
	var err error
	if p.shapes, err = o.shapes(p, d); err != nil {
		return p, err
	}
	return p.inTime(d), nil
}

// tooSlow is how many times as long steps take beside categories as they do elsewhere where members take less time.
const tooSlow = 1.3

// leftForSteps is the share of the time that steps have whatever main effects take.
const leftForSteps = 0.5

// inTime returns the plan with members that take less time where categories make their steps slow, or where there are main effects of large ones, so that all do
// not take longer than the effort has for a table of up to tallRows. What main effects tell members need not learn, and what inputs are worth beside them takes trials more.
func (p plan) inTime(d *dataset) plan {
	k, slowness, n := p.memberCost(p.memberBatch), 0.0, 0.0
	for _, c := range p.candidates() {
		slowness, n = slowness+k.slowness(c.structure), n+1
	}
	limited := slowness >= tooSlow*n || p.main != nil && slices.Max(p.functions) >= largeCategory
	if p.mostTime == 0 || p.rows > tallRows || p.shapes != nil || !limited {
		return p
	}
	var steps, effects float64
	for _, s := range p.stages(d) {
		switch {
		case s.phase == train.PhaseSelection && s.round == tryingEffects:
			effects += s.time
		case s.phase == train.PhaseSelection || s.phase == train.PhaseMembers:
			steps += s.time
		}
	}
	if left := max(p.mostTime*1e9-effects, leftForSteps*p.mostTime*1e9); left < steps {
		p.seconds, p.hurried = p.seconds*left/steps, true
	}
	return p
}

// heldOfLaw are the rows, at least, that candidates are tried on where the law is not a Gaussian, as far as
// folds that have members go: a class or a count tells less than a number.
const heldOfLaw = 500

// holdingOut returns the plan with candidates that are tried on folds of so many rows at least. A member then takes
// less time, by the root of the folds, as far as it keeps the seconds that it has where rows are few: rows of which a
// fold has few are seen often in less time, too, and trials on all of these folds would take most of it. Of a number that has
// more inputs than half of many it takes as many times less as folds are more, for trials of fewer inputs are many.
func (p plan) holdingOut(rows int, seconds float64) plan {
	if folds := min((rows*p.folds+p.rows-1)/p.rows, p.members); folds > p.held {
		less := float64(p.held) / float64(folds)
		if !p.gaussian || 2*len(p.distinct) <= manyInputs {
			less = math.Sqrt(less)
		}
		p.seconds = max(less*p.seconds, min(p.seconds, seconds))
		p.held = folds
	}
	return p
}

// triesTiesLate tells whether an input has repeated values that are tried after the last round.
func (p plan) triesTiesLate() bool {
	return slices.ContainsFunc(p.repeated, p.late)
}

// late tells whether so many values of an input are tried after the last round of the selection: where they
// have few rows each, and, for a class or a count tells little of a value, all that the first of several rounds
// has not shown where the law is not a Gaussian.
func (p plan) late(values int) bool {
	return values > descent.ManySteps || values > 0 && !p.gaussian && len(p.tries) > 1
}

// fewestHeld are the folds that candidates are tried on where folds are no random draws.
const fewestHeld = 3

// together returns the plan for rows that are held out in groups or stretches of time: the
// errors on one of a few folds tell little of those on others, however many rows they have.
// So every fold has a member, and several choose. All take no longer than fewer would.
func (p plan) together() plan {
	before := p.fits()
	p.members, p.held = p.folds, max(p.held, fewestHeld)
	p.seconds *= min(1, float64(before)/float64(p.fits()))
	return p
}

// affordable returns sums of components that cost no more than the effort allows.
func (p plan) affordable(sums [][]component) (all [][]component) {
	for _, components := range sums {
		var own []component
		for _, c := range components {
			own = append(own, p.memberCost(p.memberBatch).within(c, p.rowTime))
		}
		all = append(all, own)
	}
	return distinctSums(all)
}

// whole returns those sums of components that cost no more than the effort allows as they are:
// orderings that take nodes away gain nothing.
func (p plan) whole(sums [][]component) (all [][]component) {
	for _, components := range sums {
		if !slices.ContainsFunc(components, func(c component) bool { return p.memberCost(p.memberBatch).within(c, p.rowTime) != c }) {
			all = append(all, components)
		}
	}
	return all
}

// fewestSteps are taken whatever the budget.
const fewestSteps = 50

// stepsOf returns the steps of a member.
func (p plan) stepsOf(s structure) int {
	if s.isExact() {
		return p.steps
	}
	return max(min(p.steps, int(p.seconds*1e9/p.memberCost(p.memberBatch).step(s))), fewestSteps)
}

// membersBy returns the members that there are where each takes a share of the steps: more of them take
// as many steps together, as far as there are folds for them.
func (p plan) membersBy(share float64) int {
	if p.short == 0 || p.gaussian && !p.brief {
		return p.members
	}
	return max(p.members, min(p.short, int(float64(p.members)/share)))
}

// averagedBy returns the fits that the model is the average of where members take a share of the steps.
func (p plan) averagedBy(share float64) int {
	if !p.averages {
		return 1
	}
	p.members = p.membersBy(share)
	return p.fits()
}

// averaged returns those of members that take all steps.
func (p plan) averaged() int { return p.averagedBy(1) }

// judgesAverages tells whether a round of the selection judges candidates by averages of
// members: the last one of several does, which is for the few that are left.
func (p plan) judgesAverages(round int) bool {
	return p.averages && round > 0 && round == len(p.tries)-1
}

// forMembers returns the plan for members of structures: no step more than one of them
// takes, and of a stream's rows all that there are.
func (p plan) forMembers(structures []structure, data *dataset) plan {
	most := fewestSteps
	for _, s := range structures {
		most = max(most, p.stepsOf(s))
	}
	p.steps = most
	if data.stream != nil {
		p.unshortened = most
	}
	return p
}

// within returns the plan with the stages after the selection shortened to what is left
// of the budget, by the pace so far.
func (p plan) within(ctx context.Context, w worker, data *dataset) (plan, error) {
	budget := w.progress
	if budget.budget == 0 {
		return p, nil
	}
	share, err := w.agreed(ctx, p.affordableShare(budget, data))
	if err != nil || share >= 1 {
		return p, err
	}
	for _, steps := range []*int{&p.steps, &p.noiseSteps, &p.epistemicSteps, &p.ratioSteps} {
		*steps = max(fewestSteps, int(share*float64(*steps)))
	}
	if p.single != nil {
		single := *p.single
		single.seconds *= share
		single.steps = max(fewestSteps, int(share*float64(single.steps)))
		p.single = &single
	}
	return p, nil
}

// affordableShare returns the share of the steps after the selection that the rest of the
// budget allows.
func (p plan) affordableShare(budget *progress, data *dataset) float64 {
	if budget.taken == 0 {
		return 1
	}
	pace := budget.elapsed() / time.Duration(budget.taken)
	left := max(0, budget.budget-budget.elapsed())
	return float64(left) / float64(pace*time.Duration(1+p.stepsToFit(data)))
}
