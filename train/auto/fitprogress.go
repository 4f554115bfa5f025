package auto

import (
	"math"

	"beziergp/train"
)

// fitProgress is that of one fit of a stage.
type fitProgress struct {
	*progress
	about train.Fit
	trial bool // of the mean, whose errors are deviations of the target
	steps int  // planned
	done  int  // of these
	own   int  // steps taken
}

// begin begins the fit of a number, from 0, of the stage under way, a task.
func (p *progress) begin(number int, t task) *fitProgress {
	p.mu.Lock()
	defer p.mu.Unlock()
	part := p.first + 1
	if p.stage.candidates {
		part += t.candidate
	} else {
		part += number
	}
	p.part = max(p.part, part)
	phase := p.stage.phase
	return &fitProgress{progress: p, about: train.Fit{Number: part}, trial: phase == train.PhaseSelection || phase == train.PhaseMembers, steps: p.stage.steps}
}

// of says of which structure the fit is.
func (f *fitProgress) of(s structure) { f.about.Shape = s.String() }

// descent returns what a descent of so many steps is to call after every one.
func (f *fitProgress) descent(steps int) func(loss float64) {
	f.about.Step, f.about.Steps = 0, steps
	return func(loss float64) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.taken++
		f.own++
		f.about.Step++
		f.advance(f.steps * min(f.about.Step, steps) / steps)
		rmse := 0.0
		if f.trial {
			rmse = math.Sqrt(2 * max(0, loss))
		}
		f.tell(f.about, rmse)
	}
}

// heldOut tells the mean deviance of the fit at rows that it was trained without.
func (f *fitProgress) heldOut(deviance float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.about.HeldOut = math.Sqrt(deviance)
	f.tell(f.about, 0)
}

// elsewhere says that another rank has done the fit in so many steps.
func (f *fitProgress) elsewhere(steps int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.taken += steps
}

// end takes what the fit has not taken of its steps as done.
func (f *fitProgress) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.advance(f.steps)
}

// advance tells how many of the planned steps are done. Where a fit begins again they stay
// what they are. The last one is left to [progress.finish].
func (f *fitProgress) advance(to int) {
	if to <= f.done {
		return
	}
	f.inside += to - f.done
	f.done = to
	f.progress.done = max(f.progress.done, min(f.before+min(f.inside, f.stage.planned()), f.all-1))
}
