package box

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// By hand: of 2, 5, 5, 5, 9 the mid-ranks are 1, 3, 5, and so 0, ½, 1.
func TestRankInputByHand(t *testing.T) {
	in, err := RankInput("x", []float64{5, 2, 5, 9, 5})
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range map[float64]float32{2: 0, 5: 0.5, 9: 1, 3.5: 0.25, 7: 0.75} {
		if got, inside := in.coordinate(v); got != want || !inside {
			t.Errorf("%g goes to %g, %v; want %g", v, got, inside, want)
		}
	}
	for v, want := range map[float64]float32{1.9: 0, 9.1: 1} {
		if got, inside := in.coordinate(v); got != want || inside {
			t.Errorf("%g goes to %g, inside %v; want %g", v, got, inside, want)
		}
	}
}

// With many rows or few, coordinates of the training rows are their ranks up to
// the room between two knots; the scaling ascends, and Value takes it back.
func TestRankInputSpreadsRowsEvenly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{2, 100, MaxKnots, MaxKnots + 1, 20000} {
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Exp(3 * rng.NormFloat64()) // skewed: the mean is beyond 99 % of the rows
		}
		in, err := RankInput("x", values)
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Check(); err != nil || len(in.Knots) > MaxKnots || len(in.Knots) < min(n, MaxKnots*9/10) {
			t.Fatalf("%d rows: %d knots, %v", n, len(in.Knots), err)
		}
		for _, v := range values {
			below := 0
			for _, other := range values {
				if other < v {
					below++
				}
			}
			got, inside := in.coordinate(v)
			testkit.Close(t, "coordinate", float64(got), float64(below)/float64(n-1), 0, 2.5/MaxKnots)
			if n <= MaxKnots {
				testkit.Close(t, "exact coordinate", float64(got), float64(below)/float64(n-1), 1e-6, 1e-7)
			}
			if !inside {
				t.Errorf("training value %g lies outside", v)
			}
			if n == 20000 && rng.IntN(100) > 0 {
				continue
			}
			// A wrong digit of the coordinate moves the value along a knot's interval.
			back, _ := in.coordinate(in.Value(float64(got)))
			testkit.Close(t, "there and back", float64(back), float64(got), 1e-6, 1e-7)
		}
		last := float32(-1)
		for i := range 1000 {
			got, _ := in.coordinate(in.Lo * math.Pow(in.Hi/in.Lo, float64(i)/999.5))
			if got < last {
				t.Fatalf("%d rows: the scaling falls from %g to %g", n, last, got)
			}
			last = got
		}
	}
}

func TestRankInputOfAConstantAndOfTies(t *testing.T) {
	in, err := RankInput("x", []float64{3, 3, 3})
	if err != nil || !in.Constant() || in.Knots != nil {
		t.Errorf("a constant column: %+v, %v", in, err)
	}
	// Nine tenths of the rows are zero; their common mid-rank is the lower face.
	values := make([]float64, 1000)
	for i := range 100 {
		values[i] = float64(i + 1)
	}
	if in, err = RankInput("x", values); err != nil {
		t.Fatal(err)
	}
	if v, _ := in.coordinate(0); v != 0 {
		t.Errorf("the tie goes to %g", v)
	}
	// 450 is the mean rank of the ties, counted from ½, and 999.5 that of the last.
	one, _ := in.coordinate(1)
	testkit.Close(t, "the first beyond the tie", float64(one), (900.5-450)/(999.5-450), 1e-6, 0)
}

func TestKnotsAreChecked(t *testing.T) {
	in, err := RankInput("x", []float64{0.1, 0.7, 12, 0.3})
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Input){
		"fewer ranks":     func(in *Input) { in.Ranks = in.Ranks[:3] },
		"ranks alone":     func(in *Input) { in.Knots = nil },
		"a falling rank":  func(in *Input) { in.Ranks = []float64{0, 0.6, 0.5, 1} },
		"equal knots":     func(in *Input) { in.Knots = []float64{0.1, 0.3, 0.3, 12} },
		"equal ranks":     func(in *Input) { in.Ranks = []float64{0, 0.5, 0.5, 1} },
		"a rank of NaN":   func(in *Input) { in.Ranks = []float64{0, math.NaN(), 0.5, 1} },
		"another bound":   func(in *Input) { in.Hi = 13 },
		"ranks beyond it": func(in *Input) { in.Ranks = []float64{0, 0.2, 0.5, 2} },
	} {
		bad := in
		spoil(&bad)
		if bad.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// As many values as there may be knots are all kept, however unevenly ranks fall on them.
func TestMostKnotsAreKept(t *testing.T) {
	var values []float64
	for i := range MaxKnots {
		values = append(values, float64(i))
	}
	for range 1000 { // so that all other ranks are small
		values = append(values, MaxKnots-1)
	}
	in, err := RankInput("x", values)
	if err != nil || len(in.Knots) != MaxKnots {
		t.Fatalf("%d knots, %v", len(in.Knots), err)
	}
	wide := in.Widen()
	if len(wide.Knots) != MaxKnots+2 || wide.Check() != nil {
		t.Errorf("widened to %d knots, %v", len(wide.Knots), wide.Check())
	}
	last := len(wide.Knots) - 1
	wide.Knots, wide.Ranks = append(wide.Knots, wide.Hi+1), append(wide.Ranks, 1)
	wide.Hi, wide.Ranks[last] = wide.Hi+1, 0.99
	if wide.Check() == nil {
		t.Errorf("%d knots are accepted", len(wide.Knots))
	}
}

// A tail that is long is as far from the others as one that is just not long; all else is linear.
func TestShortTailed(t *testing.T) {
	row := make([]float64, 2001)
	for i := range row {
		row[i] = float64(i)
	}
	with := func(more ...float64) Input {
		in, err := RankInput("x", append(slices.Clone(row), more...))
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	for name, c := range map[string]struct {
		in           Input
		below, above bool // whether the tail is long
	}{
		"even":         {with(), false, false},
		"a little far": {with(2300, -300), false, false},
		"far above":    {with(90000), false, true},
		"far below":    {with(-90000), true, false},
		"both":         {with(90000, -1e6), true, true},
	} {
		in := c.in.ShortTailed()
		if err := in.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if (in.Knots == nil) != (!c.below && !c.above) || in.Lo != c.in.Lo || in.Hi != c.in.Hi {
			t.Errorf("%s: %+v", name, in)
		}
		unit := in.Coordinate(1001) - in.Coordinate(1000)
		for _, v := range []float64{100, 500, 1500, 1900} { // what lies between the tails is linear
			if got := in.Coordinate(v) - in.Coordinate(1000); math.Abs(float64(got-float32(v-1000)*unit)) > 1e-3 {
				t.Errorf("%s: from 1000 to %g it is %g, want %g", name, v, got, float32(v-1000)*unit)
			}
		}
		from, to := c.in.tails()
		middle := (to - from) * float64(unit)
		if above := float64(1 - in.Coordinate(to)); c.above != (math.Abs(above/middle-longTail) < 0.01) {
			t.Errorf("%s: the tail above has %g of the range of the others", name, above/middle)
		}
		if below := float64(in.Coordinate(from)); c.below != (math.Abs(below/middle-longTail) < 0.01) {
			t.Errorf("%s: the tail below has %g of the range of the others", name, below/middle)
		}
	}
	for _, values := range []int{fewValues, fewValues + 1} { // of which most rows have the first, and the last is far
		rows := make([]float64, 2000)
		for i := range values - 1 {
			rows[i] = float64(i)
		}
		rows[values] = 1e4
		in, err := RankInput("x", rows)
		if err != nil || len(in.Knots) != values {
			t.Fatalf("%d knots of %d values, %v", len(in.Knots), values, err)
		}
		if short := in.ShortTailed(); (short.Knots != nil) != (values > fewValues) {
			t.Errorf("of %d values knots are %v", values, short.Knots)
		}
	}
	plain := Input{Name: "x", Hi: 7}
	if in := plain.ShortTailed(); in.Knots != nil || in.Hi != 7 {
		t.Errorf("not by ranks: %+v", in)
	}
}
