package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/train"
)

// Before the first step a run says how long it takes: twice as long on a core that is half
// as quick, half as long on two, and longer where there is more to do.
func TestForetell(t *testing.T) {
	data, plain, w := prepared(fixture(t, 300), 1)
	w.pool.Close()
	forecast := func(p plan, workers int, tick time.Duration) time.Duration {
		return foretold(t, p, data, workers, func(int) time.Duration { return tick })
	}
	near := func(got, want time.Duration) bool { return got > want*99/100 && got < want*101/100 }
	once := forecast(plain, 1, time.Millisecond)
	if once <= 0 || !near(forecast(plain, 1, 2*time.Millisecond), 2*once) || !near(forecast(plain, 2, time.Millisecond), once/2) {
		t.Errorf("%v on one core, %v on a slower one, %v on two", once, forecast(plain, 1, 2*time.Millisecond), forecast(plain, 2, time.Millisecond))
	}
	more := plain
	more.members++
	if got := forecast(more, 1, time.Millisecond); got <= once {
		t.Errorf("%v with one member more than in %v", got, once)
	}
	stopped := foretold(t, plain, data, 1, func(reading int) time.Duration {
		if reading%7 == 3 {
			return time.Hour
		}
		return time.Millisecond
	})
	if !near(stopped, once) {
		t.Errorf("%v where other work stops one step of seven, %v else", stopped, once)
	}
	cold := foretold(t, plain, data, 1, func(reading int) time.Duration { // of 100 steps each, for they are short
		if reading%(1+mostProbeSteps) < mostProbeSteps/3 {
			return 2 * time.Millisecond
		}
		return time.Millisecond
	})
	if !near(cold, once) {
		t.Errorf("%v where the first third of the steps of every sum of components takes twice as long, %v else", cold, once)
	}
}

// The forecast counts on the trials that a mixture usually takes, of which the plan, that budgets are made of, has the fewest.
func TestForetellsWhatMixturesUsuallyTry(t *testing.T) {
	two := func(rng *rand.Rand, _ []float32, _ float64) float64 { return float64(rng.IntN(2)) }
	for name, c := range map[string]struct {
		rows   int
		law    likelihood.Scalar
		effort Effort
		trials float64 // beyond the fewest
	}{
		"few rows of classes": {300, likelihood.Bernoulli{}, Default, 2*4 + 1 + 1 - 2}, // of four sums of components, and finer nodes
		"classes":             {fewRows + 1, likelihood.Bernoulli{}, Default, 2*4 + 1 - 2},
		"counts":              {fewRows + 1, likelihood.Poisson{}, Default, 2*4 + 1 + 2 - 2},
		"without a mixture":   {300, likelihood.Bernoulli{}, Fast, 0},
	} {
		data := ofLaw(t, c.rows, likelihood.NewLaw(c.law, 0), false, two)
		d := newDataset(data.Rows(), data.Split, data.Bases, data.Inputs, data.Likelihood)
		p, err := Recipe{Effort: c.effort}.plan(d, false)
		if err != nil {
			t.Fatal(err)
		}
		var got float64
		for _, s := range p.stages(d) {
			if s.round == climbing {
				got += p.beyond(s, d) * float64(s.parts) / s.time
			} else if more := p.beyond(s, d); more > 0 && s.round != pruning {
				t.Errorf("%s: %g ns beyond those of %s, round %d", name, more, s.phase, s.round)
			}
		}
		if math.Abs(got-c.trials) > 1e-9 {
			t.Errorf("%s: %g trials beyond the plan's, want %g", name, got, c.trials)
		}
	}
}

// foretold returns the time that a run says it takes, by a clock that goes on by a tick, of its number, when it is read.
func foretold(t *testing.T, p plan, data *dataset, workers int, tick func(reading int) time.Duration) time.Duration {
	var told []train.Event
	clock, readings := time.Unix(0, 0), 0
	env := train.Environment{Progress: func(e train.Event) { told = append(told, e) }, Now: func() time.Time {
		clock, readings = clock.Add(tick(readings)), readings+1
		return clock
	}}
	w := worker{pool: simd.NewPool(workers), progress: newProgress(env, 0)}
	defer w.pool.Close()
	w.progress.follow(p.stages(data))
	if err := w.foretell(context.Background(), p, data); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0].Step != 0 || told[0].Steps != w.progress.all {
		t.Fatalf("%d events, %+v", len(told), told)
	}
	return told[0].Remaining
}

// The share that is done does not fall, nor the steps, when what is to come is planned anew.
func TestSharesDoneDoNotFallByOtherPlans(t *testing.T) {
	p := newProgress(train.Environment{}.WithDefaults(), 0)
	share := 0.0
	for _, steps := range []int{100, 300, 90, 200} {
		done := p.done
		p.follow([]stage{{phase: train.PhaseSelection, parts: 1, fits: 1, steps: steps}})
		if now := float64(p.done) / float64(p.all); now < share || p.done < done {
			t.Errorf("%d of %d steps are done after %d, a share of %g", p.done, p.all, done, share)
		}
		p.done = max(p.done, 40)
		share = float64(p.done) / float64(p.all)
	}
}
