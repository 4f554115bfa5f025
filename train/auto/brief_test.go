package auto

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/train"
)

// noisy returns rows of a product of two inputs under noise.
func noisy(t testing.TB, n int, noise float64) train.Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	return uniform(t, rng, n, 4, 4, func(x []float32) float32 {
		return 8*(x[0]-0.5)*(x[1]-0.5) + float32(noise*rng.NormFloat64())
	})
}

// briefPlan returns data with a plan of two rounds of few steps, and a worker.
func briefPlan(t testing.TB, noise float64) (*dataset, plan, worker) {
	t.Helper()
	data, p, w := prepared(noisy(t, fewRows+400, noise), 2)
	p.tries, p.keep, p.short, p.held, p.neighbours, p.repeated = []float64{0.3, 0.6}, 2, 2*p.members, 1, false, nil
	p.sums, p.smoothness, p.steps = [][]component{{smooth(10)}}, []float64{0.01, 0.03}, 600
	w.progress.follow(p.stages(data))
	return data, p, w
}

// Of a noisy number members are brief, more, and smoother than any candidate of the rounds; where steps lower the errors
// they take all.
func TestMembersOfANoisyNumberAreBrief(t *testing.T) {
	for _, c := range []struct {
		noise float64
		brief bool
	}{{1, true}, {0, false}} {
		data, p, w := briefPlan(t, c.noise)
		defer w.pool.Close()
		chosen, err := selectStructure(t.Context(), w, p, data, data.partition(p))
		if err != nil {
			t.Fatal(err)
		}
		if brief := chosen.share == 0.6 && chosen.plan.brief; brief != c.brief || !c.brief && chosen.share != 1 {
			t.Errorf("noise of %g: members take %g of the steps, brief is %t", c.noise, chosen.share, chosen.plan.brief)
		}
		if !c.brief {
			continue
		}
		if s := chosen.structures[0]; s.isAdditive() || s.Smoothness <= 0.03 {
			t.Errorf("noise of %g: members are of %v, no smoother than the candidates", c.noise, s)
		}
		if own := chosen.plan.taking(chosen.share); own.members != int(float64(p.members)/0.6) || own.steps != 360 {
			t.Errorf("noise of %g: %d members of %d steps, where there were %d of %d", c.noise, own.members, own.steps, p.members, p.steps)
		}
	}
}

// Where the steps of the last round tell noise, too, members take as few as the trials of the first.
func TestMembersAsBriefAsTheFirstTrials(t *testing.T) {
	data, p, w := briefPlan(t, 1)
	defer w.pool.Close()
	p.steps, p.tries = 4000, []float64{0.025, 0.8}
	chosen, err := selectStructure(t.Context(), w, p, data, data.partition(p))
	if err != nil {
		t.Fatal(err)
	}
	if own := chosen.plan.taking(chosen.share); chosen.share != 0.025 || own.steps != 100 || own.members != 2*p.members {
		t.Errorf("%d members take %g of the steps, which are %d", own.members, chosen.share, own.steps)
	}
}

// Where ties tell more than steps do, a trial of all steps decides: of a noisy number it is worse, and without noise better.
func TestMembersBesideTiesAreBriefWhereAllStepsAreWorse(t *testing.T) {
	for _, c := range []struct {
		noise, logOfTies float64
		brief            bool
	}{{1, -1, true}, {0, -1, false}, {1, 0, false}} {
		data, p, w := briefPlan(t, c.noise)
		defer w.pool.Close()
		p.steps = 3000
		r := tournament{plan: p, data: data, folds: data.partition(p), logOfTies: c.logOfTies}
		best := []candidate{untried(structure{train.ByRanks, []component{smooth(10)}, 0.001})}
		if err := r.try(t.Context(), w, 0, best, 0.1); err != nil {
			t.Fatal(err)
		}
		if brief, err := r.settles(t.Context(), w, best[0], 2*best[0].deviance); err != nil || brief != c.brief {
			t.Errorf("noise of %g, ties that leave %.2g of the deviance: brief %t, %v", c.noise, math.Exp(c.logOfTies), brief, err)
		}
	}
}

// Rows that are few, several targets, shapes that were given, one round, tall tables and many inputs settle nothing, and
// neither does an additive model.
func TestWhatSettles(t *testing.T) {
	data, p, w := briefPlan(t, 1)
	w.pool.Close()
	best := candidate{structure: structure{train.ByRanks, []component{smooth(10)}, 1}, deviance: 0.95}
	settles := func(p plan, c candidate, before float64) bool {
		brief, err := (&tournament{plan: p, data: data}).settles(t.Context(), w, c, before)
		if err != nil {
			t.Error(err)
		}
		return brief
	}
	if !settles(p, best, 1) || settles(p, best, 1.1) {
		t.Error("a deviance of 0.95 is as good as 1, and not as 1.1")
	}
	line := best
	line.Components = []component{additive(2)}
	if settles(p, line, 1) {
		t.Error("an additive model takes few steps")
	}
	for name, change := range map[string]func(p *plan){
		"few rows":        func(p *plan) { p.rows = fewRows },
		"several targets": func(p *plan) { p.outputs = 2 },
		"shapes":          func(p *plan) { p.shapes = []structure{best.structure} },
		"one round":       func(p *plan) { p.tries = p.tries[:1] },
		"a tall table":    func(p *plan) { p.rows = tallRows + 1 },
		"a law":           func(p *plan) { p.gaussian = false },
		"no average":      func(p *plan) { p.averages = false },
		"many inputs":     func(p *plan) { p.distinct = make([]int, manyInputs+1) },
	} {
		own := p
		change(&own)
		if settles(own, best, 1) {
			t.Errorf("%s: members take few steps", name)
		}
	}
}
