package auto

import (
	"testing"

	"beziergp/internal/process/basis"
)

func TestComponentsKeepToACost(t *testing.T) {
	wide := make([]int, 500)
	for i := range wide {
		wide[i] = maxDistinct
	}
	c := fine(61, 20)
	if got := c.within(1e12, wide); got != c {
		t.Errorf("one that is cheap becomes %+v", got)
	}
	// 6 operations a weight: 20 orderings of 500 layers of 5² weights are 1.5e6, of 6² 2.16e6.
	if got := c.within(2e6, wide); got.Nodes != 5 || got.Orderings != 20 || got.cost(wide) != 1.5e6 {
		t.Errorf("%+v costs %g", got, got.cost(wide))
	}
	if got := c.within(1e3, wide); got.Nodes != fewestNodes || got.Orderings != fewestOrderings {
		t.Errorf("one that cannot be cheap enough becomes %+v", got)
	}
	// An input of two values has no more nodes, and costs accordingly.
	few := []int{2, 2}
	if got := c.within(1e3, few); got.Nodes != 61 || got.cost(few) != 6*20*8 {
		t.Errorf("%+v costs %g", got, got.cost(few))
	}
	// A full component keeps its nodes there, and pays for them.
	if got := full(20); got.cost(few) != 6*20*2*36 {
		t.Errorf("%+v costs %g", got, got.cost(few))
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
