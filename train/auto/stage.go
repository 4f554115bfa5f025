package auto

import "beziergp/train"

// stage is a cross-fitting as the plan has it: the progress of a run goes by these.
type stage struct {
	phase      train.Phase
	round      int  // of the phase
	candidates bool // whether the parts are candidates, each of several fits, or else fits
	parts      int
	fits       int // of a part
	steps      int // planned of a fit, which may take fewer
}

func (s stage) planned() int { return s.parts * s.fits * s.steps }

// tryingNeighbours is the round of the selection with neighbour inputs, after its first one.
const tryingNeighbours = -1

// Rounds of the phases after the selection that choose among candidates: all of them on
// some folds, and the best on all.
const (
	choosing = iota
	chosenOne
)

// stages returns those of a run, in their order.
func (p plan) stages(data *dataset) []stage { return append(p.selectionStages(data), p.fitStages()...) }

// selectionStages returns those of the selection: in its first round candidates join when
// the others are done, so that every round has two stages.
func (p plan) selectionStages(data *dataset) (all []stage) {
	candidates := p.candidates()
	if len(p.shapes) == 1 {
		return nil
	}
	parts := len(candidates)
	for round, share := range p.tries {
		steps := max(int(share*float64(p.steps)), fewestSteps)
		all = append(all, stage{train.PhaseSelection, 2 * round, true, parts, p.held, steps})
		if round == 0 {
			others, descents := p.linearCandidates(candidates[0].structure, data), 0
			for _, c := range others {
				if !c.isAdditive() { // which takes no more than a step
					descents++
				}
			}
			parts += len(others)
			all = append(all, stage{train.PhaseSelection, 1, true, len(others), p.held, 1 + steps*descents/max(1, len(others))})
		}
		parts = min(parts, p.keep)
		if round == 0 && p.neighbours {
			all = append(all, stage{train.PhaseSelection, tryingNeighbours, true, parts, p.held, steps})
		}
	}
	return all
}

// fitStages returns those after the selection.
func (p plan) fitStages() []stage {
	members := p.members
	return []stage{
		{train.PhaseMembers, 0, false, members + min(p.replicates, members), 1, p.steps},
		{train.PhaseNoise, choosing, true, len(p.noises), p.held, p.noiseSteps},
		{train.PhaseNoise, chosenOne, false, p.noiseFolds, 1, p.noiseSteps},
		{train.PhaseEpistemic, 0, false, members + 1, 1, p.epistemicSteps},
		{train.PhaseDensityRatio, choosing, true, len(p.ratios), p.held, p.ratioSteps / 2},
		{train.PhaseDensityRatio, chosenOne, false, members, 1, p.ratioSteps},
	}
}

// stepsToFit returns the steps after the selection.
func (p plan) stepsToFit() (sum int) {
	for _, s := range p.fitStages() {
		sum += s.planned()
	}
	return sum
}
