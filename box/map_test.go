package box

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// skewed returns an input by the ranks of a skewed column, and values within its bounds.
func skewed(t testing.TB, n int) (Input, []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 3))
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Exp(3 * rng.NormFloat64())
	}
	in, err := RankInput("x", values)
	if err != nil {
		t.Fatal(err)
	}
	return in, values
}

// The search is that of the standard library, for any number of knots: at knots, next to
// them and between them.
func TestInterpolateSearchesAsTheLibraryDoes(t *testing.T) {
	for n := 2; n <= 70; n++ {
		from, to := make([]float64, n), make([]float64, n)
		for i := range from {
			from[i], to[i] = float64(i*i), math.Sqrt(float64(i))
		}
		for _, v := range from[:n-1] {
			for _, v := range []float64{v, math.Nextafter(v, math.Inf(1)), v + 0.3, v + 0.999} {
				i, found := slices.BinarySearch(from, v)
				want := to[i]
				if !found {
					want = between(v, from[i-1], from[i], to[i-1], to[i])
				}
				if got := interpolate(v, from, to); got != want {
					t.Errorf("%d knots: %g goes to %g, want %g", n, v, got, want)
				}
			}
		}
		if got := interpolate(from[n-1], from, to); got != to[n-1] {
			t.Errorf("%d knots: the last goes to %g, want %g", n, got, to[n-1])
		}
	}
}

// Rows are mapped as they are alone, however many there are, and values outside are counted.
func TestMapOfManyRows(t *testing.T) {
	in, values := skewed(t, 3*mappedRows+5)
	other := Input{Name: "y", Lo: 0, Hi: 1}
	box := New([]Input{in, other})
	columns := [][]float64{values, make([]float64, len(values))}
	want := 0
	for row := range values {
		columns[1][row] = float64(row%7) / 5
		if row%7 == 6 {
			want++
		}
	}
	dst, inside, outside := make([]float32, 2*len(values)), make([]bool, len(values)), make([]int, 2)
	if err := box.Map(dst, columns, Clip, inside, outside); err != nil {
		t.Fatal(err)
	}
	if outside[0] != 0 || outside[1] != want {
		t.Errorf("outside: %v, want 0 and %d", outside, want)
	}
	for row, v := range values {
		x, _ := in.coordinate(v)
		y, ok := other.coordinate(columns[1][row])
		if dst[2*row] != x || dst[2*row+1] != y || inside[row] != ok {
			t.Fatalf("row %d is %v, inside %v; want %g, %g, %v", row, dst[2*row:2*row+2], inside[row], x, y, ok)
		}
	}
}

// What lies in the box is mapped alike whatever becomes of what does not; whole blocks of rows
// have none behind them.
func TestMapOfInnerRowsIsThatOfEveryPolicy(t *testing.T) {
	box := New([]Input{{Name: "x", Lo: 0, Hi: 1}, {Name: "y", Lo: 0, Hi: mappedRows}})
	columns := [][]float64{make([]float64, mappedRows), make([]float64, mappedRows)}
	var want []float32
	for row := range mappedRows {
		columns[0][row], columns[1][row] = 0.25, float64(row)
		want = append(want, 0.25, float32(row)/mappedRows)
	}
	for _, policy := range []Policy{Clip, Refuse, Flag} {
		got, inside, outside := make([]float32, len(want)), make([]bool, mappedRows), make([]int, 2)
		if err := box.Map(got, columns, policy, inside, outside); err != nil {
			t.Fatalf("%s: %v", policy, err)
		}
		if !slices.Equal(got, want) || slices.Contains(inside, false) || outside[0]+outside[1] > 0 {
			t.Errorf("%s: %v, outside %v", policy, got, outside)
		}
	}
}

// Of several errors that is told which comes first by column and then by row, in whichever
// block of rows.
func TestMapTellsTheFirstErrorByColumn(t *testing.T) {
	const n = 3 * mappedRows
	box := New([]Input{{Name: "x", Lo: 0, Hi: 1}, {Name: "y", Lo: 0, Hi: 1}})
	for _, c := range []struct {
		policy Policy
		value  float64
		row    int
	}{{Refuse, 2, 2 * mappedRows}, {Refuse, math.Inf(1), 2*mappedRows + 1}, {Clip, math.Inf(-1), n - 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			columns := [][]float64{make([]float64, n), make([]float64, n)}
			columns[0][c.row], columns[1][3] = c.value, math.Inf(1)
			err := box.Map(make([]float32, 2*n), columns, c.policy, make([]bool, n), make([]int, 2))
			var at RowError
			if !errors.As(err, &at) || at.At().Row != c.row+1 || at.At().Column != "x" {
				t.Errorf("%v, want row %d of x", err, c.row+1)
			}
		})
	}
}

func BenchmarkMap(b *testing.B) {
	in, values := skewed(b, 8192)
	for _, d := range []int{4, 64} {
		b.Run(fmt.Sprintf("%d inputs", d), func(b *testing.B) {
			box := New(slices.Repeat([]Input{in}, d))
			columns := make([][]float64, d)
			for i := range columns { // other orders, or else branches are foretold
				columns[i] = append(slices.Clone(values[97*i:]), values[:97*i]...)
			}
			dst, inside, outside := make([]float32, d*len(values)), make([]bool, len(values)), make([]int, d)
			for b.Loop() {
				if err := box.Map(dst, columns, Clip, inside, outside); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*d*len(values)), "ns/value")
		})
	}
}
