package likelihood

import (
	"errors"
	"math"
	"reflect"
	"strings"
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
	if again, err := Standardize(box.Target{Name: "y"}, len(y), parts); err != nil || !reflect.DeepEqual(again, target) {
		t.Errorf("in parts %+v (%v), whole %+v", again, err, target)
	}
	for _, bad := range [][]float64{{2, 2, 2}, {-1.7e308, 1.7e308}, {5e-324, 0}} {
		if _, err := Standardize(box.Target{Name: "y"}, len(bad), Whole(bad)); err == nil {
			t.Errorf("target %v is accepted", bad)
		}
	}
}

// Digits of a deviation are not lost where the mean is large beside it.
func TestStandardizeFarFromZero(t *testing.T) {
	y := []float64{1e12 + 1, 1e12 + 2, 1e12 + 6} // the mean is not exact
	target, err := Standardize(box.Target{Name: "y"}, len(y), Whole(y))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "deviation", target.SD, math.Sqrt(14./3), 1e-6, 0)
}

// What is wrong with a target is said of its value, and of the row among all.
func TestStandardizeSaysWhatIsWrong(t *testing.T) {
	parts := func(visit func([]float64) error) error {
		if err := visit([]float64{2, 0}); err != nil {
			return err
		}
		return visit([]float64{1, -2})
	}
	var none *box.TransformError
	if _, err := Standardize(box.Target{Name: "y", Transform: box.Log1p}, 4, parts); !errors.As(err, &none) || none.Row != 4 || none.Value != -2 {
		t.Errorf("error %v", err)
	}
	constant := []float64{2, 2, 2}
	if _, err := Standardize(box.Target{Name: "y"}, 3, Whole(constant)); err == nil || !strings.Contains(err.Error(), `target "y" is 2 in every training row`) {
		t.Errorf("error %v", err)
	}
}
