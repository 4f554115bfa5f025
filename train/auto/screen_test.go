package auto

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// wideData returns rows of a class, of so many numbers and, last, a category of six levels, some missing.
func wideData(t *testing.T, n, numbers, classes int, draw func(rng *rand.Rand, x []float32) int) *dataset {
	t.Helper()
	const levels = 6
	rng := rand.New(rand.NewPCG(9, 3))
	var law likelihood.Likelihood = likelihood.NewLaw(likelihood.Bernoulli{}, 0)
	if classes > 2 {
		law = likelihood.Classes{Base: make([]float64, classes)}
	}
	var bases []basis.Basis
	var inputs []box.Input
	for i := range numbers + 1 {
		b, err := basis.Basis(nil), error(nil)
		if b, err = basis.NewBernstein(4); i == numbers {
			b, err = basis.NewIndicator(levels)
		}
		if err != nil {
			t.Fatal(err)
		}
		bases, inputs = append(bases, b), append(inputs, box.Input{Name: fmt.Sprint("x", i), Hi: 1})
	}
	var x, y []float32
	for range n {
		own := make([]float32, numbers+1)
		for i := range own {
			own[i] = rng.Float32()
		}
		own[numbers] = float32(rng.IntN(levels))
		y = append(y, float32(draw(rng, own)))
		if rng.IntN(10) == 0 {
			own[rng.IntN(len(own))] = float32(math.NaN())
		}
		x = append(x, own...)
	}
	rows := descent.Rows{Batch: elbo.Batch{X: x, Y: y, Outputs: 1}, Inputs: numbers + 1}
	return newDataset(rows, train.Split{}, bases, inputs, law)
}

func screened(t *testing.T, d *dataset, byChance float64) []int {
	t.Helper()
	_, _, w := prepared(ofLaw(t, 10, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, _ []float32, _ float64) float64 { return float64(rng.IntN(2)) }), 2)
	defer w.pool.Close()
	scores, err := newScreen(d, d.order, 1).scores(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return kept(scores, byChance)
}

// Of many inputs those are kept that the class depends on: alone, together with another one and not alone, and by levels
// without an order. A class that depends on none keeps hardly any.
func TestScreenKeepsWhatTells(t *testing.T) {
	const n, numbers = 1500, 120
	depends := func(classes int) *dataset {
		return wideData(t, n, numbers, classes, func(rng *rand.Rand, x []float32) int {
			odds := 0.0
			if x[3] > 0.5 {
				odds++
			}
			if (x[50] > 0.5) == (x[51] > 0.5) {
				odds++
			}
			if level := int(x[numbers]); level == 0 || level == 4 {
				odds++
			}
			if rng.Float64() < (odds+0.2)/3.4 {
				return 1 + rng.IntN(classes-1)
			}
			return 0
		})
	}
	tells := []int{3, 50, 51, numbers}
	for _, classes := range []int{2, 3} {
		d := depends(classes)
		for _, byChance := range keptByChance {
			all := screened(t, d, byChance)
			if missed := slices.ContainsFunc(tells, func(i int) bool { return !slices.Contains(all, i) }); missed || len(all) > len(tells)+2 {
				t.Errorf("of %d classes inputs %v are kept, a share of %g by chance, want %v and two by chance at most", classes, all, byChance, tells)
			}
		}
	}
	if all := screened(t, wideData(t, n, numbers, 2, func(rng *rand.Rand, _ []float32) int { return rng.IntN(2) }), keptByChance[0]); len(all) > 3 {
		t.Errorf("of a class that depends on no input %v are kept", all)
	}
}

// As many are kept as the share allows that has such a score by chance.
func TestKeptByChance(t *testing.T) {
	all := scores{{3, 9, 0, 8, 5, 1}}
	for k := range orders {
		all[1+k] = []float64{4, -1, 0, 0, -2, 1}
	}
	for _, c := range []struct {
		share float64
		want  []int
	}{{0.01, []int{1, 3, 4}}, {0.25, []int{0, 1, 3, 4}}, {0.4, []int{0, 1, 3, 4, 5}}, {1, []int{0, 1, 2, 3, 4, 5}}} {
		got := all.kept(c.share)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("share %g keeps %v, want %v", c.share, got, c.want)
		}
	}
}

// Of few rows ranks tell of effects that rise where cells do not.
func TestRanksTellOfWhatRises(t *testing.T) {
	const rows, numbers = 150, 300
	tells := []int{20, 100, 200, 299}
	d := wideData(t, rows, numbers, 2, func(rng *rand.Rand, x []float32) int {
		f := 0.5 * rng.NormFloat64()
		for k, i := range tells {
			f += float64(1-2*(k%2)) * (float64(x[i]) - 0.5)
		}
		return int(min(max(0, math.Ceil(f)), 1))
	})
	_, _, w := prepared(ofLaw(t, 10, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, _ []float32, _ float64) float64 { return float64(rng.IntN(2)) }), 2)
	defer w.pool.Close()
	all, err := newScreen(d, d.order, 1).scores(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	found := func(way int) (n int) {
		for _, i := range all[way].kept(keptByChance[0]) {
			if slices.Contains(tells, i) {
				n++
			}
		}
		return n
	}
	if ranks, cells := found(byRanks), found(byCells); ranks < 3 || cells >= ranks {
		t.Errorf("of %d inputs that tell %d are found by ranks and %d by cells, want 3 at least and fewer", len(tells), ranks, cells)
	}
	if others := len(kept(all, keptByChance[0])) - len(tells); others > 2 {
		t.Errorf("%d inputs that tell nothing are kept", others)
	}
}

// The ranks of a number lie about 0, whatever its values, equal ones share theirs and missing ones are 0; a category has none.
func TestRanksOfAnInput(t *testing.T) {
	d := wideData(t, 400, 1, 2, func(rng *rand.Rand, x []float32) int {
		x[0] = float32(math.Exp(math.Round(8 * float64(x[0]))))
		return 0
	})
	ranks := ranksOf(d, d.order, 0)
	sum, known, by := 0.0, 0, map[float32]float32{}
	for i, j := range d.order {
		switch v := d.Row(j)[0]; {
		case v != v:
			if ranks[i] != 0 {
				t.Fatalf("a missing value has rank %g", ranks[i])
			}
		default:
			if was, ok := by[v]; ok && was != ranks[i] {
				t.Fatalf("%g has ranks %g and %g", v, was, ranks[i])
			}
			by[v] = ranks[i]
			sum, known = sum+float64(ranks[i]), known+1
		}
	}
	for v, rank := range by {
		for u, other := range by {
			if (v < u) != (rank < other) || rank <= -0.5 || rank >= 0.5 {
				t.Errorf("%g has rank %g, and %g has %g", v, rank, u, other)
			}
		}
	}
	testkit.Close(t, "mean rank", sum/float64(known), 0, 0, 1e-6)
	if ranksOf(d, d.order, 1) != nil {
		t.Error("a category has ranks")
	}
}

// Beyond the scores that chance has shown there are about as many by it as the law of squares of Gaussians has.
func TestScoresByChance(t *testing.T) {
	const inputs = 400
	rng := rand.New(rand.NewPCG(8, 1))
	chance := make([]float64, orders*inputs)
	for i := range chance {
		chance[i] = (square(rng.NormFloat64()) - 1) / math.Sqrt2
	}
	slices.Sort(chance)
	for _, v := range []float64{2, 3, 4, 5} { // deviations of a Gaussian
		want := inputs * math.Erfc(v/math.Sqrt2)
		if got := expectedByChance(chance, (v*v-1)/math.Sqrt2); math.Abs(math.Log(got/want)) > 1.2 {
			t.Errorf("beyond %g deviations %g of %d inputs lie by chance, want about %g", v, got, inputs, want)
		}
	}
	if got := expectedByChance([]float64{1, 2, 3}, 2.5); got != 1./orders {
		t.Errorf("of three scores %g lie beyond the second, for an order", got)
	}
	if got := expectedByChance(make([]float64, 100), 1); got != 0 {
		t.Errorf("of equal scores %g lie beyond", got)
	}
}

// What cells tell of slopes that do not depend on them has the mean and the variance that scores go by, and the scores of the
// random order are those of such slopes.
func TestWhatCellsTellByChance(t *testing.T) {
	d := wideData(t, 1000, 40, 2, func(rng *rand.Rand, _ []float32) int { return rng.IntN(2) })
	s := newScreen(d, d.order, 1)
	var sums, squares [2]float64
	pairs, room := 0.0, s.sums()
	for i := range s.cells {
		for j := range i {
			x := s.by(s.cells[i], s.cells[j], room).beyond(s.by(s.cells[i], s.cells[i], room), s.by(s.cells[j], s.cells[j], room))
			for k, v := range x.x[:2] {
				z := (v - x.expected) / math.Sqrt(2*x.expected)
				sums[k], squares[k] = sums[k]+z, squares[k]+z*z
			}
			pairs++
		}
	}
	for k, name := range []string{"slopes", "random order"} {
		if mean, square := sums[k]/pairs, squares[k]/pairs; math.Abs(mean) > 0.15 || math.Abs(square-1) > 0.25 {
			t.Errorf("%s: scores have mean %.3f and mean square %.3f, want 0 and 1", name, mean, square)
		}
	}
}

// Rows of the same value share a cell, and so do those that lack it; levels have cells of their own.
func TestCellsOfAnInput(t *testing.T) {
	d := wideData(t, 400, 1, 2, func(rng *rand.Rand, x []float32) int {
		if x[0] = float32(math.Round(float64(x[0]) * 10)); x[0] > 4 {
			x[0] = 4 // more than half of the rows
		}
		return 0
	})
	for i := range 2 {
		cells, by := cellsOf(d, d.order, i), map[float32]uint8{}
		count := map[uint8]int{}
		for k, j := range d.order {
			v := d.Row(j)[i]
			count[cells[k]]++
			if v != v {
				if cells[k] != missingCell {
					t.Fatalf("input %d: a missing value is in cell %d", i, cells[k])
				}
				continue
			}
			if was, known := by[v]; known && was != cells[k] || cells[k] >= missingCell {
				t.Fatalf("input %d: value %g is in cells %d and %d", i, v, was, cells[k])
			}
			by[v] = cells[k]
		}
		if want := []int{3, 7}[i]; len(count) != want {
			t.Errorf("input %d: rows by cell %v, want %d cells", i, count, want)
		}
	}
}
