package auto

import (
	"beziergp/internal/process/basis"
	"beziergp/train"
)

// stage is a cross-fitting as the plan has it: the progress of a run goes by these.
type stage struct {
	phase      train.Phase
	round      int  // of the phase
	output     int  // of several, from 1 on; 0 for all of them, and for one target
	candidates bool // whether the parts are candidates, each of several fits, or else fits
	parts      int
	fits       int     // of a part
	steps      int     // planned of a fit, which may take fewer
	time       float64 // of all fits on a reference core, in nanoseconds
}

func (s stage) planned() int { return s.parts * s.fits * s.steps }

// tryingNeighbours is the round of the selection with neighbour inputs, after its first one.
const tryingNeighbours = -1

// tryingTies is the round of the selection with a component of ties, after its first one.
const tryingTies = -4

// tryingTiesLate is that with a component of ties of values that are learned late, after its last one.
const tryingTiesLate = -5

// screening is the round of the selection with other inputs, after its first one.
const screening = -6

// pruning is that with fewer inputs, by as many steps as the last round.
const pruning = -8

// tryingEffects is the round of the selection with main effects alone, after its first one, and tryingOnEffects that with others on them.
const (
	tryingEffects   = -9
	tryingOnEffects = -10
)

// climbing is the round of the selection with all steps, after its last one, and fewestClimbs the structures that it tries at least.
const (
	climbing     = -2
	fewestClimbs = 2
)

// easing is the round of the selection with a smaller λ, after its last one.
const easing = -7

// sharing is the round of the selection in which outputs are tried each for itself.
const sharing = -3

// Rounds of the phases after the selection that choose among candidates: all of them on
// some folds, and the best on all.
const (
	choosing = iota
	chosenOne
)

// stages returns those of a run, in their order.
func (p plan) stages(data *dataset) []stage {
	return append(p.selectionStages(data), p.fitStages(data)...)
}

// selectionStages returns those of the selection: in its first round candidates join when
// the others are done, so that every round has two stages.
func (p plan) selectionStages(data *dataset) (all []stage) {
	candidates := p.candidates()
	if len(p.shapes) == 1 {
		return nil
	}
	parts := len(candidates)
	mean, _ := p.memberTimes(candidates)
	for round, share := range p.tries {
		steps := max(int(share*float64(p.steps)), fewestSteps)
		if p.judgesAverages(round) {
			steps *= 2
		}
		taken := float64(steps) / float64(p.steps) * mean
		all = append(all, stage{train.PhaseSelection, 2 * round, 0, true, parts, p.held, steps, taken * float64(parts*p.held)})
		if round == 0 && p.triesEffects() { // alone, and with others where that is promising
			others := min(p.keep, len(p.sums)) + len(p.smoothness)
			all = append(all,
				stage{train.PhaseSelection, tryingEffects, 0, true, len(p.ridges()), p.held, 1, effectsTime(data) * float64(len(p.ridges())*p.held)},
				stage{train.PhaseSelection, tryingOnEffects, 0, true, others, p.held, steps, taken * float64(others*p.held)})
		}
		if others := p.othersTried(data) * len(candidates); round == 0 && others > 0 {
			all = append(all, stage{train.PhaseSelection, screening, 0, true, others, p.held, steps, taken * float64(others*p.held)})
		}
		if round == 0 && p.prunes { // and once or twice more for each choice of inputs
			last := p.tries[len(p.tries)-1]
			all = append(all, stage{train.PhaseSelection, pruning, 0, true, 1, p.pruningFolds(), max(int(last*float64(p.steps)), fewestSteps), last * mean * float64(p.pruningFolds())})
		}
		if round == 0 {
			others, descents := p.linearCandidates(candidates[:min(len(candidates), max(1, p.linears))], data), 0
			for _, c := range others {
				if !c.isAdditive() { // which takes no more than a step
					descents++
				}
			}
			parts += len(others)
			all = append(all, stage{train.PhaseSelection, 1, 0, true, len(others), p.held, 1 + steps*descents/max(1, len(others)), taken * float64(descents*p.held)})
		}
		parts = min(parts, p.keep)
		if round == 0 && p.repeated != nil && p.mixes() {
			parts++ // joins without a trial
		} else if round == 0 && p.repeated != nil {
			all = append(all, stage{train.PhaseSelection, tryingTies, 0, true, parts, p.held, steps, taken * float64(parts*p.held)})
		}
		if round == len(p.tries)-1 && p.triesTiesLate() {
			all = append(all, stage{train.PhaseSelection, tryingTiesLate, 0, true, 1, p.held, steps, taken * float64(p.held)})
		}
		if round == len(p.tries)-1 && p.eases() { // once, or as often as that is better
			all = append(all, stage{train.PhaseSelection, easing, 0, true, 1, p.held, steps, taken * float64(p.held)})
		}
		if round == 0 && p.neighbours {
			all = append(all, stage{train.PhaseSelection, tryingNeighbours, 0, true, parts, p.held, steps, taken * float64(parts*p.held)})
		}
	}
	all = append(all, p.apartStages(data)...)
	if p.climbs() || p.mixes() {
		least, steps := fewestClimbs, p.steps // the structure and a smoother one, or smoother ones of two
		if p.mixes() {
			steps = max(int(p.mixedShare()*float64(p.steps)), fewestSteps)
			if p.triesAllSteps() { // of the structure and a smoother one
				least += int(2 / p.mixedShare())
			}
		}
		if p.averages {
			steps *= 2
		}
		all = append(all, stage{train.PhaseSelection, climbing, 0, true, least, p.held, steps, mean * float64(steps*least*p.held) / float64(p.steps)})
	}
	return all
}

// othersTried returns how often the candidates of the first round are tried again with other inputs, at least.
func (p plan) othersTried(data *dataset) (n int) {
	if data.absences != nil && p.rows <= tallRows {
		n++
	}
	if p.screens || p.prunes {
		n++
	}
	return n
}

// memberTimes returns that of a member on a reference core, on average over candidates, and
// of the costliest, which the members may be of.
func (p plan) memberTimes(candidates []candidate) (mean, most float64) {
	for _, c := range candidates {
		own := float64(p.stepsOf(c.structure)) * p.memberCost(p.memberBatch).taken(c.structure)
		mean, most = mean+own/float64(len(candidates)), max(most, own)
	}
	return mean, most
}

// fitStages returns those after the selection.
func (p plan) fitStages(data *dataset) []stage {
	members, steps := p.members, p.steps
	if p.streams > 0 {
		steps = p.streamSteps(p.streams)
	}
	_, most := p.memberTimes(p.candidates())
	member := most * float64(steps) / float64(p.steps)
	if p.main != nil || p.triesEffects() && p.effectsFirst() { // which are taken nearly always
		member += effectsTime(data)
	}
	if !p.gaussian {
		all := []stage{
			p.timed(stage{train.PhaseMembers, 0, 0, false, p.fits(), 1, steps, 0}, member),
			p.timed(stage{train.PhaseEpistemic, 0, 0, false, members + 1, 1, p.epistemicSteps, 0}, p.epistemicTime()),
		}
		if data.tilts() {
			all = append(all, p.ratioStages(0, min(members, mergedParts))...)
		}
		return all
	}
	all := []stage{p.timed(stage{train.PhaseMembers, 0, 0, false, p.fits(), 1, steps, 0}, member)}
	for _, output := range p.ofStages() {
		if p.single != nil { // which are skipped where the output shares the process of all
			all = append(all, p.timed(stage{train.PhaseMembers, 0, output, false, p.fits(), 1, p.single.steps, 0}, most/float64(p.outputs)))
		}
		all = append(all,
			p.timed(stage{train.PhaseNoise, choosing, output, true, len(p.noises), p.held, p.noiseSteps, 0}, p.noiseTime()),
			p.timed(stage{train.PhaseNoise, chosenOne, output, false, p.noiseFolds, 1, p.noiseSteps, 0}, p.noiseTime()),
			p.timed(stage{train.PhaseEpistemic, 0, output, false, members + 1, 1, p.epistemicSteps, 0}, p.epistemicTime()))
		all = append(all, p.ratioStages(output, members)...)
	}
	return all
}

// ratioStages returns those of the density ratio of an output, by so many members.
func (p plan) ratioStages(output, members int) []stage {
	return []stage{
		p.timed(stage{train.PhaseDensityRatio, choosing, output, true, len(p.ratios), min(p.held, members), p.ratioSteps / 2, 0}, p.ratioTime()/2),
		p.timed(stage{train.PhaseDensityRatio, chosenOne, output, false, members, 1, p.ratioSteps, 0}, p.ratioTime()),
	}
}

// ofStages returns the outputs that have stages of their own.
func (p plan) ofStages() []int {
	if p.outputs == 1 {
		return []int{0}
	}
	return upTo(p.outputs + 1)[1:]
}

// timed returns the stage with the time of all fits, given that of one.
func (p plan) timed(s stage, fit float64) stage {
	s.time = float64(s.parts*s.fits) * fit
	return s
}

// noiseTime, epistemicTime and ratioTime return those of a fit.
func (p plan) noiseTime() (mean float64) {
	for _, s := range p.noises {
		mean += p.sideCost(p.batch).step(s) * float64(p.noiseSteps) / float64(len(p.noises))
	}
	return mean
}

func (p plan) epistemicTime() float64 {
	k := p.varianceCost(p.distinct)
	return k.step(structure{Components: []component{k.within(epistemicComponent(len(p.distinct)), p.sideTime)}}) * float64(p.epistemicSteps)
}

func (p plan) ratioTime() float64 {
	k := p.sideCost(2 * p.batch)
	c := k.within(component{Kind: basis.KindSpline, Nodes: placeNodes, Orderings: ratioOrderings}, p.sideTime)
	return k.step(structure{Components: []component{c}}) * float64(p.ratioSteps)
}

// stepsToFit returns the steps after the selection.
func (p plan) stepsToFit(data *dataset) (sum int) {
	for _, s := range p.fitStages(data) {
		sum += s.planned()
	}
	return sum
}
