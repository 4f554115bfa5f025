package neighbour

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/box"
)

// table is rows of a category, a number of few values and one of many, with a target.
type rowsOf struct {
	n       int
	x       []float32
	target  Target
	columns []Column
	places  Places
}

const inputs = 3

func sample(n int, seed uint64) rowsOf {
	r, rng := rowsOf{n: n}, rand.New(rand.NewPCG(seed, 1))
	for range n {
		r.x = append(r.x, float32(rng.IntN(4)), float32(rng.IntN(7))/6, rng.Float32())
		r.target.Y = append(r.target.Y, float32(rng.NormFloat64()))
		r.target.Weights = append(r.target.Weights, 0.5+rng.Float32())
	}
	for i, levels := range []int{4, 0, 0} {
		own := make([]float32, n)
		for j := range own {
			own[j] = r.x[j*inputs+i]
		}
		r.columns = append(r.columns, NewColumn(i, own, levels))
	}
	r.places = PlacesOf(r.columns, r.x, inputs)
	return r
}

func (r rowsOf) row(j int) []float32 { return r.x[j*inputs : (j+1)*inputs] }

func (r rowsOf) sorted(by ...int) *Rows {
	numbers := make([]int, r.n)
	for j := range numbers {
		numbers[j] = j
	}
	return Sort(r.columns, r.places, by, numbers)
}

func order(columns []Column, by ...int) (o Order) {
	for _, i := range by {
		o = append(o, columns[i])
	}
	return o
}

// Positions ascend as rows do that are compared column by column, and rows are sorted by them.
func TestPositionsAreLexicographic(t *testing.T) {
	r := sample(500, 1)
	by := []int{1, 0, 2}
	o, last := order(r.columns, by...), -1.0
	for i, j := range r.sorted(by...).number {
		p := o.Position(r.row(int(j)))
		if p < last {
			t.Fatalf("row %d of the order goes back from %g to %g", i, last, p)
		}
		last = p
	}
	for j := range r.n - 1 {
		a, b := r.row(j), r.row(j+1)
		want := 0
		for _, i := range by[:2] {
			want = cmp.Or(want, cmp.Compare(a[i], b[i]))
		}
		if got := cmp.Compare(o[:2].Position(a), o[:2].Position(b)); got != want {
			t.Fatalf("%v and %v compare as %d, want %d", a, b, got, want)
		}
	}
	if p := o.Position([]float32{0, float32(math.NaN()), 0}); p == p {
		t.Errorf("a row without a coordinate is at %g", p)
	}
	// A value between two lies between all rows of these.
	between := o.Position([]float32{3, 0.5 / 6, 0.9})
	if lo, hi := o.Position([]float32{3, 0, 0.9}), o.Position([]float32{0, 1. / 6, 0}); !(lo < between && between < hi) {
		t.Errorf("a value between two is at %g, which are at %g and %g", between, lo, hi)
	}
}

// A target that is the position is told exactly but at the ends: means and places of knots
// belong together, with the row's own left out of both.
func TestALineIsToldExactly(t *testing.T) {
	r := sample(400, 2)
	s := r.sorted(0, 1)
	for i, j := range s.number {
		r.target.Y[j] = float32(s.position[i])
	}
	values := make([]float64, r.n)
	lacks := func(j int32) bool { return j%5 == 0 }
	s.Values(values, r.target, FewestRows, lacks)
	table := s.Table(r.target, FewestRows, lacks)
	first, last := table.At[0], table.At[len(table.At)-1]
	for i, j := range s.number {
		if p := s.position[i]; p > first && p < last && math.Abs(values[j]-p) > 1e-5 {
			t.Errorf("row %d at %g is told %g", j, p, values[j])
		}
	}
}

// What a row is told does not depend on its own target, nor on those of rows that have no part;
// it does on others.
func TestNoRowKnowsItsOwnTarget(t *testing.T) {
	r := sample(300, 3)
	lacks := func(j int32) bool { return j%7 == 0 }
	tell := func(by ...int) []float64 {
		values := make([]float64, r.n)
		r.sorted(by...).Values(values, r.target, FewestRows, lacks)
		return values
	}
	for _, by := range [][]int{{0}, {1, 0}, {2}, {0, 2}} {
		before := tell(by...)
		for _, j := range []int{0, 1, 14, 150, 299} {
			was := r.target.Y[j]
			r.target.Y[j] += 10
			moved := 0
			for i, v := range tell(by...) {
				switch {
				case i == j && math.Abs(v-before[i]) > 1e-6:
					t.Errorf("order %v: row %d is told %g for %g after its own target changed", by, j, v, before[i])
				case v != before[i]:
					moved++
				}
			}
			if lacks(int32(j)) != (moved == 0) {
				t.Errorf("order %v: the target of row %d moves %d others", by, j, moved)
			}
			r.target.Y[j] = was
		}
	}
}

// Rows that have no part are told what a new row is told by the table.
func TestATableTellsWhatRowsHeldOutAreTold(t *testing.T) {
	r := sample(600, 4)
	lacks := func(j int32) bool { return j%3 == 0 }
	s := r.sorted(1, 2)
	values := make([]float64, r.n)
	s.Values(values, r.target, 8, lacks)
	table := s.Table(r.target, 8, lacks)
	table.Input = box.Input{Name: "neighbours", Lo: -1, Hi: 1}
	if err := table.Check(inputs); err != nil {
		t.Fatal(err)
	}
	for j := 0; j < r.n; j += 3 {
		if got := table.Value(r.row(j)); got != values[j] {
			t.Errorf("row %d is told %g by the table and %g out of it", j, got, values[j])
		}
	}
}

// A knot has so many rows at least, all rows at one position are in one, and means are those
// of the rows, found the long way.
func TestKnotsAreMeansOfSeveralRows(t *testing.T) {
	r := sample(257, 5)
	for _, by := range [][]int{{0}, {0, 1}, {2}} {
		for _, least := range []int{4, 9} {
			s := r.sorted(by...)
			k := s.knots(r.target, least, nil)
			at, mean := k.means()
			rows := make([][]int, len(mean))
			knotOf := map[float64]int32{}
			for i, j := range s.number {
				rows[k.of[i]] = append(rows[k.of[i]], int(j))
				if of, ok := knotOf[s.position[i]]; ok && of != k.of[i] {
					t.Errorf("order %v: position %g is in knots %d and %d", by, s.position[i], of, k.of[i])
				}
				knotOf[s.position[i]] = k.of[i]
			}
			o, all := order(r.columns, by...), 0
			for i, own := range rows {
				var w, p, y float64
				for _, j := range own {
					v := float64(r.target.Weights[j])
					w, p, y = w+v, p+v*o.Position(r.row(j)), y+v*float64(r.target.Y[j])
				}
				if all += len(own); len(own) < least {
					t.Errorf("order %v: knot %d has %d rows", by, i, len(own))
				}
				if math.Abs(mean[i]-y/w) > 1e-9 || math.Abs(at[i]-p/w) > 1e-9*(1+at[i]) {
					t.Errorf("order %v: knot %d has %g at %g, its rows %g at %g", by, i, mean[i], at[i], y/w, p/w)
				}
			}
			if all != r.n {
				t.Errorf("order %v: knots have %d rows of %d", by, all, r.n)
			}
		}
	}
}

func TestMissingCoordinatesHaveNoNeighbours(t *testing.T) {
	r := sample(50, 6)
	r.x[3*inputs] = float32(math.NaN())
	r.places = PlacesOf(r.columns, r.x, inputs)
	values := make([]float64, r.n)
	s := r.sorted(0, 1)
	s.Values(values, r.target, FewestRows, nil)
	if values[3] == values[3] || slices.Contains(s.number, 3) {
		t.Errorf("a row without a coordinate is told %g", values[3])
	}
	table := s.Table(r.target, FewestRows, nil)
	if v := table.Value(r.row(3)); v == v {
		t.Errorf("the table tells it %g", v)
	}
}

func TestCheckRefusesDamagedTables(t *testing.T) {
	r := sample(80, 7)
	whole := func() Table {
		table := r.sorted(0, 1).Table(r.target, FewestRows, nil)
		table.Input = box.Input{Name: "n", Lo: -1, Hi: 1}
		table.Order = slices.Clone(table.Order)
		table.Order[1].Values = slices.Clone(table.Order[1].Values)
		return table
	}
	sound := whole()
	if err := sound.Check(inputs); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(*Table){
		"no order":             func(d *Table) { d.Order = nil },
		"input beyond":         func(d *Table) { d.Order[0].Input = inputs },
		"input below":          func(d *Table) { d.Order[0].Input = -1 },
		"no places":            func(d *Table) { d.Order[0].Places = 0 },
		"too many places":      func(d *Table) { d.Order[0].Places = math.MaxInt },
		"no scale":             func(d *Table) { d.Order[0].Scale = 0 },
		"values do not ascend": func(d *Table) { d.Order[1].Values[1] = d.Order[1].Values[0] },
		"value is none":        func(d *Table) { d.Order[1].Values[1] = float32(math.NaN()) },
		"fewer values":         func(d *Table) { d.Order[1].Values = d.Order[1].Values[1:] },
		"no knots":             func(d *Table) { d.At, d.Mean = nil, nil },
		"fewer means":          func(d *Table) { d.Mean = d.Mean[1:] },
		"positions fall":       func(d *Table) { d.At[1] = d.At[0] },
		"position is none":     func(d *Table) { d.At[0] = math.NaN() },
		"mean is none":         func(d *Table) { d.Mean[0] = math.Inf(1) },
		"bounds":               func(d *Table) { d.Input.Lo = 2 },
		"more knots": func(d *Table) {
			d.At, d.Mean = make([]float64, MostKnots+1), make([]float64, MostKnots+1)
			for i := range d.At {
				d.At[i] = float64(i)
			}
		},
	} {
		d := whole()
		damage(&d)
		if d.Check(inputs) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
