package auto

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/likelihood"
	"beziergp/train"
)

// A tall table has choices of its own where the effort can pay for them, and a member of
// any of its structures keeps to the arithmetic of a member.
func TestTallTablesHaveTheirOwnChoices(t *testing.T) {
	for name, e := range efforts {
		if got := e.choices(tallRows, 0); got.steps != e.many.steps {
			t.Errorf("%s: %d rows are tall", name, tallRows)
		}
		tall := e.choices(tallRows+1, tallLevels)
		if name == Fast {
			if tall.steps != e.many.steps {
				t.Errorf("fast has %d steps for a tall table", tall.steps)
			}
			continue
		}
		if got := e.choices(tallRows+1, tallLevels+1); got.steps != e.many.steps {
			t.Errorf("%s: %d steps where a category has %d levels", name, got.steps, tallLevels+1)
		}
		if tall.steps <= e.many.steps {
			t.Errorf("%s: %d steps for a tall table, %d for one of many rows", name, tall.steps, e.many.steps)
		}
		for _, d := range []int{4, 14, 50} {
			p := plan{figures: e.figures, choices: tall, distinct: make([]int, d)}
			for i := range p.distinct {
				p.distinct[i] = maxDistinct
			}
			for _, sum := range p.affordable(p.sums) {
				s := structure{Components: sum}
				own := p.memberCost(p.memberBatch).step(s)
				if steps := p.stepsOf(s); steps > fewestSteps && float64(steps)*own > tall.seconds*1e9 {
					t.Errorf("%s: %v takes %d steps of %g ns", name, s, steps, own)
				}
			}
		}
	}
}

// What is learned beside the mean takes less time of fast where rows are more than half of those of a tall table, and there alone.
func TestFastHurriesBesideTheMeanOfManyRows(t *testing.T) {
	for name, e := range efforts {
		usual, many := e.choices(tallRows/2, 0).sideTime, e.choices(tallRows/2+1, 0).sideTime
		if many > usual || (many < usual) != (name == Fast) || e.choices(fewRows, 0).sideTime > usual {
			t.Errorf("%s: %g ns of %d rows, %g of one more", name, usual, tallRows/2, many)
		}
	}
}

// Effort best chooses among all sums of components that the default has, by trials that are no shorter on a larger share of the rows held out, and averages
// more members of as many steps, for those of more steps err more: by one fold of 16 it took a worse structure of 6900 rows than the default.
func TestBestChoosesByMoreRows(t *testing.T) {
	for _, rows := range []int{fewRows, tallRows} {
		best, usual := efforts[Best].choices(rows, 0), efforts[Default].choices(rows, 0)
		share := func(c choices) float64 { return float64(c.held) / float64(c.folds) }
		if share(best) <= share(usual) || best.members <= usual.members || best.steps > usual.steps {
			t.Errorf("%d rows: %d members of %d steps and %.2f of the rows, the default %d, %d and %.2f", rows, best.members, best.steps, share(best), usual.members, usual.steps, share(usual))
		}
		if first := best.tries[0] * float64(best.steps); first < usual.tries[0]*float64(usual.steps) {
			t.Errorf("%d rows: %g steps show whether ties help, of the default more", rows, first)
		}
		for _, sum := range usual.sums {
			if !slices.ContainsFunc(best.sums, func(own []component) bool { return slices.Equal(own, sum) }) {
				t.Errorf("%d rows: effort best lacks %v", rows, structure{Components: sum})
			}
		}
	}
}

// The plan of a run sees the rows and the levels of its table.
func TestPlanOfTallTable(t *testing.T) {
	data := fixture(t, tallRows+1)
	plan := func() plan {
		d := newDataset(data.Rows(), data.Split, data.Bases, nil, likelihood.OrGaussian(nil))
		p, err := Recipe{}.withDefaults().plan(d, false)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if got, want := plan().steps, efforts[Default].tall.steps; got != want {
		t.Errorf("%d steps, not %d", got, want)
	}
	levels, err := basis.NewIndicator(tallLevels + 1)
	if err != nil {
		t.Fatal(err)
	}
	data.Bases[2] = levels
	got, want := plan(), efforts[Default].choices(tallRows+1, tallLevels+1)
	if got.members != want.ofCodes {
		t.Errorf("%d members with a category of %d levels, not %d", got.members, levels.Nodes(), want.ofCodes)
	}
	if got.steps != want.steps || len(got.sums) != len(want.sums) {
		t.Errorf("%d steps and %d sums with a category of %d levels, not %d and %d", got.steps, len(got.sums), levels.Nodes(), want.steps, len(want.sums))
	}
}

// A number of many rows has more members than a class, unless inputs are many or rows are streamed.
func TestMembersOfANumber(t *testing.T) {
	many := efforts[Default].many
	if many.ofNumber <= many.members || many.ofNumber >= many.folds {
		t.Fatalf("%d members of a number, %d of others, %d folds", many.ofNumber, many.members, many.folds)
	}
	for _, c := range []struct {
		what         string
		rows, inputs int
		law          likelihood.Likelihood
		streamed     bool
		want         int
	}{
		{"a number", fewRows + 1, 3, nil, false, many.ofNumber},
		{"of many inputs", fewRows + 1, manyInputs + 1, nil, false, many.members},
		{"streamed", fewRows + 1, 3, nil, true, many.members},
		{"a truth value", fewRows + 1, 3, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, many.members},
		{"few rows", fewRows, 3, nil, false, efforts[Default].few.members},
	} {
		d := wideData(t, c.rows, c.inputs-1, 0, func(rng *rand.Rand, _ []float32) int { return rng.IntN(2) })
		if d.law = likelihood.OrGaussian(c.law); c.streamed {
			d.stream = &stream{Rows: d.Rows}
		}
		p, err := Recipe{}.withDefaults().plan(d, false)
		if err != nil {
			t.Fatal(err)
		}
		if p.members != c.want {
			t.Errorf("%s: %d members, want %d", c.what, p.members, c.want)
		}
	}
}

// A table of as many rows as a tall one with a category of too many levels has the members of one of many
// rows, fewer of a number where these are more than three, and no candidate that such a one has not.
func TestCodesTakeFewerTrials(t *testing.T) {
	for name, e := range efforts {
		own, many := e.choices(tallRows+1, tallLevels+1), e.choices(tallRows, tallLevels+1)
		if own.members != many.members || own.steps != many.steps || own.replicates != many.replicates || own.seconds != many.seconds || !slices.Equal(own.tries, many.tries) {
			t.Errorf("%s: members or trials of codes differ from those of many rows", name)
		}
		for _, sum := range own.sums {
			if !many.hasSum(sum) {
				t.Errorf("%s: %v is tried of codes alone", name, sum)
			}
		}
		if fewer := own.ofCodes < many.members; own.ofCodes < 3 || many.ofCodes > 0 || fewer != (name != Fast) {
			t.Errorf("%s: %d members of codes and %d of many rows", name, own.ofCodes, many.members)
		}
		if fewer := len(own.sums) < len(many.sums); fewer != (name == Default) {
			t.Errorf("%s: %d sums of codes and %d of many rows", name, len(own.sums), len(many.sums))
		}
	}
}

// hasSum tells whether a sum of components is among the candidates.
func (c choices) hasSum(of []component) bool {
	return slices.ContainsFunc(c.sums, func(sum []component) bool { return slices.Equal(sum, of) })
}

// planOf returns a table of so many rows with its plan, nil standing for a number as the target.
func planOf(t *testing.T, rows int, effort Effort, law likelihood.Likelihood) (*dataset, plan) {
	t.Helper()
	data := fixture(t, rows)
	d := newDataset(data.Rows(), data.Split, data.Bases, data.Inputs, likelihood.OrGaussian(law))
	p, err := Recipe{Effort: effort}.withDefaults().plan(d, false)
	if err != nil {
		t.Fatal(err)
	}
	return d, p
}

// Wider sums are tried where a number is learned from many rows, and a step can pay for them.
func TestWiderSums(t *testing.T) {
	wider := efforts[Default].many.wider[0]
	for _, c := range []struct {
		name         string
		rows, inputs int
		law          likelihood.Likelihood
		want         bool
	}{
		{"many rows", fewRows + 1, 3, nil, true},
		{"few rows", fewRows, 3, nil, false},
		{"a tall table", tallRows + 1, 3, nil, false},
		{"many inputs", fewRows + 1, 100, nil, false},
		{"counts", fewRows + 1, 3, likelihood.NewLaw(likelihood.Poisson{}, 0), false},
	} {
		data := fixture(t, c.rows)
		d := newDataset(data.Rows(), data.Split, data.Bases, nil, likelihood.OrGaussian(c.law))
		d.distinct = make([]int, c.inputs)
		for i := range d.distinct {
			d.distinct[i] = maxDistinct
		}
		p, err := Recipe{}.withDefaults().plan(d, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.hasSum(wider); got != c.want {
			t.Errorf("%s: tried %v, want %v", c.name, got, c.want)
		}
	}
}

// Laws of more rows than a mixture can pay for have more orderings and members, and the best of every sum of components
// is tried on a linear scaling, too.
func TestLawsOfVeryManyRows(t *testing.T) {
	poisson := likelihood.NewLaw(likelihood.Poisson{}, 0)
	for _, c := range []struct {
		name   string
		rows   int
		effort Effort
		law    likelihood.Likelihood
		want   bool
	}{
		{"very many", mixedRows + 1, Default, poisson, true},
		{"very many, best", mixedRows + 1, Best, poisson, true},
		{"fewer", mixedRows, Default, poisson, false},
		{"effort fast", mixedRows + 1, Fast, poisson, false},
		{"numbers", mixedRows + 1, Default, nil, false},
	} {
		d, p := planOf(t, c.rows, c.effort, c.law)
		if got := p.hasSum(efforts[Default].tall.ofVery[0]); got != c.want {
			t.Errorf("%s: tried %v, want %v", c.name, got, c.want)
		}
		if own := efforts[c.effort].choices(c.rows, 0).members; c.want && p.members < 2 || !c.want && p.members != own {
			t.Errorf("%s: %d members", c.name, p.members)
		}
		d.inputs[0].Knots = []float64{0, 1} // or there is one scaling
		heads, onLinear := survivors(p.candidates(), max(1, p.linears), true), 0
		for _, l := range p.linearCandidates(heads, d) {
			if slices.ContainsFunc(heads, func(h candidate) bool { return slices.Equal(h.Components, l.Components) }) && l.Scaling == train.Linear {
				onLinear++
			}
		}
		if c.want != (onLinear > 2) { // the coarse component may be a head, and is tried anyway
			t.Errorf("%s: %d candidates are tried on a linear scaling", c.name, onLinear)
		}
	}
}

// A component of order 14 is tried of classes, counts and amounts where rows are neither few nor very many, by the efforts that have
// time for it.
func TestLawsHaveLayersOfMoreNodes(t *testing.T) {
	classes, counts := likelihood.NewLaw(likelihood.Bernoulli{}, 0), likelihood.NewLaw(likelihood.Poisson{}, 0)
	for _, c := range []struct {
		name   string
		rows   int
		effort Effort
		law    likelihood.Likelihood
		want   bool
	}{
		{"classes", 3000, Default, classes, true},
		{"classes, best", 3000, Best, classes, true},
		{"classes, fast", 3000, Fast, classes, false},
		{"counts", 3000, Default, counts, true},
		{"few rows", fewRows, Default, classes, false},
		{"very many", tallRows + 1, Default, classes, false},
		{"numbers", 3000, Default, nil, false},
	} {
		_, p := planOf(t, c.rows, c.effort, c.law)
		if got := p.hasSum([]component{rich}); got != c.want {
			t.Errorf("%s: tried %v, want %v", c.name, got, c.want)
		}
	}
}

// The rate of a tall table's members is their own.
func TestHasteIsTheRateOfMembers(t *testing.T) {
	d, p, w := prepared(fixture(t, 200), 1)
	defer w.pool.Close()
	s := structure{train.ByRanks, []component{coarse}, 1}
	var weights [][]float32
	for _, p.haste = range []float64{1, 1.25} {
		m, err := fitMember(context.Background(), w, p, d, s, d.order, nil, 20, 0)
		if err != nil {
			t.Fatal(err)
		}
		weights = append(weights, m.params)
	}
	if slices.Equal(weights[0], weights[1]) {
		t.Error("the rate changes no weight")
	}
}
