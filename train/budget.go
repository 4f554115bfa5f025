package train

import "time"

// spent returns the share of the budget that is spent, zero where there is none.
func (r *run) spent() float64 {
	if r.Budget == 0 {
		return 0
	}
	return float64(r.progress.elapsed()) / float64(r.Budget)
}

// fitBudget shortens what is still to do to what is left of the budget, by the pace
// so far.
func (r *run) fitBudget() {
	if r.Budget == 0 || r.progress.done == 0 {
		return
	}
	pace := r.progress.elapsed() / time.Duration(r.progress.done)
	left := max(0, r.Budget-r.progress.elapsed())
	share := float64(left) / float64(pace*time.Duration(1+r.stepsToFit(r.steps)))
	if share >= 1 {
		return
	}
	for _, steps := range []*int{&r.steps, &r.doubtSteps, &r.noiseSteps, &r.tiltSteps} {
		*steps = max(fewestSteps, int(share*float64(*steps)))
	}
}

// fewestSteps are taken whatever the budget.
const fewestSteps = 50
