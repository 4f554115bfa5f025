package fit

import (
	"testing"

	"beziergp"
	"beziergp/box"
	"beziergp/train"
)

// An interrupted run says which files it has not written.
func TestAnInterruptedRunTellsWhatItHasNotWritten(t *testing.T) {
	w := &watch{curve: newCurve("c.svg", box.Target{Name: "y", SD: 1})}
	for _, c := range []struct {
		o    Options
		w    *watch
		want string
	}{
		{Options{}, &watch{}, ""},
		{Options{OutOfFold: "o.csv"}, &watch{}, ", and nothing is in o.csv"},
		{Options{}, w, ", and nothing is in c.svg"},
		{Options{OutOfFold: "o.csv"}, w, ", and nothing is in o.csv and c.svg"},
	} {
		if got := c.o.unwritten(c.w); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	w.curve.add(beziergp.Event{Phase: train.PhaseSelection, Fit: train.Fit{Number: 1, HeldOut: 1}})
	if got := (&Options{}).unwritten(w); got != "" {
		t.Errorf("a curve that is drawn: %q", got)
	}
}
