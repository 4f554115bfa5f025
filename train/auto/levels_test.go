package auto

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/likelihood"
	"beziergp/table"
	"beziergp/train"
)

// Of a category of 40 names the first 10 have functions of their own.
const allNames, ownNames = 40, 10

// ofNames returns rows of names, some of them missing, and of a number, with the names that share a function.
func ofNames(t *testing.T, n int, y func(name int, rng *rand.Rand) float64) *dataset {
	t.Helper()
	names := make([]string, allNames)
	for i := range names {
		names[i] = fmt.Sprint("name ", i)
	}
	few := box.Input{Name: "name", Kind: table.Category, Levels: names[:ownNames], Pooled: box.Pool("name", names[:ownNames], names[ownNames:]), Missing: true}
	all := few
	all.Levels, all.Pooled = names, nil
	indicator, err := basis.NewIndicator(ownNames + 1)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 7))
	given := train.Data{Inputs: []box.Input{few, {Name: "x", Hi: 1}}}
	l := train.Levels{All: all, Own: ownNames}
	var column []float32
	for range n {
		name, x := rng.IntN(allNames), rng.Float32()
		code := float32(name)
		if rng.IntN(20) == 0 {
			code = float32(math.NaN())
		}
		l.Codes = append(l.Codes, code)
		if code > ownNames {
			code = ownNames
		}
		column = append(column, code)
		given.X, given.Y = append(given.X, code, x), append(given.Y, float32(y(name, rng)))
	}
	averaged, err := basis.AverageOver(indicator, column)
	if err != nil {
		t.Fatal(err)
	}
	given.Bases = []basis.Basis{averaged, fixture(t, 0).Bases[0]}
	if l.Basis, err = train.PooledOf(all, ownNames, averaged); err != nil {
		t.Fatal(err)
	}
	d, err := newDataset(given.Rows(), given.Split, given.Bases, given.Inputs, likelihood.Gaussian{}).withLevels(func() ([]train.Levels, error) { return []train.Levels{l}, nil })
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Rows that are told by all levels have the functions that they have without, and the component of ties one of each level.
func TestLevelsOfTies(t *testing.T) {
	few := ofNames(t, 600, func(name int, rng *rand.Rand) float64 { return rng.Float64() })
	if counts := few.repeated(); !slices.Equal(counts, []int{allNames, 0}) {
		t.Errorf("values that repeat: %v", counts)
	}
	all := few.withTies([]int{allNames, 0})
	at := func(d *dataset, j int) []float32 {
		values, x := make([]float32, ownNames+1), []float32{d.Row(j)[0]}
		d.bases[0].Values(values, x, 1, 1)
		return values
	}
	for j := range few.Len() {
		if !slices.Equal(at(few, j), at(all, j)) {
			t.Fatalf("row %d has the functions %v by few levels and %v by all", j, at(few, j), at(all, j))
		}
		if code := all.Row(j)[0]; code != few.levels[0].Codes[j] && code == code {
			t.Fatalf("row %d has level %g, want %g", j, code, few.levels[0].Codes[j])
		}
	}
	if again := all.withTies([]int{allNames, 0}); again.few != few || all.few != few {
		t.Error("the rows of few levels are lost")
	}
	ties := structure{train.ByRanks, []component{coarse, tiesOf(3)}, 1}
	s, err := ties.surface(all, 1)
	if err != nil {
		t.Fatal(err)
	}
	for g, want := range []int{ownNames + 1, allNames} {
		if n := s.Group(g).Bases[0].Nodes(); n != want {
			t.Errorf("component %d has %d functions of names, want %d", g, n, want)
		}
	}
	plain := structure{train.ByRanks, []component{coarse}, 1}
	if all.tiedBy([]structure{plain}) != few || all.tiedBy([]structure{plain, ties}) != all || few.tiedBy([]structure{plain}) != few {
		t.Error("rows are told by other levels than structures tell apart")
	}
	if few.keptInputs() != nil || !slices.Equal(all.keptInputs(), []int{0, 1}) || !slices.Equal(all.only([]int{0}).keptInputs(), []int{0}) {
		t.Errorf("inputs %v and %v, of one alone %v", few.keptInputs(), all.keptInputs(), all.only([]int{0}).keptInputs())
	}
	drawn := map[float32]bool{}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		x := []float32{0, 0, 0, 0}
		all.drawNegatives(x, make([]float32, 2), []int{0}, rng)
		drawn[x[2]] = true
	}
	if len(drawn) != ownNames+1 {
		t.Errorf("negative samples have %d names, want one a function, %d", len(drawn), ownNames+1)
	}
}

// What names tell that have functions of their own is none of the share that ties explain, and all rows count in it.
func TestShareOfLevels(t *testing.T) {
	effect := func(from, to int) *dataset {
		return ofNames(t, 4000, func(name int, rng *rand.Rand) float64 {
			y := rng.NormFloat64()
			if name >= from && name < to {
				y += float64(3 * (name % 2))
			}
			return y
		})
	}
	share := func(d *dataset) float64 {
		at := residualsAt{rows: d.order}
		for _, j := range d.order {
			at.residuals = append(at.residuals, float64(d.Y[j])-1.5)
		}
		return (&tournament{data: d}).shareOfTies(at, 0)
	}
	if got := share(effect(0, ownNames)); got != 0 {
		t.Errorf("names with functions of their own explain %.3f", got)
	}
	if few, most := share(effect(ownNames, 2*ownNames)), share(effect(ownNames, allNames)); !(few > 0.05 && most > 1.2*few) {
		t.Errorf("a third of the names that share a function explain %.3f, all %.3f", few, most)
	}
}

// Rows in an order by names, of which a member's neighbours are found by few levels, are not told by all of them; in any other
// order every member has the levels of all rows.
func TestLevelsBesideNeighbours(t *testing.T) {
	few := ofNames(t, 600, func(name int, rng *rand.Rand) float64 { return rng.Float64() })
	folds := few.partition(plan{figures: figures{}, choices: choices{folds: 3}})
	for by, want := range []bool{true, false} {
		d, err := few.withNeighbours(folds, []foundOrder{{inputs: []int{by}, least: 10}})
		if err != nil {
			t.Fatal(err)
		}
		if d.neighbours.uses(0) != want {
			t.Errorf("in the order by input %d names are in use: %v", by, !want)
		}
		if want {
			continue
		}
		all := d.withTies([]int{allNames, 0, 0})
		for _, own := range []*dataset{all, all.lacking(1)} {
			for j := range own.Len() {
				if code := own.Row(j)[0]; code != few.levels[0].Codes[j] && code == code {
					t.Fatalf("row %d has level %g, want %g", j, code, few.levels[0].Codes[j])
				}
			}
		}
	}
}

// Inputs that are marked anew are names where all are categories, and are tried with every λ then.
func TestNamesAreTriedWithEverySmoothness(t *testing.T) {
	few := ofNames(t, 600, func(name int, rng *rand.Rand) float64 { return rng.Float64() })
	c := &tournament{data: few, plan: plan{choices: choices{smoothness: []float64{0.1, 1, 10}}}}
	for _, own := range []struct {
		marks []int
		want  bool
	}{{[]int{allNames, 0}, true}, {[]int{allNames, 30}, false}, {[]int{0, 30}, false}} {
		if got := c.areNames(own.marks); got != own.want {
			t.Errorf("inputs %v are names: %v", own.marks, got)
		}
	}
	c.data = few.withTies([]int{0, 30})
	if !c.areNames([]int{allNames, 30}) {
		t.Error("a number that was marked before is taken for one that is marked anew")
	}
	var all []string
	for _, own := range c.ofEverySmoothness([]candidate{untried(structure{train.ByRanks, []component{coarse}, 1}), untried(structure{train.ByRanks, []component{smooth(9)}, 10})}) {
		all = append(all, own.structure.String())
	}
	if want := []string{"coarse@1", "smoothx9@10", "coarse@0.1", "coarse@10"}; !slices.Equal(all, want) {
		t.Errorf("candidates %v, want %v", all, want)
	}
}
