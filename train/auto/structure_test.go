package auto

import (
	"math"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/likelihood"
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

func TestPlansOfLawsCountLevels(t *testing.T) {
	for name, c := range map[string]struct {
		law     likelihood.Likelihood
		levels  []int
		outputs int
	}{"numbers": {nil, nil, 0}, "truth values": {likelihood.NewLaw(likelihood.Bernoulli{}, 0), []int{0, 0, 40}, 1}, "classes": {likelihood.Classes{Base: []float64{0, 0, 0}}, []int{0, 0, 40}, 3}} {
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
		p, err := Recipe{}.withDefaults().plan(d, false)
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
