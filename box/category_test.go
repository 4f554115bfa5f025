package box

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"beziergp/table"
)

// repeated returns codes, each as often as its count says.
func repeated(counts ...int) []float64 {
	var codes []float64
	for code, n := range counts {
		for range n {
			codes = append(codes, float64(code))
		}
	}
	return codes
}

func fittedCategory(f table.Field, codes []float64) (Input, error) {
	rows, missing := make([]int, len(f.Levels)), 0
	for _, code := range codes {
		if code != code {
			missing++
			continue
		}
		rows[int(code)]++
	}
	return FitCategory(f, rows, missing)
}

func TestRareLevelsShareANode(t *testing.T) {
	f := table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b", "c", "d", "never"}}
	in, err := fittedCategory(f, append(repeated(900, 1, 2000, 2), math.NaN()))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(in.Levels, []string{"a", "c"}) || in.Pooled.Len() != 2 || !in.Missing || in.Nodes() != 3 {
		t.Fatalf("%+v", in)
	}
	for level, pooled := range map[string]bool{"a": false, "b": true, "c": false, "d": true, "never": false, "": false} {
		if in.Pooled.Has(level) != pooled {
			t.Errorf("level %q is pooled: %v", level, !pooled)
		}
	}
	// As numbers of in.Field(): a, c, those that are pooled, and one for all others.
	for code, want := range []struct {
		node   float32
		inside bool
	}{{0, true}, {1, true}, {2, true}, {2, false}} {
		if node, inside := in.coordinate(float64(code)); node != want.node || inside != want.inside {
			t.Errorf("level %d goes to node %g, inside %v; want %+v", code, node, inside, want)
		}
	}
}

// Where no level is pooled, an unknown one counts as missing: there is no node that
// would have learned anything of its like.
func TestUnknownLevels(t *testing.T) {
	in, err := fittedCategory(table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}}, repeated(5, 7))
	if err != nil {
		t.Fatal(err)
	}
	if node, inside := in.coordinate(2); node == node || inside || in.Nodes() != 2 {
		t.Errorf("node %g, inside %v", node, inside)
	}
}

func TestManyLevelsKeepTheMostFrequent(t *testing.T) {
	f := table.Field{Name: "c", Kind: table.Category}
	var counts []int
	for i := range 1000 {
		f.Levels = append(f.Levels, fmt.Sprintf("%04d", i))
		counts = append(counts, 5+i)
	}
	in, err := fittedCategory(f, repeated(counts...))
	if err != nil {
		t.Fatal(err)
	}
	if in.Nodes() != MaxNodes || in.Levels[0] != "0745" || in.Levels[254] != "0999" || in.Pooled.Len() != 745 {
		t.Errorf("%d nodes from %q to %q, %d pooled", in.Nodes(), in.Levels[0], in.Levels[len(in.Levels)-1], in.Pooled.Len())
	}
}

// Levels that share a node have nodes of their own behind the others where they are told apart, rare ones without their names.
func TestLevelsThatShareANodeAreToldApart(t *testing.T) {
	f := table.Field{Name: "c", Kind: table.Category}
	var counts []int
	for i := range 1000 {
		f.Levels = append(f.Levels, fmt.Sprintf("%04d", i))
		counts = append(counts, 1+i)
	}
	some, err := FitCategory(f, counts, 7)
	if err != nil {
		t.Fatal(err)
	}
	all, err := FitLevels(f, counts, 7)
	if err != nil {
		t.Fatal(err)
	}
	if len(some.Levels) != 255 || !slices.Equal(all.Levels[:255], some.Levels) || !slices.Equal(all.Levels[255:], f.Levels[4:745]) || all.Pooled.Len() != 4 || !all.MissingLevel {
		t.Errorf("%d levels, and %d from %q to %q before %q, with %d pooled", len(some.Levels), len(all.Levels), all.Levels[255], all.Levels[len(all.Levels)-1], all.Levels[0], all.Pooled.Len())
	}
	for code, want := range map[float64]float32{254: 254, 255: 255, 995: 995, 996: 996, 999: 999, 1000: nan, math.NaN(): 1000} {
		if node, inside := all.coordinate(code); node != want && (node == node || want == want) || inside != (want == want) {
			t.Errorf("level %g goes to node %g, inside %v; want %g", code, node, inside, want)
		}
	}
	var rare []int
	for _, level := range f.Levels[:4] {
		rare = append(rare, all.Field().Further(level))
	}
	slices.Sort(rare)
	if !slices.Equal(rare, []int{996, 997, 998, 999}) || all.Field().Further("another") != 1000 || all.Level(997) != "(rare level 2)" || all.Level(1000) != "(missing)" {
		t.Errorf("rare levels have the numbers %v, another one %d; %q, %q", rare, all.Field().Further("another"), all.Level(997), all.Level(1000))
	}
	// Where none is frequent enough for a name, or all are for a node, too.
	if few, err := FitLevels(f, slices.Repeat([]int{4}, 1000), 0); err != nil || len(few.Levels) != 0 || few.Nodes() != 1000 {
		t.Errorf("%d levels, %d pooled: %v", len(few.Levels), few.Pooled.Len(), err)
	}
	if two, err := FitLevels(table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}}, []int{5, 7}, 0); err != nil || len(two.Levels) != 2 || two.Pooled != nil {
		t.Errorf("%+v: %v", two, err)
	}
	f.Levels = make([]string, MaxLevels+9)
	for i := range f.Levels {
		f.Levels[i] = fmt.Sprint(i)
	}
	if most, err := FitLevels(f, slices.Repeat([]int{2}, len(f.Levels)), 5); err != nil || most.Nodes() != MaxLevels {
		t.Errorf("%d levels, %d pooled: %v", len(most.Levels), most.Pooled.Len(), err)
	}
}

func TestOneRareLevelHasItsOwnNode(t *testing.T) {
	in, err := fittedCategory(table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}}, repeated(5000, 1))
	if err != nil || in.Nodes() != 2 || in.Pooled != nil {
		t.Errorf("%+v, %v", in, err)
	}
	// In a table of few rows a level need not be frequent.
	few, err := fittedCategory(table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b", "c"}}, repeated(1, 1, 1))
	if err != nil || few.Nodes() != 3 || few.Pooled != nil {
		t.Errorf("%+v, %v", few, err)
	}
}

// Rows without a level have a function of their own, behind the nodes, where they are not rare; a level that
// nobody knows has none.
func TestRowsWithoutALevelHaveAFunction(t *testing.T) {
	f := table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b", "c", "d"}}
	for _, c := range []struct {
		rows        []int
		missing     int
		functions   int
		of, unknown float32 // coordinates of a missing value and of a level that is not known
	}{
		{[]int{900, 700, 0, 0}, 0, 2, nan, nan},
		{[]int{900, 700, 0, 0}, MinLevelRows - 1, 2, nan, nan},
		{[]int{900, 700, 0, 0}, MinLevelRows, 3, 2, nan},
		{[]int{900, 700, 1, 2}, 3000, 4, 3, 2},
		{[]int{10, 0, 0, 0}, 1, 2, 1, nan},
	} {
		in, err := FitCategory(f, c.rows, c.missing)
		if err != nil || in.Missing != (c.missing > 0) || in.Functions() != c.functions || in.Constant() != (c.functions == 1) {
			t.Errorf("%d of %v without a level: %+v, %v", c.missing, c.rows, in, err)
		}
		got, inside := in.coordinate(math.NaN())
		if got != c.of && (got == got || c.of == c.of) || inside != in.Missing {
			t.Errorf("%d of %v without a level: a missing one goes to %g, inside %v; want %g", c.missing, c.rows, got, inside, c.of)
		}
		if got, inside := in.coordinate(4); got != c.unknown && (got == got || c.unknown == c.unknown) || inside {
			t.Errorf("%d of %v without a level: an unknown level goes to %g, inside %v; want %g", c.missing, c.rows, got, inside, c.unknown)
		}
		if in.MissingLevel && in.Level(float64(c.of)) != "(missing)" {
			t.Errorf("%q", in.Level(float64(c.of)))
		}
	}
	in := Input{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}, MissingLevel: true}
	if in.Check() == nil {
		t.Error("a function of rows without a level where none lacks it")
	}
}

// A level needs a hundredth of the rows, rounded up, and one of a list of levels that is
// longer than the rows are counted for has none.
func TestLevelsThatAreRare(t *testing.T) {
	f := table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b", "c", "d"}}
	for _, c := range []struct {
		rows   []int
		levels []string
		pooled int
	}{
		{[]int{98, 1, 1}, []string{"a", "b", "c"}, 0},
		{[]int{99, 1, 1}, []string{"a"}, 2}, // of 101 rows 2
		{[]int{396, 4, 3, 4}, []string{"a"}, 3},
		{[]int{1000, 5, 4, 4}, []string{"a", "b"}, 2},
		{[]int{0, 7, 0, 7}, []string{"b", "d"}, 0},
	} {
		in, err := FitCategory(f, c.rows, 0)
		if err != nil || !slices.Equal(in.Levels, c.levels) || in.Pooled.Len() != c.pooled || in.Missing {
			t.Errorf("%v rows: %v, %d pooled, %v", c.rows, in.Levels, in.Pooled.Len(), err)
		}
	}
	var empty *EmptyError
	if _, err := FitCategory(f, []int{0, 0}, 3); !errors.As(err, &empty) || empty.Column != "c" {
		t.Errorf("error %v", err)
	}
}

// Of as many levels as there are nodes one is pooled, for a node is kept for that.
func TestAsManyLevelsAsNodes(t *testing.T) {
	for n, pooled := range map[int]int{MaxNodes - 1: 0, MaxNodes: 1, MaxNodes + 1: 2} {
		f, rows := table.Field{Name: "c", Kind: table.Category}, make([]int, n)
		for i := range rows {
			f.Levels, rows[i] = append(f.Levels, fmt.Sprint(i)), 10
		}
		in, err := FitCategory(f, rows, 0)
		if err != nil || len(in.Levels) != MaxNodes-1 || in.Pooled.Len() != pooled {
			t.Errorf("%d levels: %d nodes of their own, %d pooled, %v", n, len(in.Levels), in.Pooled.Len(), err)
		}
	}
}

func TestACategoryOfOneNodeIsConstant(t *testing.T) {
	one := Input{Name: "c", Kind: table.Category, Levels: []string{"a"}}
	more := one
	more.Pooled = Pool("c", one.Levels, []string{"b"})
	if !one.Constant() || more.Constant() {
		t.Errorf("constant: one level %v, with others pooled %v", one.Constant(), more.Constant())
	}
}
