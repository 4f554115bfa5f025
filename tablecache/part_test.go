package tablecache

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"beziergp/internal/comm"
	"beziergp/table"
)

// ofRows caches rows from ≤ i < to of a table of a number, with gaps, and a category, whose indices
// are those of the part: a part knows levels in the order in which they come.
func ofRows(t testing.TB, from, to, wide int) *Cache {
	t.Helper()
	coded, columns := make([]bool, wide), make([][]float64, wide)
	coded[1] = true
	for j := range columns {
		columns[j] = make([]float64, to-from)
	}
	for i := range to - from {
		columns[0][i] = float64(from + i)
		if (from+i)%7 == 0 {
			columns[0][i] = math.NaN()
		}
		columns[1][i] = float64((from + i + from) % 3)
	}
	w, err := Create(filepath.Join(t.TempDir(), "cache"), coded)
	if err != nil {
		t.Fatal(err)
	}
	w.Drop(from % 5)
	if err := w.Append(columns, to-from); err != nil {
		t.Fatal(err)
	}
	fields, meaning := make([]table.Field, wide), make([][]float64, wide)
	for j := range fields {
		fields[j].Name = fmt.Sprint("x", j)
	}
	fields[1] = table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b", "z"}}
	for code := range 3 {
		meaning[1] = append(meaning[1], float64((code+2*from)%3))
	}
	c, err := w.Finish(fields, meaning, "here")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// joinedOf joins parts, one a goroutine.
func joinedOf(t testing.TB, parts []*Cache) []error {
	t.Helper()
	errs := make([]error, len(parts))
	var all sync.WaitGroup
	for k, ranks := range comm.Group(len(parts)) {
		all.Go(func() {
			errs[k] = parts[k].Join(k, func(own []byte, failed error) ([][]byte, error) {
				return comm.Exchange(t.Context(), ranks, own, failed)
			})
		})
	}
	all.Wait()
	return errs
}

// sameBits tells whether numbers are the same, a missing value like another.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y })
}

// Parts that were joined are the cache of all rows, in samples, summaries and blocks, wherever the
// rows are cut and though one part has none.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		wide   int
		bounds []int
	}{{512, []int{0, 640, 1800}}, {512, []int{0, 100, 100, 333, 1801}}, {3, []int{0, 70001, 140000}}, {512, []int{0, 0, 130}}} {
		n, size := c.bounds[len(c.bounds)-1], len(c.bounds)-1
		whole := ofRows(t, 0, n, c.wide)
		var parts []*Cache
		dropped := 0
		for k := range size {
			parts = append(parts, ofRows(t, c.bounds[k], c.bounds[k+1], c.wide))
			dropped += c.bounds[k] % 5
		}
		for k, err := range joinedOf(t, parts) {
			if err != nil {
				t.Fatalf("%v: part %d: %v", c.bounds, k, err)
			}
		}
		var want Buffer
		for i := range whole.Blocks() {
			if _, err := whole.Read(i, &want); err != nil {
				t.Fatal(err)
			}
			var codes, numbers []float64
			for _, p := range parts {
				var own Buffer
				read, err := p.Read(i, &own)
				if err != nil {
					t.Fatal(err)
				}
				column := make([]float64, p.BlockRows())
				for j := range 2 {
					n, err := p.ReadColumn(i, j, column)
					if err != nil || n != read || read > 0 && !sameBits(column[:n], own.Columns[j]) {
						t.Fatalf("%v: column %d of block %d has %d rows of %d, or others: %v", c.bounds, j, i, n, read, err)
					}
				}
				if read > 0 {
					numbers, codes = append(numbers, own.Columns[0]...), append(codes, own.Columns[1]...)
				}
			}
			column := make([]float64, whole.BlockRows())
			if n, err := whole.ReadColumn(i, 0, column); err != nil || !sameBits(column[:n], want.Columns[0]) {
				t.Fatalf("%v: the first column of block %d differs: %v", c.bounds, i, err)
			}
			if !sameBits(numbers, want.Columns[0]) || !sameBits(codes, want.Columns[1]) {
				t.Fatalf("%v: block %d differs", c.bounds, i)
			}
		}
		for _, p := range parts {
			if p.Rows() != n || p.Blocks() != whole.Blocks() || p.Dropped() != dropped || !reflect.DeepEqual(p.Bounds(size), c.bounds) || p.Digest() != parts[0].Digest() {
				t.Errorf("%v: %d rows in %d blocks, %d dropped, bounds %v", c.bounds, p.Rows(), p.Blocks(), p.Dropped(), p.Bounds(size))
			}
			for j := range 2 {
				if !reflect.DeepEqual(p.Summary(j), whole.Summary(j)) {
					t.Errorf("%v: summary %+v, of all %+v", c.bounds, p.Summary(j), whole.Summary(j))
				}
			}
			for _, name := range []string{"x0", "c"} {
				got, _ := p.Sample().Column(name)
				all, _ := whole.Sample().Column(name)
				if !sameBits(got, all) {
					t.Errorf("%v: the sample of %s differs", c.bounds, name)
				}
			}
		}
	}
}

// Parts of different tables, and one that cannot be read, are no cache.
func TestPartsThatDoNotFit(t *testing.T) {
	for _, err := range joinedOf(t, []*Cache{ofRows(t, 0, 100, 3), ofRows(t, 100, 200, 4)}) {
		if err == nil {
			t.Error("parts of different columns are joined")
		}
	}
	broken := ofRows(t, 100, 200, 3)
	broken.Close()
	errs := joinedOf(t, []*Cache{ofRows(t, 0, 100, 3), broken})
	var remote *comm.RemoteError
	var disk *DiskError
	if !errors.As(errs[0], &remote) || !errors.As(errs[1], &disk) {
		t.Errorf("they say %v and %v", errs[0], errs[1])
	}
}
