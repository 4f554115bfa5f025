//go:build !lean

package tablefile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"beziergp/internal/comm"
)

// kept is a sink that keeps all rows.
type kept struct{ columns [][]float64 }

func (k *kept) Append(columns [][]float64, n int) error {
	for j, c := range columns {
		k.columns[j] = append(k.columns[j], c[:n]...)
	}
	return nil
}

func (k *kept) create(coded []bool, _ func(int, float64) (float64, bool)) (Sink, error) {
	k.columns = make([][]float64, len(coded))
	return k, nil
}

// meant returns what the stored values stand for.
func (k *kept) meant(s *Stored) [][]float64 {
	for j, meaning := range s.Meaning {
		for i, v := range k.columns[j] {
			if meaning != nil && v == v {
				k.columns[j][i] = meaning[int(v)]
			}
		}
	}
	return k.columns
}

// ofTexts makes a batch of columns of numbers and of texts; empty texts are missing.
func ofTexts(names []string, columns ...[]string) arrow.RecordBatch {
	var fields []arrow.Field
	for _, name := range names {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	fields = append(fields, arrow.Field{Name: "row", Type: arrow.PrimitiveTypes.Float64})
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for k, c := range columns {
		for i, text := range c {
			if text == "" {
				b.Field(k).AppendNull()
			} else {
				b.Field(k).(*array.StringBuilder).Append(text)
			}
			if k == 0 {
				b.Field(len(columns)).(*array.Float64Builder).Append(float64(i))
			}
		}
	}
	return b.NewRecordBatch()
}

// readParts reads files in parts that end before some rows, one a goroutine.
func readParts(t *testing.T, path string, bounds []int) (stored []*Stored, sinks []*kept, errs []error) {
	t.Helper()
	n := len(bounds) - 1
	stored, sinks, errs = make([]*Stored, n), make([]*kept, n), make([]error, n)
	var all sync.WaitGroup
	for k, ranks := range comm.Group(n) {
		all.Go(func() {
			r, err := Open(path, Options{})
			if err != nil {
				errs[k] = err
				return
			}
			defer r.Close()
			sinks[k] = &kept{}
			part := Part{bounds[k], bounds[k+1], func(own []byte, failed error) ([][]byte, error) {
				return comm.Exchange(t.Context(), ranks, own, failed)
			}}
			stored[k], errs[k] = r.ReadPart(t.Context(), &OutOfCore{Bytes: -1, Create: sinks[k].create}, part)
		})
	}
	all.Wait()
	return stored, sinks, errs
}

// Parts of a table are the rows that one reader reads, and all readers find what columns hold as one
// does, though what a column is shows in one part alone: over files, row groups and their middles.
func TestPartsAreTheTable(t *testing.T) {
	const rows = 1000
	rng := rand.New(rand.NewPCG(1, 1))
	late, never, level, truth, day, gaps, codes, alike, answer := make([]string, rows), make([]string, rows), make([]string, rows), make([]string, rows), make([]string, rows), make([]string, rows), make([]string, rows), make([]string, rows), make([]string, rows)
	for i := range rows {
		if alike[i], answer[i] = "No", "No"; i > 990 {
			answer[i] = "Yes"
		}
		late[i], truth[i], day[i] = fmt.Sprint(i), fmt.Sprint(i%2 == 0), fmt.Sprintf("2024-01-%02d", 1+i%28)
		level[i] = string(rune('a' + (i/100+rng.IntN(2))%20))
		if i >= 440 {
			late[i] = "from here on " + late[i]
		}
		if i > 600 {
			gaps[i] = fmt.Sprint(i)
		}
		if i%9 == 0 {
			day[i] = ""
		}
		if codes[i] = fmt.Sprint(i % 5); i > 600 && i%7 == 0 {
			codes[i] = "5+"
		}
	}
	dir := t.TempDir()
	names := []string{"late", "never", "level", "truth", "day", "gaps", "codes", "alike", "answer"}
	cut := func(from, to int) arrow.RecordBatch {
		return ofTexts(names, late[from:to], never[from:to], level[from:to], truth[from:to], day[from:to], gaps[from:to], codes[from:to], alike[from:to], answer[from:to])
	}
	writeParquet(t, filepath.Join(dir, "a.parquet"), cut(0, 430), 64)
	writeParquet(t, filepath.Join(dir, "b.parquet"), cut(430, 431), 64)
	writeParquet(t, filepath.Join(dir, "c.parquet"), cut(431, rows), 100)
	path := filepath.Join(dir, "*.parquet")

	r, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if counts, ok := r.Counts(); !ok || !reflect.DeepEqual(counts, []int{430, 1, 569}) {
		t.Fatal(counts, ok)
	}
	one := &kept{}
	_, want, err := r.ReadOutOfCore(t.Context(), &OutOfCore{Bytes: -1, Create: one.create})
	if err != nil {
		t.Fatal(err)
	}
	whole := one.meant(want)
	for _, bounds := range [][]int{{0, rows}, {0, 500, rows}, {0, 64, 430, 431, rows}, {0, 300, 300, 999, rows}} {
		stored, sinks, errs := readParts(t, path, bounds)
		for k := range stored {
			if errs[k] != nil {
				t.Fatalf("%v: part %d: %v", bounds, k, errs[k])
			}
			if !reflect.DeepEqual(stored[k].Fields, want.Fields) {
				t.Fatalf("%v: part %d has %.500s, want %.500s", bounds, k, fmt.Sprint(stored[k].Fields), fmt.Sprint(want.Fields))
			}
			for j, column := range sinks[k].meant(stored[k]) {
				if got, all := fmt.Sprint(column), fmt.Sprint(whole[j][bounds[k]:bounds[k+1]]); got != all {
					t.Fatalf("%v: part %d of %s is\n%.500s, want\n%.500s", bounds, k, want.Fields[j].Name, got, all)
				}
			}
		}
	}
}

// A cell that is unlike most of its column is in error for all readers, as for one, with its row
// in the file.
func TestPartsWithAFault(t *testing.T) {
	numbers := make([]string, 300)
	for i := range numbers {
		numbers[i] = fmt.Sprint(math.Sqrt(float64(i)))
	}
	numbers[257] = "12;5"
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeParquet(t, path, ofTexts([]string{"x"}, numbers), 64)
	_, _, errs := readParts(t, path, []int{0, 100, 220, 300})
	for k, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "row 258") || !strings.Contains(err.Error(), "12;5") {
			t.Errorf("part %d says %v", k, err)
		}
	}
	text := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(text, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, ok := r.Counts(); ok {
		t.Error("a text has parts")
	}
}
