package box

import (
	"testing"

	"beziergp/internal/testkit"
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
