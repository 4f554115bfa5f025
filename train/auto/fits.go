package auto

import (
	"time"

	"beziergp/train"
)

// fits makes one progress of those of several fits, one after another, of which it is not known
// at the start how many there are: a fit takes a part of what is left, and its share of that
// part grows as its own progress does.
type fits struct {
	train.Environment
	began    time.Time
	done     float64 // of the whole
	share    float64 // of the fit under way, by its own progress
	from, to float64 // done at before, and at the end of that fit
	before   float64 // its share at from
}

// allSteps are those of the whole.
const allSteps = 1_000_000

func newFits(env train.Environment) *fits {
	return &fits{Environment: env, began: env.Now()}
}

// of returns the environment of a fit, the first of so many that are left and take about as long.
func (f *fits) of(left int) train.Environment {
	f.from, f.before, f.share = f.done, 0, 0
	f.to = f.from + (1-f.from)/float64(left)
	env := f.Environment
	env.Progress = f.event
	return env
}

// left tells, within a fit, that so many follow it, each of which takes as long as it.
func (f *fits) left(following int) {
	rest := 1 - f.share
	f.from, f.before = f.done, f.share
	f.to = f.from + (f.to-f.from)*rest/(rest+float64(following))
}

// event tells the progress of all.
func (f *fits) event(e train.Event) {
	if e.Steps > 0 {
		f.share = max(f.share, float64(e.Step)/float64(e.Steps))
	}
	if f.before < 1 {
		f.done = max(f.done, f.from+(f.to-f.from)*(f.share-f.before)/(1-f.before))
	}
	e.Step, e.Steps, e.Elapsed = int(f.done*allSteps), allSteps, f.Now().Sub(f.began)
	if e.Step > 0 {
		e.Remaining = time.Duration(float64(e.Elapsed) * (1 - f.done) / f.done)
	}
	f.Progress(e)
}
