package auto

import (
	"time"

	"beziergp/train"
)

// fits makes one progress of those of several fits, one after another: each takes an equal part
// of what is left.
type fits struct {
	train.Environment
	began    time.Time
	done     float64 // of the whole
	from, to float64 // done at the start and at the end of the fit under way
}

// allSteps are those of the whole.
const allSteps = 1_000_000

func newFits(env train.Environment) *fits {
	return &fits{Environment: env, began: env.Now()}
}

// of returns the environment of a fit, the first of so many that are left and take about as long.
func (f *fits) of(left int) train.Environment {
	f.from = f.done
	f.to = f.from + (1-f.from)/float64(left)
	env := f.Environment
	env.Progress = f.event
	return env
}

// event tells the progress of all.
func (f *fits) event(e train.Event) {
	if e.Steps > 0 {
		f.done = max(f.done, f.from+(f.to-f.from)*float64(e.Step)/float64(e.Steps))
	}
	e.Step, e.Steps, e.Elapsed = int(f.done*allSteps), allSteps, f.Now().Sub(f.began)
	if e.Step > 0 {
		e.Remaining = time.Duration(float64(e.Elapsed) * (1 - f.done) / f.done)
	}
	f.Progress(e)
}
