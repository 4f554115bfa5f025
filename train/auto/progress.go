package auto

import (
	"sync"
	"time"

	"beziergp/train"
)

// progress counts the steps of a run that trains many things, some in parallel.
type progress struct {
	report   func(train.Event)
	now      func() time.Time
	budget   time.Duration // 0 for none
	began    time.Time
	mu       sync.Mutex // guards what follows, the clock, and whoever listens
	done, of int
}

func newProgress(env train.Environment, budget time.Duration, of int) *progress {
	return &progress{report: env.Progress, now: env.Now, budget: budget, began: env.Now(), of: of}
}

func (p *progress) elapsed() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now().Sub(p.began)
}

// spent returns the share of the budget that has passed, zero where there is none.
func (p *progress) spent() float64 {
	if p.budget == 0 {
		return 0
	}
	return float64(p.elapsed()) / float64(p.budget)
}

// step counts one more step.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.of = max(p.of, p.done)
	elapsed := p.now().Sub(p.began)
	p.report(train.Event{
		Phase: train.PhaseWeights, Step: p.done, Steps: p.of, Elapsed: elapsed,
		Remaining: elapsed * time.Duration(p.of-p.done) / time.Duration(p.done),
	})
}
