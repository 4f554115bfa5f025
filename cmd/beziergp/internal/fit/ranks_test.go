package fit

import (
	"strings"
	"testing"

	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/comm"
)

// pair is two ranks.
type pair struct{ comm.Comm }

func (pair) Size() int { return 2 }

// Another method than bezier is refused by its own name, not by that of a recipe that it has not.
func TestSeveralRanksOfAnotherMethod(t *testing.T) {
	o := Options{Method: "linear", Recipe: recipeAuto}
	err := o.checkRanks(streams.Streams{Ranks: pair{}}, "t.csv")
	if want := "the method linear has work for one rank, and there are 2"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
