package train

import (
	"sync"
	"time"
)

// progress counts the steps of a run that trains many things, some side by side.
type progress struct {
	mu       sync.Mutex // guards what follows, and whoever listens
	report   func(Event)
	now      func() time.Time
	began    time.Time
	done, of int
}

func newProgress(r *run) *progress {
	return &progress{report: r.env.Progress, now: r.env.Now, began: r.env.Now(), of: r.totalSteps()}
}

func (p *progress) elapsed() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now().Sub(p.began)
}

// step counts one more step.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.of = max(p.of, p.done)
	elapsed := p.now().Sub(p.began)
	p.report(Event{
		Phase: PhaseWeights, Step: p.done, Steps: p.of, Elapsed: elapsed,
		Remaining: elapsed * time.Duration(p.of-p.done) / time.Duration(p.done),
	})
}

// totalSteps returns the steps of a run in which nothing diverges.
func (r *run) totalSteps() int {
	var mean float64 // steps of a member, over the shapes
	for _, s := range r.shapes {
		mean += float64(r.stepsFor(shape{Components: s})) / float64(len(r.shapes))
	}
	sum := r.stepsToFit(int(mean))
	candidates := len(r.shapes) * len(r.smoothness)
	for _, share := range r.tries {
		sum += int(share*mean) * candidates * r.heldFolds()
		candidates = min(candidates, r.keep)
	}
	return sum
}

// stepsToFit returns the steps after the choice, with so many of a member.
func (r *run) stepsToFit(steps int) int {
	members := min(r.members, r.data.rows())
	return (members+min(r.twins, members))*steps + (r.noiseFolds+len(r.noiseShapes())*r.heldFolds())*r.noiseSteps + (members+1)*r.doubtSteps +
		(len(r.tiltShapes())*r.heldFolds()+2*members)*r.tiltSteps/2
}

// heldFolds returns the number of folds that candidates are tried on: several where
// rows are so few that one would tell by chance.
func (r *run) heldFolds() int { return min(r.held, r.members, r.given.rows()) }
