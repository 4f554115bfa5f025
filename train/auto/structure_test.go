package auto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/likelihood"
	"beziergp/train"
)

func TestComponentsKeepToACost(t *testing.T) {
	wide := make([]int, 500)
	for i := range wide {
		wide[i] = maxDistinct
	}
	c := fine(61, 20)
	const batch = 100
	k := cost{distinct: wide, batch: batch}
	if got := k.within(c, 1e12); got != c {
		t.Errorf("one that is cheap becomes %+v", got)
	}
	// Local layers: 20 orderings of 500 layers take 120 µs a row whatever the nodes, and what is
	// moved 0.006 ns a row for the first million weights and 0.02 for the others.
	if got := k.of(c); math.Abs(got-(120e3+6e3+0.02*(20*500*61*61-1e6))) > 1 {
		t.Errorf("61 nodes take %g", got)
	}
	if got := k.within(c, 165e3); got.Nodes != 17 || got.Orderings != 20 {
		t.Errorf("%+v takes %g", got, k.of(got))
	}
	// Layers of all nodes: 2 ns and 0.066 a weight, so that 20 orderings of 500 layers of 5²
	// weights take 36.5 µs, of 6² 43.76.
	if got := k.within(c, 40e3); got.Nodes != 5 || got.Orderings != 20 || math.Abs(k.of(got)-36500) > 1 {
		t.Errorf("%+v takes %g", got, k.of(got))
	}
	if got := k.within(c, 1e3); got.Nodes != fewestNodes || got.Orderings != fewestOrderings {
		t.Errorf("one that cannot be cheap enough becomes %+v", got)
	}
	// An input of two values has no more nodes, and costs accordingly; a full component
	// keeps its nodes there, and pays for them.
	k.distinct = []int{2, 2}
	if got := k.of(coarse); math.Abs(got-30*(2*2+0.066*8)) > 1e-9 {
		t.Errorf("two values take %g", got)
	}
	if got := k.of(full(20)); math.Abs(got-20*(2*2+0.066*72)) > 1e-9 {
		t.Errorf("all nodes take %g", got)
	}
	b, err := basis.NewBernstein(1)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.basisOf(b, 7); err != nil || got.Nodes() != 7 {
		t.Errorf("an input of 7 values has a basis %v, %v", got, err)
	}
	if got, err := full(20).basisOf(b, 2); err != nil || got.Nodes() != 6 {
		t.Errorf("an input of 2 values has a full basis %v, %v", got, err)
	}
}

// Layers beside categories cost what all their levels do, or what of them does not vanish where that is less, and
// outputs are a layer more: of laws. Numbers as targets have the plans that they had.
func TestCostOfLevelsAndOutputs(t *testing.T) {
	const batch = 128
	plain := cost{distinct: []int{maxDistinct, maxDistinct, 6}, batch: batch}
	levels := func(n int) cost {
		k := plain
		k.levels = []int{0, 0, n}
		return k
	}
	c := coarse
	c.Orderings = 1
	base := plain.of(c)
	if got := levels(6).of(c); math.Abs(got-base) > 1e-9 {
		t.Errorf("a category of as many levels as numbers have nodes takes %g, and a number %g", got, base)
	}
	// Three layers of (6 + 6 + 9)/3 nodes instead of 6.
	if got, want := levels(9).of(c)-base, 3*weightTime*(7*7-6*6); math.Abs(got-want) > 1e-9 {
		t.Errorf("9 levels take %g more, want %g", got, want)
	}
	most := levels(400).of(c)
	if got := levels(4000).of(c); got != most || most <= levels(9).of(c) {
		t.Errorf("a row takes %g by 4000 levels and %g by 400, of which all but one vanish", got, most)
	}
	if local := fine(61, 1); levels(400).of(local) != plain.of(local) {
		t.Error("layers that are local cost more beside a category")
	}
	several := plain
	several.outputs = 10
	if got, want := several.of(c)-base, 10*(6*weightTime+outputTime+lossTime); math.Abs(got-want) > 1e-9 {
		t.Errorf("10 outputs take %g more, want %g", got, want)
	}
	if got := several.of(fine(61, 1)) - plain.of(fine(61, 1)); got <= 10*lossTime {
		t.Errorf("10 outputs of splines take %g more", got)
	}
}

// A number that a row lacks costs its own nodes, and rows that lack many no more than all nodes of all inputs; main effects cost no step.
func TestCostOfGaps(t *testing.T) {
	const batch, orderings = 128, 10
	plain := cost{distinct: slices.Repeat([]int{maxDistinct}, 40), batch: batch}
	s := structure{Components: []component{fine(31, orderings)}}
	for _, c := range []struct {
		gaps gaps
		want float64 // of a row
	}{
		{gaps{}, 0},
		{gaps{rows: 0.5, values: 0.5}, orderings * 0.5 * (lackTime + 31*spreadTime)},
		{gaps{rows: 0.01, values: 0.4}, orderings * 0.01 * 40 * 31 * 31 * weightTime},
	} {
		k := plain
		k.gaps = c.gaps
		if got := (k.step(s) - plain.step(s)) / batch; math.Abs(got-c.want) > 1e-6*c.want {
			t.Errorf("%v takes %g ns a row, want %g", c.gaps, got, c.want)
		}
	}
	with := s
	with.Components = []component{mainEffects(31, 1), s.Components[0]}
	if plain.step(with) != plain.step(s) {
		t.Error("main effects take a part of a step")
	}
	d := ofNames(t, 200, func(int, *rand.Rand) float64 { return 0 })
	d.X[1], d.X[3] = float32(math.NaN()), float32(math.NaN())
	var want gaps
	for j := range d.Len() {
		lacks := 0.0
		for _, v := range d.Row(j) {
			if v != v {
				lacks++
			}
		}
		want.rows, want.values = want.rows+min(lacks, 1)/200, want.values+lacks/200
	}
	if got := d.gapsOf(); math.Abs(got.rows-want.rows) > 1e-12 || math.Abs(got.values-want.values) > 1e-12 || got.values < 0.01 {
		t.Errorf("rows lack %v, want %v", got, want)
	}
}

// Beside categories a step takes what blocks of layers do, or all weights where these are fewer, which is told from what numbers take.
func TestSlownessBesideCategories(t *testing.T) {
	const batch, d = 128, 10
	k := cost{distinct: slices.Repeat([]int{maxDistinct}, d), batch: batch}
	smooths, splines := structure{Components: []component{smooth(5)}}, structure{Components: []component{mainEffects(31, 1), fine(31, 5)}}
	if k.slowness(smooths) != 1 || k.slowness(splines) != 1 {
		t.Error("numbers alone are slow")
	}
	for _, c := range []struct {
		levels int
		layer  float64
	}{{4, layerTime + 4*4*weightTime}, {8, layerTime + 6*6*weightTime}, {100, blockTime}} {
		k.functions = slices.Repeat([]int{0, c.levels}, d/2) // (4 + levels)/2 nodes on average
		want := k.step(smooths) + 5*d*batch*(c.layer-layerTime-4*4*weightTime)
		if got := k.taken(smooths); math.Abs(got-want) > 1e-6*want {
			t.Errorf("beside %d levels a step takes %g, want %g", c.levels, got, want)
		}
		if k.slowness(splines) != 1 {
			t.Error("layers of splines, which are local, are slow")
		}
	}
	// Of a law the levels are counted: what is not are the weights that are moved, those of a row between large categories, and what rows lack
	// where layers are local for the levels' sake.
	for _, c := range []struct {
		levels int
		gaps   float64 // values that a row lacks
		want   float64 // of a row, in an ordering
	}{
		{20, 0, singleTime / batch * (2*(20*20-4*4) + 5*(20*4-4*4))},
		{20, 0.5, singleTime/batch*(2*(20*20-4*4)+5*(20*4-4*4)) + 0.5*(lackTime+4*spreadTime)},
		{4, 0.5, 0},
		{100, 0, singleTime/batch*5*(100*4-4*4) + 2*pairTime},
	} {
		law := k
		law.functions = slices.Repeat([]int{0, c.levels}, d/2)
		law.levels, law.gaps = law.functions, gaps{rows: c.gaps, values: c.gaps}
		want := law.step(smooths) + 5*batch*c.want
		if got := law.taken(smooths); math.Abs(got-want) > 1e-6*want {
			t.Errorf("beside %d levels of a law a step takes %g, want %g", c.levels, got, want)
		}
	}
}

// Where categories make steps slow members take less time, so that the selection and all members keep to the effort's; elsewhere, and of
// rows without end, they have theirs.
func TestMembersKeepInTimeBesideCategories(t *testing.T) {
	d, p, w := prepared(noisy(t, fewRows+10, 1), 1)
	w.pool.Close()
	p.figures, p.choices = efforts[Default].figures, efforts[Default].many
	p.distinct = slices.Repeat([]int{maxDistinct}, 4)
	p.rowTime = 1e9
	for _, c := range []struct {
		levels, numbers, rows int
		effects, within       bool
	}{
		{0, 1, fewRows + 10, false, false}, {6, 1, fewRows + 10, false, false}, {100, 1, fewRows + 10, false, true}, {100, 1, tallRows + 1, false, false},
		{largeCategory, 3, fewRows + 10, true, true}, {largeCategory - 1, 3, fewRows + 10, true, false}, {largeCategory, 3, fewRows + 10, false, false},
	} {
		own := p
		own.rows, own.functions, own.sums = c.rows, make([]int, 4), [][]component{{fine(31, 60)}}
		for i := c.numbers; i < 4; i++ {
			own.functions[i] = c.levels
		}
		if c.numbers == 1 {
			own.sums = [][]component{{smooth(60)}, {coarse}}
		}
		if c.effects {
			own.main = []component{mainEffects(31, 1)}
		}
		own.steps, own.mostTime = 1e9, 20
		after := own.inTime(d)
		var time float64
		for _, s := range after.stages(d) {
			if s.phase == train.PhaseSelection || s.phase == train.PhaseMembers {
				time += s.time
			}
		}
		if within := after.seconds < own.seconds; within != c.within || within != after.hurried || within && math.Abs(time/20e9-1) > 0.1 {
			t.Errorf("%v: members take %g s of %g, and all %g s", c, after.seconds, own.seconds, time/1e9)
		}
	}
}

// The time of a fit counts the trials of amounts by all steps, and the main effects of every member where a large category makes it likely that they are taken.
func TestTimesOfStages(t *testing.T) {
	amounts := ofLaw(t, fewRows+1, likelihood.NewLaw(likelihood.Gamma{Shape: 1}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 { return rng.ExpFloat64() })
	data, p, w := prepared(amounts, 1)
	w.pool.Close()
	p.tries = []float64{0.05, 0.25}
	timeOf := func(p plan, phase train.Phase, round int) (time float64) {
		for _, s := range p.stages(data) {
			if s.phase == phase && s.round == round {
				time += s.time
			}
		}
		return time
	}
	counts := p
	counts.density = false
	if !p.density || !p.mixes() {
		t.Fatal("no mixture of an amount")
	}
	if got, want := timeOf(p, train.PhaseSelection, climbing), 5*timeOf(counts, train.PhaseSelection, climbing); math.Abs(got/want-1) > 1e-6 {
		t.Errorf("trials of amounts by all steps and others take %g s, want %g: two and two of four times the steps", got/1e9, want/1e9)
	}
	p.functions, p.effects = slices.Repeat([]int{largeCategory}, data.Inputs), true
	without := p
	without.effects = false
	want := float64(p.fits()) * effectsTime(data)
	if got := timeOf(p, train.PhaseMembers, 0) - timeOf(without, train.PhaseMembers, 0); math.Abs(got/want-1) > 1e-6 {
		t.Errorf("main effects of members take %g s, want %g", got/1e9, want/1e9)
	}
}

// A step counts the weights that it moves beside large categories: all of a layer to a number, one a row of a layer to another category.
// Nodes are as many as without, and orderings unless their layers between large categories have too many weights.
func TestCostOfMoves(t *testing.T) {
	const batch, mostOfPairs = 128, 4e6
	plain := cost{distinct: []int{maxDistinct, 256}, batch: batch, mostOfPairs: mostOfPairs}
	with := func(functions ...int) cost {
		k := plain
		k.functions = functions
		return k
	}
	s := structure{Components: []component{fine(31, 10)}}
	for _, c := range []struct {
		functions []int
		want      float64 // of all ten layers
	}{
		{[]int{0, 0}, 0},
		{[]int{0, largeCategory - 1}, 0},
		{[]int{0, 256}, 10 * singleTime * (31*256 - 31*31)},
		{[]int{20, 256}, 10 * singleTime * (20*256 - 31*31)}, // so few weights are all moved
		{[]int{200, 256}, 10 * pairTime * batch},
		{[]int{500, 500}, 10 * batch * (0.8*pairTime + 0.2*farTime)}, // caches hold four fifths of these layers
	} {
		if got := with(c.functions...).step(s) - plain.step(s); math.Abs(got-c.want) > 1e-6*c.want {
			t.Errorf("categories of %v levels take %g ns more, want %g", c.functions, got, c.want)
		}
		want := plain.within(fine(61, 40), 1e4)
		if k := with(c.functions...); k.weightsOfPairs(want) > mostOfPairs {
			want.Orderings = max(fewestOrderings, int(mostOfPairs/float64(c.functions[0]*c.functions[1])))
		}
		if got := with(c.functions...).within(fine(61, 40), 1e4); got != want {
			t.Errorf("categories of %v levels leave %v of what is %v without", c.functions, got, want)
		}
	}
	law, without := with(0, 256), plain
	law.levels, without.levels = law.functions, law.functions
	if law.step(s) != without.step(s) {
		t.Error("what is counted of the levels of a law counts twice")
	}
}

// All weights between large categories are moved in every step of Var f, which has as few orderings as that asks for; without such
// layers it has those of any table.
func TestVariancesMoveAllPairs(t *testing.T) {
	const most = 1.5e3
	p := plan{figures: figures{batch: 192, mostOfPairs: 1}, distinct: []int{256, 256, maxDistinct, maxDistinct}}
	plain, usual := p.varianceCost(p.distinct), epistemicComponent(5)
	p.functions = []int{256, 256, 0, 0}
	k := p.varianceCost(p.distinct)
	got := k.within(usual, most)
	if same := plain.within(usual, most); same != usual || got.Orderings >= usual.Orderings || got.Nodes != usual.Nodes {
		t.Errorf("%v between large categories, %v without", got, same)
	}
	s, layers := structure{Components: []component{got}}, float64(got.Orderings)/4*2 // two orders of two of four inputs
	if moves := k.step(s) - plain.step(s); moves < layers*singleTime*(256*256-21*21) {
		t.Errorf("moves of %g layers take %g ns", layers, moves)
	}
	if got.Orderings++; k.step(structure{Components: []component{got}}) <= most*192 {
		t.Errorf("%d orderings would take no longer than they may", got.Orderings)
	}
}

// A number as the target has steps beside several large categories that take no longer than a member may.
func TestLargeCategoriesTakeFewerSteps(t *testing.T) {
	data := fixture(t, 3000)
	for _, input := range []int{1, 2} {
		category, err := basis.NewIndicator(256)
		if err != nil {
			t.Fatal(err)
		}
		data.Bases[input] = category
		for j := range data.Y {
			data.X[j*len(data.Bases)+input] = float32(j * input % 256)
		}
	}
	d := newDataset(data.Rows(), data.Split, data.Bases, nil, likelihood.OrGaussian(nil))
	p, err := Recipe{}.withDefaults().plan(d, false)
	if err != nil {
		t.Fatal(err)
	}
	s := structure{Components: []component{coarse, fine(31, 40)}}
	p.seconds = 3
	steps := p.stepsOf(s)
	if own := float64(steps) * p.memberCost(p.memberBatch).step(s); steps >= p.steps || own > 3e9 {
		t.Errorf("%d steps of %d take %g ns", steps, p.steps, own)
	}
	p.functions = nil
	if more := p.stepsOf(s); more < 2*steps {
		t.Errorf("%d steps beside categories, %d if these took no time", steps, more)
	}
}

func TestPlansOfLawsCountLevels(t *testing.T) {
	for name, c := range map[string]struct {
		law     likelihood.Likelihood
		levels  []int
		outputs int
		effort  Effort
	}{
		"numbers":         {nil, nil, 0, Default},
		"numbers by fast": {nil, []int{0, 0, 40}, 0, Fast},
		"truth values":    {likelihood.NewLaw(likelihood.Bernoulli{}, 0), []int{0, 0, 40}, 1, Default},
		"classes":         {likelihood.Classes{Base: []float64{0, 0, 0}}, []int{0, 0, 40}, 3, Default},
	} {
		data := fixture(t, 300)
		for j := range data.Y {
			data.Y[j] = float32(j % 2)
		}
		category, err := basis.NewIndicator(40)
		if err != nil {
			t.Fatal(err)
		}
		data.Bases[2] = category
		for j := range data.Y {
			data.X[j*len(data.Bases)+2] = float32(j % 40)
		}
		d := newDataset(data.Rows(), data.Split, data.Bases, nil, likelihood.OrGaussian(c.law))
		p, err := Recipe{Effort: c.effort}.withDefaults().plan(d, false)
		if err != nil {
			t.Fatal(err)
		}
		if k := p.memberCost(64); !slices.Equal(k.levels, c.levels) || k.outputs != c.outputs || k.batch != 64 {
			t.Errorf("%s: levels %v and %d outputs", name, k.levels, k.outputs)
		}
		if k := p.sideCost(64); k.levels != nil || k.outputs != 0 {
			t.Errorf("%s: what is learned beside members has levels %v and %d outputs", name, k.levels, k.outputs)
		}
	}
}
