package box

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/internal/testkit"
)

func TestMapClipsAndFlags(t *testing.T) {
	a, err := FitInput("a", []float64{10, 30, 20})
	if err != nil {
		t.Fatal(err)
	}
	constant, err := FitInput("c", []float64{7, 7})
	if err != nil {
		t.Fatal(err)
	}
	if a.Constant() || !constant.Constant() {
		t.Errorf("constant: %v %v", a.Constant(), constant.Constant())
	}
	b := New([]Input{a, constant})
	columns := [][]float64{{10, 30, 25, 9, 31, 20}, {7, 7, 7, 7, 8, 6}}
	for _, policy := range []Policy{Clip, Flag} {
		dst, inside, outside := make([]float32, 12), make([]bool, 6), make([]int, 2)
		if err := b.Map(dst, columns, policy, inside, outside); err != nil {
			t.Fatal(err)
		}
		for row, want := range []float32{0, 1, 0.75, 0, 1, 0.5} {
			if dst[2*row] != want || dst[2*row+1] != 0 {
				t.Errorf("row %d goes to %v, want %g and 0", row, dst[2*row:2*row+2], want)
			}
		}
		for row, want := range []bool{true, true, true, false, false, false} {
			if inside[row] != want {
				t.Errorf("row %d inside: %v", row, inside[row])
			}
		}
		if outside[0] != 2 || outside[1] != 2 {
			t.Errorf("outside %v", outside)
		}
	}
	err = b.Map(make([]float32, 12), columns, Refuse, make([]bool, 6), make([]int, 2))
	var outside *OutsideError
	if !errors.As(err, &outside) || outside.Row != 4 || outside.Input.Name != "a" || outside.Value != 9 {
		t.Errorf("error %v", err)
	}
	for _, bad := range []float64{math.Inf(1), math.Inf(-1)} {
		err := b.Map(make([]float32, 2), [][]float64{{bad}, {7}}, Clip, make([]bool, 1), make([]int, 2))
		var value *ValueError
		if !errors.As(err, &value) || value.Row != 1 || value.Column != "a" {
			t.Errorf("%g: error %v", bad, err)
		}
	}
}

// The faces of the box go to exactly 0 and 1, whatever the units.
func TestFacesAreExact(t *testing.T) {
	for _, c := range [][]float64{{0.1, 0.7}, {-1e300, 1e300}, {1e-320, 3e-320}, {1e9, 1e9 + 1e-6}, {-0.3, -0.1}} {
		in, err := FitInput("x", c)
		if err != nil {
			t.Fatal(err)
		}
		lo, inLo := in.coordinate(c[0])
		hi, inHi := in.coordinate(c[1])
		if lo != 0 || hi != 1 || !inLo || !inHi {
			t.Errorf("%v: faces go to %g and %g", c, lo, hi)
		}
	}
	if _, err := FitInput("x", []float64{-1.7e308, 1.7e308}); err == nil {
		t.Error("a range that overflows is accepted")
	}
}

func TestDeclaredBounds(t *testing.T) {
	in, err := DeclareInput("x", Bounds{0, 10}, []float64{2, 5})
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := in.coordinate(5); v != 0.5 || !ok || !in.Declared {
		t.Errorf("5 of [0, 10] goes to %g, %v", v, ok)
	}
	if _, err := DeclareInput("x", Bounds{0, 10}, []float64{2, 11}); err == nil || !strings.Contains(err.Error(), `row 2, column "x": 11`) {
		t.Errorf("error %v", err)
	}
	for _, b := range []Bounds{{1, 0}, {math.NaN(), 1}, {0, math.Inf(1)}} {
		if _, err := DeclareInput("x", b, nil); err == nil {
			t.Errorf("bounds %v are accepted", b)
		}
	}
}

func TestTargetScales(t *testing.T) {
	y, z := []float64{1, 2, 6}, make([]float32, 3)
	Target{Name: "y", Mean: 3, SD: 2}.Scale(z, y)
	if want := []float32{-1, -0.5, 1.5}; !slices.Equal(z, want) {
		t.Errorf("scaled %v, want %v", z, want)
	}
	Target{Name: "y", Mean: 1, SD: 2, Transform: Log1p}.Scale(z, []float64{0, math.E - 1, math.Exp(5) - 1})
	for i, want := range []float64{-0.5, 0, 2} {
		testkit.Close(t, "log1p", float64(z[i]), want, 1e-6, 1e-6)
	}
}

// A missing value stays one; where no training row had one its row is outside.
func TestMissingValues(t *testing.T) {
	nan := math.NaN()
	some, err := FitInput("some", []float64{1, nan, 3})
	if err != nil {
		t.Fatal(err)
	}
	none, err := FitInput("none", []float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	b := New([]Input{some, none})
	dst, inside, outside := make([]float32, 4), make([]bool, 2), make([]int, 2)
	columns := [][]float64{{nan, 3}, {2, nan}}
	if err := b.Map(dst, columns, Clip, inside, outside); err != nil {
		t.Fatal(err)
	}
	if !(dst[0] != dst[0]) || dst[1] != 0.5 || dst[2] != 1 || !(dst[3] != dst[3]) {
		t.Errorf("coordinates %v", dst)
	}
	if !inside[0] || inside[1] || outside[0] != 0 || outside[1] != 1 {
		t.Errorf("inside %v, outside %v", inside, outside)
	}
	if err := b.Map(dst, columns, Refuse, inside, outside); err == nil || !strings.Contains(err.Error(), `row 2, column "none": the value is missing`) {
		t.Errorf("error %v", err)
	}
	var empty *EmptyError
	if _, err := FitInput("void", []float64{nan}); !errors.As(err, &empty) {
		t.Errorf("error %v", err)
	}
}
