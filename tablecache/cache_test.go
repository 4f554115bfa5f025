package tablecache

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"beziergp/table"
)

// write caches rows of three columns: the row's number, missing in every seventh row,
// a provisional code 0 to 2, and a constant.
func write(t testing.TB, rows, block int) *Cache {
	t.Helper()
	w, err := Create(filepath.Join(t.TempDir(), "cache"), []bool{false, true, false})
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < rows; from += block {
		n := min(block, rows-from)
		columns := [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
		for i := range n {
			columns[0][i] = float64(from + i)
			if (from+i)%7 == 0 {
				columns[0][i] = math.NaN()
			}
			columns[1][i] = float64((from + i) % 3)
			columns[2][i] = 5
		}
		if err := w.Append(columns, n); err != nil {
			t.Fatal(err)
		}
	}
	c, err := w.Finish([]table.Field{{Name: "x"}, {Name: "c", Kind: table.Category, Levels: []string{"a", "b", "z"}}, {Name: "k"}},
		[][]float64{nil, {2, 0, 1}, nil}, "here")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, rows := range []int{1, 63, 64, 21845, 21846, 100000} {
		c := write(t, rows, 1000)
		if c.Rows() != rows || c.Source() != "here" || c.Fields()[1].Levels[2] != "z" {
			t.Fatalf("%d rows, source %q, fields %v", c.Rows(), c.Source(), c.Fields())
		}
		var b Buffer
		seen := 0
		for i := range c.Blocks() {
			n, err := c.Read(i, &b)
			if err != nil {
				t.Fatal(err)
			}
			for p := range n {
				row := i*c.BlockRows() + p
				x, code := b.Columns[0][p], b.Columns[1][p]
				if row%7 == 0 != (x != x) || x == x && x != float64(row) || code != []float64{2, 0, 1}[row%3] || b.Columns[2][p] != 5 {
					t.Fatalf("row %d reads %g, %g, %g", row, x, code, b.Columns[2][p])
				}
			}
			seen += n
		}
		if seen != rows {
			t.Errorf("%d rows in the blocks, want %d", seen, rows)
		}
	}
}

func TestSummaries(t *testing.T) {
	const rows = 100000
	c := write(t, rows, 777)
	x := c.Summary(0)
	if x.Missing != (rows+6)/7 || x.Lo != 1 || x.Hi != rows-1 {
		t.Errorf("%+v", x)
	}
	// Codes 0, 1, 2 of the blocks are levels 2, 0, 1.
	if got := fmt.Sprint(c.Summary(1).Counts); got != fmt.Sprint([]int{33333, 33333, 33334}) {
		t.Errorf("counts %s", got)
	}
	values, _ := c.Sample().Column("x")
	if len(values) != sampleRows {
		t.Fatalf("%d rows in the sample", len(values))
	}
	// The mean row number of a fair sample, within five deviations of its mean.
	var sum float64
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	for _, v := range known {
		sum += v / float64(len(known))
	}
	if limit := 5 * rows / math.Sqrt(12*float64(len(known))); math.Abs(sum-rows/2) > limit {
		t.Errorf("mean row %g of the sample, want %d within %g", sum, rows/2, limit)
	}
	again, _ := write(t, rows, 5000).Sample().Column("x")
	if !slices.EqualFunc(values, again, func(a, b float64) bool { return a == b || a != a && b != b }) {
		t.Error("the sample depends on how rows come in")
	}
}

func TestDamageIsNoticed(t *testing.T) {
	c := write(t, 50000, 1000)
	path := c.path
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 10, 30, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%d of %d bytes: error %v", size, len(whole), err)
		}
	}
	flipped := slices.Clone(whole)
	flipped[1000] ^= 4
	if err := os.WriteFile(path, flipped, 0o600); err != nil {
		t.Fatal(err)
	}
	bad, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	var b Buffer
	if _, err := bad.Read(0, &b); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("error %v", err)
	}
	if _, err := bad.Read(1, &b); err != nil {
		t.Errorf("another block: %v", err)
	}
}

// A disk that is full is said to be: /dev/full is one.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	w, err := Create("/dev/full", []bool{false})
	if err != nil {
		t.Skip(err)
	}
	column := make([]float64, 1<<20)
	err = w.Append([][]float64{column}, len(column))
	if err == nil {
		t.Fatal("a full disk takes a cache")
	}
	w.Abort()
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("error %v", err)
	}
}
