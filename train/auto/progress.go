package auto

import (
	"math"
	"sync"
	"time"

	"beziergp/train"
)

// progress tells how far a run has come, and how well it does, while it trains many things,
// some in parallel. The share that is done is that of the plan's steps: it never falls, and
// is one at the end and not before, whatever the fits take and whichever are left out.
type progress struct {
	report func(train.Event)
	now    func() time.Time
	budget time.Duration // 0 for none
	began  time.Time
	stages []stage
	all    int // steps of the plan

	mu     sync.Mutex // guards what follows, the clock, and whoever listens
	taken  int        // steps, those of fits that began again among them
	done   int        // steps of the plan
	before int        // the same of the stages before the one under way
	inside int        // and of that one
	stage  stage
	first  int // parts of the phase before the stage
	part   int // of the phase, the last that was begun
	score  train.Score
}

func newProgress(env train.Environment, budget time.Duration) *progress {
	return &progress{report: env.Progress, now: env.Now, budget: budget, began: env.Now()}
}

// follow says what the stages are, before the first of them, or what those to come are. The share that is done does not fall where these have more steps.
func (p *progress) follow(stages []stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.all
	p.stages, p.all = stages, 0
	for _, s := range stages {
		p.all += s.planned()
	}
	if p.all > before && before > 0 {
		p.done = int(math.Ceil(float64(p.done) / float64(before) * float64(p.all)))
	}
}

// selection returns the stages of the selection.
func (p *progress) selection() (all []stage) {
	for _, s := range p.stages {
		if s.phase == train.PhaseSelection {
			all = append(all, s)
		}
	}
	return all
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

// enter begins a stage, of an output. Those before it are done.
func (p *progress) enter(phase train.Phase, round, output int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, first := 0, 0
	for _, s := range p.stages {
		if s.phase == phase && s.round == round && s.output == output {
			p.stage, p.before, p.first = s, before, first
			break
		}
		before += s.planned()
		if s.phase == phase {
			first += s.parts
		}
	}
	p.inside, p.part, p.done = 0, p.first, max(p.done, p.before)
}

// expect tells how long the run takes, before its first step.
func (p *progress) expect(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report(train.Event{Phase: p.stages[0].phase, Parts: p.partsOf(p.stages[0].phase), Steps: p.all, Elapsed: p.now().Sub(p.began), Remaining: d})
}

// scored tells the score so far.
func (p *progress) scored(s train.Score) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.score = s
}

// finish tells that the run is done.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = p.all
	p.tell(train.Fit{}, 0)
}

// tell reports an event. The caller holds the lock.
func (p *progress) tell(f train.Fit, rmse float64) {
	event := train.Event{
		Phase: p.stage.phase, Step: p.done, Steps: p.all, Part: p.part, RMSE: rmse, Fit: f, Score: p.score, Elapsed: p.now().Sub(p.began),
	}
	event.Parts = p.partsOf(event.Phase)
	if p.done > 0 {
		event.Remaining = time.Duration(float64(event.Elapsed) * float64(p.all-p.done) / float64(p.done))
	}
	p.report(event)
}

// partsOf returns those that a phase has.
func (p *progress) partsOf(phase train.Phase) (parts int) {
	for _, s := range p.stages {
		if s.phase == phase {
			parts += s.parts
		}
	}
	return parts
}

// gaussianScore returns the score of rows by their mean squared error, before anything else
// is known of the errors.
func gaussianScore(rows int, deviance float64) train.Score {
	variance := max(deviance, smallestNoise)
	return train.Score{Rows: rows, RMSE: math.Sqrt(deviance), NLPD: (1 + math.Log(2*math.Pi*variance)) / 2}
}
