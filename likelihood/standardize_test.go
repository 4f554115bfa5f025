package likelihood

import (
	"math"
	"testing"

	"beziergp/box"
	"beziergp/internal/testkit"
)

func TestStandardize(t *testing.T) {
	y := []float64{1, 2, 3, 6}
	target, err := Standardize(box.Target{Name: "y"}, len(y), Whole(y))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "mean", target.Mean, 3, 1e-15, 0)
	testkit.Close(t, "deviation", target.SD, math.Sqrt(3.5), 1e-15, 0)
	z := make([]float32, 4)
	target.Scale(z, y)
	for i := range y {
		testkit.Close(t, "mapped back", target.Mean+target.SD*float64(z[i]), y[i], 1e-7, 0)
	}
	parts := func(visit func([]float64) error) error {
		if err := visit(y[:1]); err != nil {
			return err
		}
		return visit(y[1:])
	}
	if again, err := Standardize(box.Target{Name: "y"}, len(y), parts); err != nil || again != target {
		t.Errorf("in parts %+v (%v), whole %+v", again, err, target)
	}
	for _, bad := range [][]float64{{2, 2, 2}, {-1.7e308, 1.7e308}, {5e-324, 0}} {
		if _, err := Standardize(box.Target{Name: "y"}, len(bad), Whole(bad)); err == nil {
			t.Errorf("target %v is accepted", bad)
		}
	}
}
