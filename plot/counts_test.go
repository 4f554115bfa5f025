package plot

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// pairsOf returns rows of a heavy tail, some of them twice.
func pairsOf(n int, scale float64) (x, y []float64, inside []bool) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range n {
		if i%10 == 9 {
			x, y = append(x, x[i-5]), append(y, y[i-5])
		} else {
			x, y = append(x, scale*rng.NormFloat64()/rng.Float64()), append(y, scale*rng.NormFloat64())
		}
		inside = append(inside, rng.IntN(10) > 0)
	}
	return x, y, inside
}

// Cells hold the pairs that lie in them, whatever the order of the rows, in a memory that
// does not grow.
func TestCountsAreThoseOfTheCells(t *testing.T) {
	for _, c := range []struct {
		n     int
		scale float64
	}{{1, 1}, {500, 1e-9}, {50_000, 1}, {50_000, 1e12}} {
		x, y, inside := pairsOf(c.n, c.scale)
		var forward, backward counts
		for i := range x {
			forward.add(x[i], y[i], inside[i])
			k := len(x) - 1 - i
			backward.add(x[k], y[k], inside[k])
		}
		if forward.exponent != backward.exponent || !maps.Equal(forward.cells, backward.cells) {
			t.Errorf("%d rows: the order of rows changes the counts", c.n)
		}
		if len(forward.cells) > mostCells {
			t.Errorf("%d rows: %d cells", c.n, len(forward.cells))
		}
		want := map[[2]int64]tally{}
		distinct := map[[2]float64]bool{}
		width := math.Pow(2, float64(forward.exponent))
		for i := range x {
			at := [2]int64{int64(math.Floor(x[i] / width)), int64(math.Floor(y[i] / width))}
			sum := want[at]
			sum.rows++
			if inside[i] {
				sum.inside++
			}
			want[at] = sum
			distinct[[2]float64{x[i], y[i]}] = true
		}
		if !maps.Equal(forward.cells, want) {
			t.Errorf("%d rows: the cells hold other rows", c.n)
		}
		if len(distinct) < mostCells && len(forward.cells) != len(distinct) {
			t.Errorf("%d pairs in %d cells", len(distinct), len(forward.cells))
		}
		if len(distinct) > mostCells && len(forward.cells) < mostCells/4 {
			t.Errorf("no more than %d cells for %d pairs", len(forward.cells), len(distinct))
		}
	}
}

// Numbers of any size, and zero, are counted.
func TestCountsOfExtremes(t *testing.T) {
	var c counts
	values := []float64{0, math.SmallestNonzeroFloat64, -1e-300, 1, -1, 1e200, -endless, endless}
	for _, v := range values {
		c.add(v, -v, true)
	}
	rows := 0
	for _, s := range c.along(0) {
		rows += s.rows
	}
	if rows != len(values) {
		t.Errorf("%d of %d rows", rows, len(values))
	}
	low, high := c.along(0)[0], c.along(0)[len(c.along(0))-1]
	testkit.Close(t, "lowest", c.value(float64(low.index)), -endless, 1e-12, 0)
	testkit.Close(t, "highest", c.value(float64(high.index)), endless, 1e-12, 0)
}

func TestParted(t *testing.T) {
	x, y, inside := pairsOf(1000, 1)
	var c counts
	for i := range x {
		c.add(x[i], y[i], inside[i])
	}
	stripes := c.along(0)
	parts := parted(stripes, 7)
	if len(parts) != 7 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, part := range parts {
		rows := 0
		for _, s := range part {
			rows += s.rows
		}
		if rows < 1000/7-3 || rows > 1000/7+3 {
			t.Errorf("part %d has %d rows", i, rows)
		}
	}
	if got := slices.Concat(parts...); !slices.Equal(got, stripes) {
		t.Error("parts are not the whole")
	}
	same := []stripe{{index: 3, tally: tally{rows: 50}}}
	if parts := parted(same, 5); len(parts) != 1 || len(parts[0]) != 1 {
		t.Errorf("one value in parts %v", parts)
	}
	slices.SortFunc(x, cmp.Compare[float64])
	testkit.Close(t, "median", c.value(float64(quantile(stripes, 0.5))), x[499], 1e-9, 1e-12)
}

// The ends of Wilson's interval are the shares p from which the one seen lies
// 1.96 deviations √(p (1 − p) / n) off.
func TestWilson(t *testing.T) {
	for _, c := range [][2]int{{0, 10}, {1, 10}, {95, 100}, {100, 100}, {5000, 10000}} {
		lower, upper := wilson(c[0], c[1])
		share := float64(c[0]) / float64(c[1])
		for _, p := range []float64{lower, upper} {
			if p > 1e-12 && p < 1-1e-12 {
				testkit.Close(t, "deviations", math.Abs(share-p)/math.Sqrt(p*(1-p)/float64(c[1])), 1.959963984540054, 1e-9, 0)
			}
		}
		if !(lower <= share && share <= upper && lower < upper) {
			t.Errorf("%v: %g to %g", c, lower, upper)
		}
	}
}
