package report

import (
	"strings"
	"testing"

	"beziergp/bench/record"
)

func TestHeadlinesSayWhereOursIsFirstAndWhereNot(t *testing.T) {
	var records []record.Record
	add := func(set, method, version string, seconds float64, rmse ...float64) {
		for split, v := range rmse {
			records = append(records, record.Record{Suite: "uci", Set: set, Method: method, Split: split, RMSE: &v, FitSeconds: seconds, Version: version})
		}
	}
	add("energy", "BezierGP auto", "beziergp v1", 9, 1, 1, 1, 1)
	add("power", "BezierGP auto", "beziergp v1", 30, 4, 4)
	add("energy", "BezierGP auto fast", "beziergp v1", 1, 0.5, 0.5, 0.5, 0.5) // not of others
	add("energy", "lucky", "torch 2", 5, 0.1)                                 // of too few splits
	add("energy", "rival", "torch 2", 5, 2, 2, 2, 2)
	add("power", "rival", "torch 2", 5, 3, 3.4)
	add("power", "other", "torch 2", 5, 3.9, 3.9)
	add("protein", "BezierGP auto", "beziergp v1", 20, 4, 4, 4)
	add("protein", "rival", "torch 2", 5, 3) // no other has more
	var page strings.Builder
	headlines(&page, "BezierGP auto", []*grid{newGrid("uci", aggregate(records))})
	if want := "- **uci**: first in RMSE on 1 of 3, behind on power −25 ± 6.2 % (rival), protein −33.3 % (rival); a fit takes 9 to 30 s.\n"; !strings.HasSuffix(page.String(), want) {
		t.Errorf("%s, want %s", page.String(), want)
	}
}
