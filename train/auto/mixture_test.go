package auto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// What members of a structure say of the rows: the truth, an error that all have and one of
// their own.
type saying struct {
	structure
	common []float64
	own    float64 // deviation of a member's error
}

func (s saying) member(rng *rand.Rand, truth []float64) []float64 {
	f := make([]float64, len(truth))
	for j := range f {
		f[j] = truth[j] + s.common[j] + s.own*rng.NormFloat64()
	}
	return f
}

// sayings returns data of classes or of exponential amounts with its f, and structures whose common errors have the deviations.
func sayings(t *testing.T, n int, law likelihood.Likelihood, draw func(rng *rand.Rand, f float64) float64, common, own []float64) (*dataset, []float64, []saying) {
	t.Helper()
	var truth []float64
	given := ofLaw(t, n, law, false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		f := 2 * rng.NormFloat64()
		truth = append(truth, f)
		return draw(rng, f)
	})
	data, _, w := prepared(given, 1)
	w.pool.Close()
	rng := rand.New(rand.NewPCG(11, 12))
	var all []saying
	for s, deviation := range common {
		one := saying{structure{train.ByRanks, []component{smooth(10 + s)}, 1}, make([]float64, n), own[s]}
		for j := range one.common {
			one.common[j] = deviation * rng.NormFloat64()
		}
		all = append(all, one)
	}
	return data, truth, all
}

func (s saying) candidate(rng *rand.Rand, data *dataset, truth []float64) candidate {
	e := newEnsemble(data)
	e.add(&outOfFold{held: s.member(rng, truth), twin: s.member(rng, truth)}, upTo(len(truth)))
	return candidate{structure: s.structure, deviance: e.meanAverageDeviance(e.rows(), 2), ensemble: e}
}

func bernoulli(rng *rand.Rand, f float64) float64 {
	if rng.Float64() < 1/(1+math.Exp(-f)) {
		return 1
	}
	return 0
}

func exponential(rng *rand.Rand, f float64) float64 { return rng.ExpFloat64() * math.Exp(f) }

// Structures that err by different amounts on different rows have a mixture that is better than
// any of them: no worse than the best of all counts of members, and without one that only adds errors.
func TestMixtureIsTheBestOfAllCounts(t *testing.T) {
	const n, members = 4000, 6
	for name, c := range map[string]struct {
		law  likelihood.Likelihood
		draw func(rng *rand.Rand, f float64) float64
	}{
		"classes": {likelihood.NewLaw(likelihood.Bernoulli{}, 0), bernoulli},
		"amounts": {likelihood.NewLaw(likelihood.Exponential{}, 0), exponential},
	} {
		data, truth, all := sayings(t, n, c.law, c.draw, []float64{1, 1, 4}, []float64{0.5, 0.5, 0.5})
		rng := rand.New(rand.NewPCG(1, 1))
		var candidates []candidate
		for _, s := range all {
			candidates = append(candidates, s.candidate(rng, data, truth))
		}
		m := newMixture(candidates, members)
		turns, loss := m.draw()
		counts := make([]int, len(all))
		for _, s := range turns {
			counts[slices.IndexFunc(all, func(o saying) bool { return o.structure.String() == s.String() })]++
		}
		if len(turns) != members || counts[0] < 2 || counts[1] < 2 || counts[2] > 0 {
			t.Errorf("%s: members of structures %v, want both of the first two alike and none of the third", name, counts)
		}
		least := math.Inf(1)
		for a := range members + 1 {
			for b := range members + 1 - a {
				least = min(least, m.lossOf(a, b, members-a-b))
			}
		}
		alone := min(m.lossOf(members, 0, 0), m.lossOf(0, members, 0), m.lossOf(0, 0, members))
		if loss > least+0.002*math.Abs(least) || loss >= alone {
			t.Errorf("%s: loss %g, the best of all counts has %g and of one structure %g", name, loss, least, alone)
		}
	}
}

// lossOf returns that of counts, at the likeliest slope.
func (m *mixture) lossOf(counts ...int) float64 {
	sum, own, n := make([]float64, len(m.parts[0].f)), make([]float64, len(counts)), 0.0
	for s, count := range counts {
		own[s], n = float64(count), n+float64(count)
		for i := range sum {
			sum[i] += float64(count) * m.parts[s].f[i]
		}
	}
	least := math.Inf(1)
	for slope := 0.3; slope < 3; slope *= 1.02 {
		least = min(least, m.loss(sum, own, n, slope))
	}
	return least
}

// The loss of a mixture is that of the average of as many new members, and of one structure what the
// selection judges it by.
func TestLossOfAMixture(t *testing.T) {
	const n, members = 20000, 8
	data, truth, all := sayings(t, n, likelihood.NewLaw(likelihood.Bernoulli{}, 0), bernoulli, []float64{0.5, 0.5}, []float64{0.5, 0.8})
	rng := rand.New(rand.NewPCG(3, 1))
	candidates := []candidate{all[0].candidate(rng, data, truth), all[1].candidate(rng, data, truth)}
	m := newMixture(candidates, members)
	for _, counts := range [][]int{{8, 0}, {4, 4}, {2, 6}} {
		average := newEnsemble(data)
		average.folds = [][]int{upTo(n)}
		for s, count := range counts {
			for range count {
				for j, f := range all[s].member(rng, truth) {
					average.outOfFold[j] += f / members
				}
			}
		}
		want := average.meanAverageDeviance(average.rows(), members)
		plain := *m
		plain.parts = slices.Clone(m.parts)
		for s := range plain.parts {
			plain.parts[s].spread = 0
		}
		if off, trials := m.lossOf(counts...)-want, plain.lossOf(counts...)-want; math.Abs(off) > 0.03*want || math.Abs(off) > math.Abs(trials)/2 {
			t.Errorf("members %v: the loss %g of an average is off by %g, and that of the trials by %g", counts, want, off, trials)
		}
	}
	of := candidates[0].ensemble
	testkit.Close(t, "of one structure", m.lossOf(members, 0), of.meanAverageDeviance(of.rows(), members), 1e-3, 0)
}

// Candidates of the other scaling, those that diverged and those that a budget left without a fold are in no mixture.
func TestMixtureIsOfOneScaling(t *testing.T) {
	data, truth, all := sayings(t, 2000, likelihood.NewLaw(likelihood.Bernoulli{}, 0), bernoulli, []float64{0.5, 0.5, 0.5}, []float64{0.5, 0.5, 0.5})
	all[1].Scaling = train.Linear
	rng := rand.New(rand.NewPCG(1, 1))
	candidates := []candidate{all[0].candidate(rng, data, truth), all[1].candidate(rng, data, truth), all[2].candidate(rng, data, truth), untried(all[0].structure)}
	p := plan{choices: choices{members: 6, tries: []float64{0.1, 0.3}}, averages: true}
	turns, loss := p.mixed(candidates)
	if len(turns) != 6 || math.IsInf(loss, 0) {
		t.Fatalf("%d members, loss %g", len(turns), loss)
	}
	for _, s := range turns {
		if s.Scaling != turns[0].Scaling {
			t.Errorf("structures %v are of two scalings", turns)
		}
	}
	if turns[0].Scaling == train.ByRanks && !slices.ContainsFunc(turns, func(s structure) bool { return s.String() != turns[0].String() }) {
		t.Error("the two structures of one scaling are not mixed")
	}
}

// A λ that is far too small is raised for two sums of components, of a mixture for all that go on, by trials of the last round's steps; members of
// a law whose steps still lower the loss much take all, and others as many as those trials.
func TestMixRaisesSmoothnessAndSteps(t *testing.T) {
	classes := ofLaw(t, 600, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		return float64(rng.IntN(2)) // nothing can be learned
	})
	data, p, w := prepared(classes, 2)
	defer w.pool.Close()
	p.tries, p.steps, p.members, p.held, p.short = []float64{0.1, 0.5}, 200, 5, 1, 10
	tour := tournament{plan: p, data: data, folds: data.partition(p), twins: true}
	w.progress.follow(p.stages(data))
	const low = 0.01
	sums := [][]component{{smooth(5)}, {coarse}, {smooth(7)}}
	var given []candidate
	for _, sum := range sums {
		given = append(given, untried(structure{train.ByRanks, sum, low}))
	}
	if err := tour.try(t.Context(), w, climbing, given, p.mixedShare()); err != nil {
		t.Fatal(err)
	}
	all, err := tour.rise(t.Context(), w, given, survivors(given, mostRisen, true))
	if err != nil {
		t.Fatal(err)
	}
	rounds := map[bool]int{} // of larger λ, where time is short and where it is not
	for _, hurried := range []bool{false, true} {
		tour.hurried = hurried
		rough := []candidate{given[0]}
		rough[0].Smoothness, rough[0].deviance = 1, math.MaxFloat64
		own, err := tour.rise(t.Context(), w, given, rough)
		if err != nil {
			t.Fatal(err)
		}
		rounds[hurried], tour.hurried = len(own)-len(given), false
	}
	if rounds[true] > 2 || rounds[false] <= 2 {
		t.Errorf("λ is raised %d times where time is short, %d times elsewhere", rounds[true], rounds[false])
	}
	risen := map[string]bool{}
	for _, c := range all {
		if c.Smoothness > low {
			risen[c.Components[0].String()] = true
		}
	}
	if !slices.IsSortedFunc(all, better) || all[0].Smoothness <= low || len(risen) != mostRisen {
		t.Errorf("λ = %g of noise is raised to %g, of %d sums", low, all[0].Smoothness, len(risen))
	}
	var steps [2]int
	for i, keep := range []int{2, 3} {
		tour.keep = keep
		from := w.progress.taken
		if _, _, err := tour.mix(t.Context(), w, given, nil, given[0].deviance); err != nil {
			t.Fatal(err)
		}
		steps[i] = w.progress.taken - from
	}
	if steps[1] <= steps[0] {
		t.Errorf("λ of two sums is raised by %d steps, of three by %d", steps[0], steps[1])
	}
	for name, before := range map[string]float64{"steps tell": 100, "they do not": given[0].deviance / 2, "an amount": -100, "few rows": 100} {
		tour.fits, tour.density, tour.rows = 0, name == "an amount", fewRows+1
		if name == "few rows" {
			tour.rows = fewRows
		}
		structures, share, err := tour.mix(t.Context(), w, given, nil, before)
		if err != nil {
			t.Fatal(err)
		}
		if tried := tour.fits == p.averagedBy(1); tried != (name != "they do not" && name != "few rows") {
			t.Errorf("%s: all steps are tried %t", name, tried)
		}
		if share != 1 && len(structures) != p.membersBy(p.mixedShare()) || share == 1 && len(structures) != 1 {
			t.Errorf("%s: %d structures of %g of the steps", name, len(structures), share)
		}
	}
}

// More steps may tell more where those of the last round have left little of the loss of the first, or told much more than it beyond a constant.
func TestStepsTell(t *testing.T) {
	data, _, w := prepared(ofLaw(t, 100, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, _ []float32, _ float64) float64 { return float64(rng.IntN(2)) }), 1)
	w.pool.Close()
	e := newEnsemble(data)
	e.folds = [][]int{upTo(50)}
	const constant = 2 * math.Ln2
	for _, c := range []struct {
		last, before float64
		want         bool
	}{
		{0.3, 0.4, true},
		{0.9, constant - 0.3, true},
		{constant - 0.11, constant - 0.1, false},
		{constant - 0.13, constant - 0.1, true},
		{constant - 0.01, constant + 0.2, true},
		{constant + 0.1, constant + 0.1, false},
		{constant + 0.1, constant + 0.2, false},
	} {
		if got := stepsTell(candidate{deviance: c.last, ensemble: e}, c.before); got != c.want {
			t.Errorf("from %g to %g: %t", c.before, c.last, got)
		}
	}
}

// Splines of counts are tried with the most nodes that there are, of each scaling the best one, and of classes none.
func TestSplinesOfCountsAreRefined(t *testing.T) {
	for _, c := range []struct {
		law  likelihood.Likelihood
		want int
	}{{likelihood.NewLaw(likelihood.Poisson{}, 0), 2}, {likelihood.NewLaw(likelihood.Bernoulli{}, 0), 0}} {
		data, p, w := prepared(ofLaw(t, 500, c.law, false, func(rng *rand.Rand, x []float32, _ float64) float64 { return float64(rng.IntN(2)) }), 2)
		p.tries, p.steps, p.finestNodes = []float64{0.1, 0.5}, 100, 61
		tour := tournament{plan: p, data: data, folds: data.partition(p), twins: true}
		w.progress.follow(p.stages(data))
		given := []candidate{
			untried(structure{train.Linear, []component{coarse, fine(31, 5)}, 3}), untried(structure{train.ByRanks, []component{coarse}, 1}),
			untried(structure{train.ByRanks, []component{coarse, fine(21, 4)}, 1}), untried(structure{train.ByRanks, []component{coarse, fine(31, 5)}, 1}),
		}
		all, err := tour.refined(t.Context(), w, given)
		w.pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		var fresh []string
		for _, c := range all {
			if c.Components[len(c.Components)-1].Nodes == p.finestNodes && !math.IsInf(c.deviance, 0) {
				fresh = append(fresh, c.structure.String())
			}
		}
		slices.Sort(fresh)
		if want := []string{"coarse+fine61x4@1", "linear:coarse+fine61x5@3"}[:c.want]; !slices.Equal(fresh, want) || len(all) != len(given)+c.want {
			t.Errorf("%s: %v are tried besides, want %v", c.law.Name(), fresh, want)
		}
	}
}

// Numbers, rows of a tall table, efforts of one round, and shapes that were given have no mixture.
func TestWhatIsMixed(t *testing.T) {
	law := plan{averages: true, rows: mixedRows, choices: choices{tries: []float64{0.1, 0.3}}}
	number, tall, quick, given, single := law, law, law, law, law
	number.gaussian, single.averages = true, false
	tall.rows++
	quick.tries = quick.tries[:1]
	given.shapes = []structure{{}}
	for name, c := range map[string]struct {
		plan plan
		want bool
	}{"a law": {law, true}, "numbers": {number, false}, "tall": {tall, false}, "one round": {quick, false}, "given shapes": {given, false}, "no average": {single, false}} {
		if got := c.plan.mixes(); got != c.want {
			t.Errorf("%s: mixes %t, want %t", name, got, c.want)
		}
	}
}

// Where rows of one value belong together the best candidate without splines gets ties of it, and else none.
func TestTiesJoinComponentsWithoutSplines(t *testing.T) {
	const values = 40
	for name, spread := range map[string]float64{"ties": 3, "no ties": 0} {
		effects := make([]float64, values)
		rng := rand.New(rand.NewPCG(5, 5))
		for i := range effects {
			effects[i] = spread * rng.NormFloat64()
		}
		given := ofLaw(t, 4000, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 {
			k := rng.IntN(values)
			x[0] = float32(k) / (values - 1)
			return bernoulli(rng, effects[k])
		})
		data, p, w := prepared(given, 2)
		p.tries, p.steps, p.repeated, p.tieOrderings = []float64{0.2, 0.5}, 300, data.repeated(), 10
		tour := tournament{plan: p, data: data, folds: data.partition(p)}
		w.progress.follow(p.stages(data))
		sorted := []candidate{untried(structure{train.ByRanks, []component{fine(31, 5)}, 1}), untried(structure{train.ByRanks, []component{smooth(5)}, 1})}
		if err := tour.try(t.Context(), w, 0, sorted, 1); err != nil {
			t.Fatal(err)
		}
		got, err := tour.tiedAlone(t.Context(), w, sorted)
		w.pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		if spread == 0 {
			if got != nil {
				t.Errorf("%s: %v", name, got[0].structure)
			}
			continue
		}
		if len(got) != 1 || len(got[0].Components) != 2 || got[0].Components[0] != smooth(5) || got[0].Components[1].Cells == 0 || tour.data.tied(0) != values || tour.data.tied(1) != 0 {
			t.Errorf("%s: %+v, and %d values are told apart", name, got, tour.data.tied(0))
		}
	}
}
