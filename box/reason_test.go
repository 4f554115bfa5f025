package box

import (
	"math"
	"testing"

	"beziergp/table"
)

// A value lies in the box where Map says so, and otherwise there is a reason.
func TestReasons(t *testing.T) {
	inputs := []Input{
		{Name: "n", Lo: 1, Hi: 2}, {Name: "gap", Lo: 1, Hi: 2, Missing: true}, {Name: "one", Lo: 3, Hi: 3},
		{Name: "hour", Column: "when", Kind: table.DateTime, Part: Hour, Lo: 6, Hi: 18},
		{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}},
		{Name: "rare", Kind: table.Category, Levels: []string{"a"}, Pooled: Pool("rare", []string{"a"}, []string{"x", "y"})},
	}
	nan := math.NaN()
	for name, want := range map[string]map[float64]Reason{
		"n": {1: Inside, 2: Inside, 0.9: Beyond, 2.1: Beyond}, "gap": {3: Beyond}, "one": {3: Inside, 4: Beyond},
		"hour": {7 * 3600: Inside, 5 * 3600: Beyond}, "c": {1: Inside, 2: NewLevel}, "rare": {1: Inside, 2: NewLevel},
	} {
		for _, in := range inputs {
			if in.Name != name {
				continue
			}
			for v, reason := range want {
				if got := in.Reason(v); got != reason {
					t.Errorf("%s, %v: %q, want %q", name, v, got, reason)
				}
			}
			missing := NewGap
			if in.Missing {
				missing = Inside
			}
			if got := in.Reason(nan); got != missing {
				t.Errorf("%s, missing: %q", name, got)
			}
			b, inside := New([]Input{in}), make([]bool, 1)
			for v, reason := range want {
				if err := b.Map(make([]float32, 1), [][]float64{{v}}, Clip, inside, make([]int, 1)); err != nil || inside[0] != (reason == Inside) {
					t.Errorf("%s, %v: inside %v, error %v", name, v, inside, err)
				}
			}
		}
	}
}
