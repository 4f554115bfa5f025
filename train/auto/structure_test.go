package auto

import (
	"math"
	"testing"

	"beziergp/internal/process/basis"
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
