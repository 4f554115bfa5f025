package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/internal/limit"
	"beziergp/predictive"
	"beziergp/table"
	"beziergp/tablecache"
)

var nan = math.NaN()

func column(name string, values ...float64) table.Column {
	return table.Column{Name: name, Values: values}
}

func mustTable(t testing.TB, columns ...table.Column) *table.Table {
	t.Helper()
	tab, err := table.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func targets(names ...string) (all []box.Target) {
	for _, name := range names {
		all = append(all, box.Target{Name: name})
	}
	return all
}

// mixed is a table of all kinds of columns, of more rows than a block has.
func mixed(t testing.TB) *table.Table {
	const n = 12001
	rng := rand.New(rand.NewPCG(7, 7))
	columns := []table.Column{
		{Name: "x"}, {Name: "c", Kind: table.Category, Levels: []string{"low", "many", "rare", "never", "seldom"}},
		{Name: "flag", Kind: table.Boolean}, {Name: "at", Kind: table.DateTime}, {Name: "y"}, {Name: "z"}, {Name: "w"},
	}
	for i := range n {
		v := []float64{rng.NormFloat64(), float64(rng.IntN(2)), float64(rng.IntN(2)), float64(rng.IntN(1e8)),
			rng.NormFloat64(), math.Exp(rng.NormFloat64()), 3 * rng.Float64()}
		switch i % 500 {
		case 0:
			v[1] = 2
		case 1:
			v[1] = 4
		case 2:
			v[0] = nan
		case 3:
			v[1], v[3] = nan, nan
		case 4:
			v[4] = nan
		case 5:
			v[5] = nan
		case 6:
			v[6] = 0
		}
		for j := range columns {
			columns[j].Values = append(columns[j].Values, v[j])
		}
	}
	return mustTable(t, columns...)
}

// cache writes the rows of a table that [dataset.Keeps] keeps.
func cache(t testing.TB, tab *table.Table, weights string, targets ...string) *tablecache.Cache {
	t.Helper()
	var fields []table.Field
	var columns [][]float64
	var coded []bool
	w, _ := tab.Column(weights)
	keep := make([]bool, tab.Rows())
	for i := range keep {
		var y []float64
		for _, name := range targets {
			values, _ := tab.Column(name)
			y = append(y, values[i])
		}
		var weight *float64
		if w != nil {
			weight = &w[i]
		}
		var err error
		if keep[i], err = dataset.Keeps(weight, y...); err != nil {
			t.Fatal(err)
		}
	}
	rows := tab.Filter(keep)
	for _, name := range rows.Names() {
		f, _ := rows.Field(name)
		values, _ := rows.Column(name)
		fields, columns, coded = append(fields, f), append(columns, values), append(coded, f.Kind == table.Category)
	}
	writer, err := tablecache.Create(filepath.Join(t.TempDir(), "rows"), coded)
	if err != nil {
		t.Fatal(err)
	}
	writer.Drop(tab.Rows() - rows.Rows())
	if err := writer.Append(columns, rows.Rows()); err != nil {
		t.Fatal(err)
	}
	c, err := writer.Finish(fields, make([][]float64, len(fields)), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// bits are the rows of a set, NaN among them.
func bits(t testing.TB, s *dataset.Set, workers int) (all [3][]uint32) {
	t.Helper()
	x, y, w, err := s.Load(workers)
	if err != nil {
		t.Fatal(err)
	}
	for k, values := range [][]float32{x, y, w} {
		for _, v := range values {
			all[k] = append(all[k], math.Float32bits(v))
		}
	}
	return all
}

// The same rows make the same set to the bit, in memory by any number of workers and out
// of core, with one target and with two.
func TestMemoryAndCacheGiveTheSameBits(t *testing.T) {
	tab := mixed(t)
	for _, names := range [][]string{{"y"}, {"z", "y"}} {
		o := dataset.Options{Targets: targets(names...), Weights: "w", Split: "half", ByRanks: true}
		o.Targets[0].Range = &predictive.Range{Lo: -100, Hi: 100}
		memory, err := dataset.FromTable(tab, o)
		if err != nil {
			t.Fatal(err)
		}
		disk, err := dataset.FromCache(context.Background(), cache(t, tab, "w", names...), o)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(memory.Description, disk.Description) {
			t.Errorf("%v: in memory %+v, out of core %+v", names, memory.Description, disk.Description)
		}
		want := bits(t, memory, 1)
		for name, got := range map[string][3][]uint32{
			"three workers": bits(t, memory, 3), "out of core": bits(t, disk, 2), "the sample": bits(t, disk.Sample(), 1), "its sample": bits(t, memory.Sample(), 1),
		} {
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %s: other bits", names, name)
			}
		}
		if memory.OutOfCore() || !disk.OutOfCore() || disk.Blocks() < 2 || memory.Blocks() < 2 {
			t.Errorf("%d blocks in memory, %d out of core", memory.Blocks(), disk.Blocks())
		}
	}
}

// What a set holds of two targets is what the formulas say.
func TestTwoTargets(t *testing.T) {
	tab := mustTable(t, column("x", 0, 4, 1, 9, 2), column("a", 1, 3, nan, 8, 5), column("b", 7, 1, 1, nan, 4), column("w", 1, 2, 1, 1, 3))
	s, err := dataset.FromTable(tab, dataset.Options{Targets: []box.Target{{Name: "a"}, {Name: "b", Transform: box.Log1p}}, Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows != 3 || s.Dropped != 2 || s.Place(3) != 5 || len(s.Targets) != 2 || len(s.Inputs) != 1 {
		t.Fatalf("%+v", s.Description)
	}
	x, y, w, err := s.Load(1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x, []float32{0, 1, 0.5}) || !slices.Equal(w, []float32{0.5, 1, 1.5}) {
		t.Errorf("coordinates %v, weights %v", x, w)
	}
	raw := [][]float64{{1, 3, 5}, {math.Log(8), math.Log(2), math.Log(5)}}
	for k, values := range raw {
		mean := (values[0] + values[1] + values[2]) / 3
		var variance float64
		for _, v := range values {
			variance += (v - mean) * (v - mean) / 3
		}
		for i, v := range values {
			if want := (v - mean) / math.Sqrt(variance); math.Abs(float64(y[2*i+k])-want) > 1e-6 {
				t.Errorf("target %d, row %d: %g, want %g", k, i, y[2*i+k], want)
			}
		}
	}
	one, err := dataset.FromTable(tab, dataset.Options{Targets: targets("a"), Inputs: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	if one.Seen.Sums[0] == s.Seen.Sums[0] || one.Rows != 4 {
		t.Error("another target is the same")
	}
	columns, ys := s.Values()
	if fmt.Sprint(columns, ys) != "[[0 4 2]] [[1 3 5] [7 1 4]]" {
		t.Errorf("values %v, %v", columns, ys)
	}
}

// Errors about a value tell its row in the table, which other rows are left out of, and in
// a cache that of the cache.
func TestErrorsTellTheRow(t *testing.T) {
	y := column("y", 1, nan, 2, 3, 5)
	x := column("x", 0, 50, 1, 9, 2)
	for name, c := range map[string]struct {
		w    []float64
		o    dataset.Options
		says string
		kept int // the row among those kept
	}{
		"bounds":    {nil, dataset.Options{Targets: targets("y"), Bounds: map[string]box.Bounds{"x": {Lo: 0, Hi: 3}}}, `row 4, column "x": 9`, 3},
		"range":     {nil, dataset.Options{Targets: []box.Target{{Name: "y", Range: &predictive.Range{Lo: 0, Hi: 2.5}}}}, `row 4, column "y": 3`, 3},
		"transform": {nil, dataset.Options{Targets: []box.Target{{Name: "n", Transform: box.Log1p}}}, `row 3, column "n": -7`, 2},
		"small":     {[]float64{1, 1, 1, 1e-80, 1}, dataset.Options{Targets: targets("y"), Weights: "w"}, `row 4, column "w": 1e-80`, 3},
		"large":     {[]float64{1, 1, 1, 1e9, 1}, dataset.Options{Targets: targets("y"), Weights: "w"}, `row 4, column "w": 1e+09`, 3},
		"negative":  {[]float64{1, 1, 1, -2, 1}, dataset.Options{Targets: targets("y"), Weights: "w"}, `row 4, column "w": -2`, 3},
	} {
		w := c.w
		if w == nil {
			w = []float64{1, 1, 1, 1, 1}
		}
		tab := mustTable(t, x, y, column("n", 1, nan, -7, 2, 3), column("w", w...))
		_, err := dataset.FromTable(tab, c.o)
		var row box.RowError
		if !errors.As(err, &row) || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%s: error %v", name, err)
		}
		if name == "negative" {
			continue // it cannot be written to a cache
		}
		_, err = dataset.FromCache(context.Background(), cache(t, tab, c.o.Weights, c.o.Targets[0].Name), c.o)
		if !errors.As(err, &row) || row.At().Row != c.kept {
			t.Errorf("%s, out of core: error %v", name, err)
		}
	}
}

func TestOptionsAreRefused(t *testing.T) {
	tab := mustTable(t, column("x", 1, 2, 3), column("y", 1, 3, 2))
	for name, o := range map[string]dataset.Options{
		"target":           {},
		"target twice":     {Targets: targets("y", "y")},
		"target transform": {Targets: []box.Target{{Name: "y", Transform: "root"}}},
		"range":            {Targets: []box.Target{{Name: "y", Range: &predictive.Range{Lo: 2, Hi: 1}}}},
		"inputs":           {Targets: targets("y"), Inputs: []string{"x", "y"}},
		"bounds":           {Targets: targets("y"), Bounds: map[string]box.Bounds{"z": {Hi: 1}}},
	} {
		_, err := dataset.FromTable(tab, o)
		var option *limit.OptionError
		if want, _, _ := strings.Cut(name, " twice"); !errors.As(err, &option) || option.Option != want {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A cache is not read on when nobody waits for it.
func TestFromCacheStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := cache(t, mustTable(t, column("x", 1, 2, 3), column("y", 1, 3, 2)), "", "y")
	cancel()
	if _, err := dataset.FromCache(ctx, c, dataset.Options{Targets: targets("y")}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Rows that the sample of a cache leaves out count, too: by their extremes, by what is
// missing, and where a value is refused.
func TestRowsBeyondTheSample(t *testing.T) {
	const n = 1 << 17
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(i%100), float64(i%7)
	}
	// The sample depends on the number of rows alone: those that it left out are known by
	// numbering them.
	number := make([]float64, n)
	for i := range number {
		number[i] = float64(i)
	}
	sampled := make([]bool, n)
	kept, _ := cache(t, mustTable(t, column("x", number...), column("y", y...)), "", "y").Sample().Column("x")
	for _, v := range kept {
		sampled[int(v)] = true
	}
	var out []int
	for i, in := range sampled {
		if !in {
			out = append(out, i)
		}
	}
	if len(out) < 4 {
		t.Fatal("the sample holds all rows")
	}
	x[out[0]], x[out[1]], x[out[2]], x[out[3]] = 300, -200, nan, 400
	c := cache(t, mustTable(t, column("x", x...), column("y", y...)), "", "y")
	s, err := dataset.FromCache(context.Background(), c, dataset.Options{Targets: targets("y")})
	if err != nil {
		t.Fatal(err)
	}
	if in := s.Inputs[0]; in.Lo != -200 || in.Hi != 400 || !in.Missing {
		t.Errorf("input %+v", in)
	}
	memory, err := dataset.FromTable(mustTable(t, column("x", x...), column("y", y...)), dataset.Options{Targets: targets("y")})
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Profile; !reflect.DeepEqual(p, memory.Profile) || p.Rows() != n || p.Inputs[0].Hi != 400 || p.Inputs[0].Missing != 1 {
		t.Errorf("the profile out of core %+v, in memory %+v", p, memory.Profile)
	}
	if got := s.Sample(); got.Rows != len(kept) || s.Rows != n {
		t.Errorf("a sample of %d of %d rows", got.Rows, s.Rows)
	}
	_, err = dataset.FromCache(context.Background(), c, dataset.Options{Targets: targets("y"), Bounds: map[string]box.Bounds{"x": {Lo: -1000, Hi: 250}}})
	var beyond *box.BoundsError
	if !errors.As(err, &beyond) || beyond.Row != out[0]+1 || beyond.Value != 300 {
		t.Errorf("error %v, want row %d", err, out[0]+1)
	}
}
