package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
	"beziergp/tablecache"
	"beziergp/train"
	"beziergp/train/auto"
)

// late is the number of rows before the first value of a column that begins late: their
// text is longer than what forms are guessed from.
const late = 1400

// cells are the values that columns are drawn from, by what they hold.
var cells = map[string][]string{
	"number":   {"1", "2.5", "-3", "7e2", "4", "0"},
	"gappy":    {"1", "2.5", "", "NA", "-0.5"},
	"constant": {"3"},
	"empty":    {"", "NA"},
	"binary":   {"0", "1"},
	"boolean":  {"true", "false"},
	"yes":      {"yes", "no", "?"},
	"always":   {"true"},
	"category": {"low", "middle", "high", "low", "low", ""},
	"rare":     {"a", "a", "a", "a", "a", "a", "a", "a", "b", "c", "d", "e"},
	"one":      {"same"},
	"date":     {"2024-01-02", "2024-03-01T12:30:00Z", "2023-12-31 23:59:59", ""},
	"day":      {"2024-01-02"},
	"mostly":   {"1", "2", "3", "x"}, // a fault
	"negative": {"1", "2", "-1"},
	"zero":     {"0", "1", "2"},
	"huge":     {"1e308", "1.5e308", "1e308"},
	"tiny":     {"1e-300", "3e-300"},
	"dominant": {"1", "1", "1", "1", "1", "1", "1", "1", "1e6"},
	"uneven":   {"1e-200", "1e200"},
	"large":    {"1e200", "-1e200"},
}

// column draws the cells of a column of n rows. Names that begin with late have no value
// at first; those that begin with turn are numbers first.
func column(rng *rand.Rand, kind string, n int) []string {
	first, begins := "", 0
	if rest, ok := strings.CutPrefix(kind, "late "); ok {
		kind, begins = rest, min(late, n-2)
	}
	if rest, ok := strings.CutPrefix(kind, "turn "); ok {
		kind, first, begins = rest, "5", min(late, n-2)
	}
	values := make([]string, n)
	for i := range values {
		if i < begins {
			if first != "" && i < n/8 || first == "" {
				values[i] = first
				continue
			}
		}
		values[i] = cells[kind][rng.IntN(len(cells[kind]))]
	}
	return values
}

// write writes a table of the kinds of columns to a file.
func write(t *testing.T, rng *rand.Rand, n int, kinds map[string]string, names []string) string {
	t.Helper()
	text := []byte(strings.Join(names, ",") + "\n")
	columns := map[string][]string{}
	for _, name := range names {
		columns[name] = column(rng, kinds[name], n)
	}
	for i := range n {
		for j, name := range names {
			if j > 0 {
				text = append(text, ',')
			}
			text = append(text, columns[name][i]...)
		}
		text = append(text, '\n')
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// seen is a recipe that learns nothing and keeps what it was given to learn from.
type seen struct {
	auto.Recipe
	scaling train.Scaling
	x, y, w []float32
	specs   []basis.Spec
	inputs  []box.Input
	light   bool
}

var errSeen = errors.New("seen")

func (s *seen) Scaling() train.Scaling { return s.scaling }

func (s *seen) Fit(_ context.Context, d train.Data, _ train.Environment) (*train.Result, error) {
	s.x, s.y, s.w, s.inputs, s.light = d.X, d.Y, d.Weights, d.Inputs, d.LightTails
	for _, b := range d.Bases {
		s.specs = append(s.specs, b.Spec())
	}
	if d.Source == nil {
		return nil, errSeen
	}
	rows := d.Source.BlockRows()
	block := elbo.Batch{X: make([]float32, rows*len(d.Bases)), Y: make([]float32, rows), Weights: make([]float32, rows)}
	for i := range d.Source.Blocks() {
		n, err := d.Source.Block(i, block)
		if err != nil {
			return nil, err
		}
		s.x, s.y = append(s.x, block.X[:n*len(d.Bases)]...), append(s.y, block.Y[:n]...)
		if d.Weighted {
			s.w = append(s.w, block.Weights[:n]...)
		}
	}
	return nil, errSeen
}

// learn learns from a file in memory or, where bytes are few, on disk.
func learn(t *testing.T, path string, options Options, bytes int64, o beziergp.Options) (*beziergp.Model, error) {
	t.Helper()
	ctx := context.Background()
	tab, err := Open(ctx, path, options, false, streams.Streams{Console: console.New(io.Discard)}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	file := filepath.Join(t.TempDir(), "cache")
	outOfCore := OutOfCore{Target: "y", Weights: o.Weights, Bytes: bytes, Cache: func() (string, error) { return file, nil }}
	memory, cache, err := tab.ReadOutOfCore(ctx, outOfCore)
	if err != nil {
		return nil, err
	}
	var m *beziergp.Model
	if cache != nil {
		defer cache.Close()
		m, err = beziergp.FitCache(ctx, cache, "y", o)
	} else {
		m, err = beziergp.Fit(ctx, memory, "y", o)
	}
	var data *beziergp.DataError
	if errors.As(err, &data) {
		err = locate(ctx, tab, cache, outOfCore, err)
	}
	return m, err
}

func locate(ctx context.Context, tab *Table, cache *tablecache.Cache, outOfCore OutOfCore, err error) error {
	if cache != nil {
		return tab.LocateKept(ctx, err, cache, outOfCore)
	}
	return tab.Locate(ctx, err)
}

const (
	inMemory = 1 << 40
	onDisk   = -1
)

// Whether rows are kept in memory or on disk, the same tables are refused, by the same
// words, and recipes are given the same to the bit.
func TestMemoryAndDiskAreTheSame(t *testing.T) {
	// Of these the first are sound and the others may be refused.
	inputs := []string{"number", "gappy", "constant", "empty", "binary", "boolean", "yes", "always", "category", "rare", "one",
		"date", "day", "late number", "late category", "late boolean", "late date", "turn category", "late empty", "huge"}
	targets := [][]string{{"number", "gappy", "boolean", "yes", "late number", "late boolean", "late gappy", "tiny"},
		{"constant", "empty", "category", "date", "mostly", "negative", "turn category", "huge", "large"}}
	weights := [][]string{{"", "", "number", "zero", "boolean", "late zero", "late boolean", "constant", "huge", "tiny"},
		{"empty", "category", "yes", "negative", "gappy", "uneven", "dominant", "turn category"}}
	draw := func(rng *rand.Rand, from [][]string) string {
		of := from[0]
		if rng.IntN(5) == 0 {
			of = from[1]
		}
		return of[rng.IntN(len(of))]
	}
	rng := rand.New(rand.NewPCG(17, 4))
	refused, learned := map[string]bool{}, 0
	for round := range 160 {
		kinds := map[string]string{"y": draw(rng, targets)}
		names := []string{"y"}
		for i := range 1 + rng.IntN(5) {
			name := fmt.Sprint("x", i)
			names, kinds[name] = append(names, name), inputs[rng.IntN(len(inputs))]
		}
		o := beziergp.Options{TargetTransform: []beziergp.Transform{"", "", beziergp.Log1p}[rng.IntN(3)]}
		if kind := draw(rng, weights); kind != "" {
			names, kinds["w"], o.Weights = append(names, "w"), kind, "w"
		}
		if rng.IntN(8) == 0 {
			o.Bounds = map[string]beziergp.Bounds{"x0": {Lo: -5, Hi: 800}}
			if rng.IntN(2) == 0 {
				o.Bounds["x0"] = beziergp.Bounds{Lo: 0, Hi: 3}
			}
		}
		n := []int{1, 3, 10, 40, 40, 40, 200, 200}[rng.IntN(8)]
		for _, kind := range kinds {
			if strings.HasPrefix(kind, "late ") || strings.HasPrefix(kind, "turn ") {
				n = late + []int{2, 200}[rng.IntN(2)]
			}
		}
		if n > late { // so that what is guessed from is short of the rest
			names, kinds["pad"] = append(names, "pad"), "one"
		}
		options := Options{}
		if rng.IntN(4) == 0 {
			options.Holdout = 0.3
		}
		path := write(t, rng, n, kinds, names)
		if n > late {
			pad(t, path)
		}
		scaling := []train.Scaling{train.Linear, train.ByRanks}[rng.IntN(2)]
		a, b := &seen{scaling: scaling}, &seen{scaling: scaling}
		o.Recipe = a
		_, inMem := learn(t, path, options, inMemory, o)
		o.Recipe = b
		_, outOf := learn(t, path, options, onDisk, o)
		what := fmt.Sprintf("round %d: %d rows of %v, options %+v %+v", round, n, kinds, options, o)
		if inMem == nil || outOf == nil || inMem.Error() != outOf.Error() {
			t.Errorf("%s\nin memory: %v\non disk:   %v", what, inMem, outOf)
			continue
		}
		if inMem != errSeen {
			refused[strings.SplitN(inMem.Error(), ": ", 2)[1]] = true
			continue
		}
		learned++
		a.scaling, b.scaling = "", ""
		if !sameBits(a.x, b.x) || !reflect.DeepEqual(a.y, b.y) || !reflect.DeepEqual(a.w, b.w) ||
			!reflect.DeepEqual(a.inputs, b.inputs) || !reflect.DeepEqual(a.specs, b.specs) || a.light != b.light {
			t.Errorf("%s\nlearned from other numbers", what)
		}
	}
	if learned < 40 || len(refused) < 30 {
		t.Errorf("only %d tables were learned from, and %d refusals seen", learned, len(refused))
	}
}

// pad makes the last column of a table long.
func pad(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte(",same\n"), []byte(","+strings.Repeat("long", 60)+"\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// sameBits compares numbers, NaN with NaN.
func sameBits(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if v != b[i] && (v == v || b[i] == b[i]) {
			return false
		}
	}
	return true
}

// The default recipe makes of rows on disk the model file that it makes of rows in memory.
func TestModelsFromMemoryAndDiskAreTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 5))
	kinds := map[string]string{"y": "gappy", "c": "rare", "when": "date", "k": "constant", "e": "empty", "w": "boolean", "x": "number"}
	path := write(t, rng, 60, kinds, []string{"c", "when", "k", "y", "e", "w", "x"})
	o := beziergp.Options{Weights: "w", Recipe: auto.Recipe{Effort: auto.Fast, Ablation: []auto.Ingredient{auto.Fine, auto.Smoothness, auto.VaryingNoise, auto.DensityRatio}}, TargetTransform: beziergp.Log1p}
	var files [2]bytes.Buffer
	for i, bytes := range []int64{inMemory, onDisk} {
		m, err := learn(t, path, Options{}, bytes, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Write(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("the model files differ")
	}
}
