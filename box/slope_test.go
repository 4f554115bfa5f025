package box

import (
	"math"
	"testing"

	"beziergp/table"
)

func TestSlope(t *testing.T) {
	ranked := Input{Name: "a", Lo: 0, Hi: 4, Knots: []float64{0, 1, 4}, Ranks: []float64{0, 0.4, 1}}
	hour := Input{Name: "t.hour", Column: "t", Kind: table.DateTime, Part: Hour, Lo: 2, Hi: 22}
	time := Input{Name: "t.time", Column: "t", Kind: table.DateTime, Part: Time, Lo: 10, Hi: 30}
	for _, c := range []struct {
		in      Input
		v, want float64
	}{
		{Input{Name: "x", Lo: 2, Hi: 10}, 3, 0.125}, {Input{Name: "x", Lo: 2, Hi: 10}, 2, 0.125}, {Input{Name: "x", Lo: 2, Hi: 10}, 10, 0.125},
		{Input{Name: "x", Lo: 2, Hi: 10}, 1, 0}, {Input{Name: "x", Lo: 2, Hi: 10}, 11, 0}, {Input{Name: "x", Lo: 2, Hi: 2}, 2, 0},
		{ranked, 0.5, 0.4}, {ranked, 1, 0.2}, {ranked, 4, 0.2}, {ranked, 0, 0.4},
		{hour, 3 * 3600, 24. / 20}, {hour, 3600, 0}, {time, 15 * 86400, 1. / 20},
		{Input{Name: "t.weekday", Column: "t", Kind: table.DateTime, Part: Weekday, Lo: 1, Hi: 7}, 86400, 0},
	} {
		if got := c.in.Slope(c.v); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s at %g: %g, want %g", c.in.Name, c.v, got, c.want)
		}
	}
	category := Input{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}}
	if v := category.Slope(1); !math.IsNaN(v) {
		t.Errorf("a category has %g", v)
	}
	if v := ranked.Slope(math.NaN()); !math.IsNaN(v) {
		t.Errorf("a missing value has %g", v)
	}
}
