package tablefile_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"beziergp/table"
	"beziergp/tablefile"
)

func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// file puts content into a file of the given name and returns its path.
func file(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// checkTable compares a table with its names and columns.
func checkTable(t *testing.T, got *table.Table, names []string, columns [][]float64) {
	t.Helper()
	if !reflect.DeepEqual(got.Names(), names) {
		t.Fatalf("names %q, want %q", got.Names(), names)
	}
	for j, name := range names {
		if values, _ := got.Column(name); !reflect.DeepEqual(values, columns[j]) {
			t.Errorf("column %q: %v, want %v", name, values, columns[j])
		}
	}
}

func TestReadAccepts(t *testing.T) {
	names, columns := []string{"a", "b"}, [][]float64{{1, 3}, {-2.5, 4e10}}
	for what, text := range map[string]string{
		"plain":             "a,b\n1,-2.5\n3,4e10\n",
		"no last line end":  "a,b\n1,-2.5\n3,4e10",
		"CRLF":              "a,b\r\n1,-2.5\r\n3,4e10\r\n",
		"byte order mark":   "\xef\xbb\xbfa,b\n1,-2.5\n3,4e10\n",
		"mark and quotes":   "\xef\xbb\xbf\"a\",\"b\"\n1,-2.5\n3,4e10\n",
		"blanks":            " a ,\tb\n  1 , -2.5\t\n3,\u00a04e10 \n",
		"quotes":            "\"a\", \"b\"\n\"1\", \" -2.5\"\n3,\"4e10\"\n",
		"blank lines":       "\n\na,b\n\n1,-2.5\r\n\r\n\n3,4e10\n\n",
		"other ways":        "a,b\n+1.,-.25E+1\n003,4e+10\n",
		"gzip":              zip("a,b\n1,-2.5\n3,4e10\n"),
		"gzip, two members": zip("a,b\n1,-2.5\n") + zip("3,4e10\n"),
		"gzip and mark":     zip("\xef\xbb\xbfa,b\r\n1,-2.5\r\n3,4e10"),
	} {
		t.Run(what, func(t *testing.T) {
			got, err := tablefile.Read(context.Background(), file(t, "t.csv", text), tablefile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkTable(t, got, names, columns)
		})
	}
}

func TestNumbersAreExact(t *testing.T) {
	want := []float64{0.1, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1), 1 << 53, 0}
	text := "x\n0.1\n1.7976931348623157e308\n5e-324\n-0\n9007199254740992\n1e-999\n"
	got, err := tablefile.Read(context.Background(), file(t, "t.csv", text), tablefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	values, _ := got.Column("x")
	for i, v := range values {
		if math.Float64bits(v) != math.Float64bits(want[i]) {
			t.Errorf("row %d: %v, want %v", i+1, v, want[i])
		}
	}
}

func TestStandardInputAndSeparator(t *testing.T) {
	for comma, text := range map[rune]string{';': "a;b\n1;2\n", '\t': "a\tb\n1\t2\n"} {
		options := tablefile.Options{Stdin: strings.NewReader(text), Comma: comma}
		got, err := tablefile.Read(context.Background(), "-", options)
		if err != nil {
			t.Fatal(err)
		}
		checkTable(t, got, []string{"a", "b"}, [][]float64{{1}, {2}})
	}
}

func TestSelectSkipsTheRest(t *testing.T) {
	text := "id,x,city,y\nA1,1,\"New York\nNY\",2\nA2,3,,4\n"
	got, err := tablefile.Read(context.Background(), file(t, "t.csv", text), tablefile.Options{}, "y", "x")
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, got, []string{"y", "x"}, [][]float64{{2, 4}, {1, 3}})
}

// The rows do not depend on the blocks they are asked for in, nor on the pieces
// that the file comes in.
func TestBlocks(t *testing.T) {
	var text strings.Builder
	text.WriteString("x,square\n")
	const rows = 23
	for i := range rows {
		fmt.Fprintf(&text, "%*d,%d\n", i, i, i*i) // lines of many lengths
	}
	for _, block := range []int{1, 2, 7, rows - 1, rows, rows + 1} {
		r, err := tablefile.NewReader(iotest.OneByteReader(strings.NewReader(text.String())), "t", tablefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		dst := [][]float64{make([]float64, block), make([]float64, block)}
		seen := 0
		for {
			n, err := r.Next(dst)
			for i := range n {
				if x := float64(seen + i); dst[0][i] != x || dst[1][i] != x*x {
					t.Errorf("blocks of %d: row %d is %v, %v", block, seen+i+1, dst[0][i], dst[1][i])
				}
			}
			seen += n
			if err == io.EOF && n == 0 {
				break
			}
			if err != nil || n == 0 {
				t.Fatalf("blocks of %d: Next returns %d, %v", block, n, err)
			}
		}
		if n, err := r.Next(dst); n != 0 || err != io.EOF || seen != rows {
			t.Errorf("blocks of %d: %d rows, then %d, %v", block, seen, n, err)
		}
	}
}

// More rows than a block, and more than one growth of the columns.
func TestReadAllOfALongFile(t *testing.T) {
	const rows = 50_000
	b := bytes.NewBufferString("i,−i\n")
	for i := range rows {
		fmt.Fprintf(b, "%d,%d\n", i, -i)
	}
	path := file(t, "long.csv.gz", zip(b.String()))
	size, _ := os.Stat(path)
	var calls int
	var read, total int64
	got, err := tablefile.Read(context.Background(), path, tablefile.Options{
		Progress: func(r, n int64) {
			if r < read {
				t.Errorf("progress goes back from %d to %d", read, r)
			}
			calls, read, total = calls+1, r, n
		}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows() != rows {
		t.Fatalf("%d rows, want %d", got.Rows(), rows)
	}
	up, _ := got.Column("i")
	down, _ := got.Column("−i")
	for i := range rows {
		if up[i] != float64(i) || down[i] != -float64(i) {
			t.Fatalf("row %d: %v, %v", i+1, up[i], down[i])
		}
	}
	if calls < 2 || read != size.Size() || total != size.Size() {
		t.Errorf("progress: %d calls, %d of %d bytes read, want all of %d", calls, read, total, size.Size())
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	options := tablefile.Options{
		Stdin:    io.MultiReader(strings.NewReader("x\n"), endless{}),
		Progress: func(read, total int64) { cancel() },
	}
	if _, err := tablefile.Read(ctx, "-", options); !errors.Is(err, context.Canceled) {
		t.Errorf("reading without end, cancelled: %v", err)
	}
}

// endless is rows without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "1\n"[i%2]
	}
	return len(p) &^ 1, nil
}

func TestNextPanicsOnShape(t *testing.T) {
	for _, dst := range [][][]float64{nil, {{0}}, {{0}, {0, 0}}, {{}, {}}} {
		r, err := tablefile.NewReader(strings.NewReader("a,b\n1,2\n"), "t", tablefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Next(%v) does not panic", dst)
				}
			}()
			r.Next(dst)
		}()
	}
}

// What is read a second time must be what was read the first time.
func TestFileThatChangesBetweenTwoReads(t *testing.T) {
	text := func(number, word string) string {
		return "a,b\n" + strings.Repeat(number+",2\n", 100000) + strings.Repeat(word+",2\n", 100001)
	}
	path := file(t, "t.csv", text("1", "x"))
	changed := false
	_, err := tablefile.Read(t.Context(), path, tablefile.Options{Progress: func(int64, int64) {
		if !changed {
			changed = true
			if err := os.WriteFile(path, []byte(text("7", "y")), 0o600); err != nil {
				t.Error(err)
			}
		}
	}})
	if err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("error %v", err)
	}
}
