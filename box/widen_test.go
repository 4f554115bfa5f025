package box

import (
	"testing"

	"beziergp/internal/testkit"
	"beziergp/table"
)

func TestWidenLeavesRoomForGapsAndBeyond(t *testing.T) {
	var values []float64
	for i := range 100 {
		values = append(values, float64(i), 200+float64(i))
	}
	in, err := RankInput("x", values)
	if err != nil {
		t.Fatal(err)
	}
	wide := in.Widen()
	if err := wide.Check(); err != nil {
		t.Fatal(err)
	}
	// Of the range, 299, the gap has 101; ranks give it next to nothing.
	gap := float64(wide.Coordinate(200) - wide.Coordinate(99))
	testkit.Close(t, "gap", gap, 0.7*(0.5*101/299+0.5/199), 1e-5, 0)
	testkit.Close(t, "lower face", float64(wide.Coordinate(0)), 0.15, 1e-6, 0)
	testkit.Close(t, "upper face", float64(wide.Coordinate(299)), 0.85, 1e-6, 0)
	testkit.Close(t, "halfway out", float64(wide.Coordinate(299+0.15*299)), 0.925, 1e-5, 0)
	testkit.Close(t, "far out", float64(wide.Coordinate(1e9)), 1, 0, 0)

	constant, _ := RankInput("c", []float64{3, 3})
	if got := constant.Widen(); got.Knots != nil || !got.Constant() {
		t.Errorf("a constant widens to %+v", got)
	}
	linear, _ := FitInput("l", []float64{0, 10})
	testkit.Close(t, "a linear scaling's middle", float64(linear.Widen().Coordinate(5)), 0.5, 1e-6, 0)
	huge, _ := FitInput("h", []float64{-8e307, 8e307})
	if got := huge.Widen(); got.Check() != nil {
		t.Errorf("a range that cannot widen: %v", got.Check())
	}
}

// By hand: of [10, 20] the margins reach to 7 and to 23.
func TestWidenByHand(t *testing.T) {
	linear, _ := FitInput("l", []float64{10, 20})
	ranked, _ := RankInput("r", []float64{10, 12, 20})
	for name, c := range map[string]struct {
		in  Input
		mid float64 // of 12
	}{
		"linear": {linear, 0.15 + 0.7*0.2},
		"ranked": {ranked, 0.15 + 0.7*(0.5*0.2+0.5*0.5)},
	} {
		wide := c.in.Widen()
		for v, want := range map[float64]float64{6: 0, 7: 0, 8.5: 0.075, 10: 0.15, 12: c.mid, 20: 0.85, 21.5: 0.925, 23: 1, 24: 1} {
			testkit.Close(t, name, float64(wide.Coordinate(v)), want, 1e-6, 1e-6)
		}
		if wide.Declared || c.in.Lo != 10 || c.in.Hi != 20 {
			t.Errorf("%s: %+v became %+v", name, c.in, wide)
		}
	}
	levels := Input{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}}
	if wide := levels.Widen(); wide.Check() != nil || wide.Knots != nil || wide.Hi != 0 {
		t.Errorf("a category widens to %+v", wide)
	}
}
