package tablefile

import (
	"context"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"beziergp/table"
	"beziergp/table/exact"
)

// fake is a source with types that hands out its rows in two blocks.
type fake struct {
	names    []string
	cells    []typedCells
	rows     int
	selected []int
	at       int
}

func (f *fake) Names() []string            { return f.names }
func (f *fake) Select(columns []int) error { f.selected = columns; return nil }
func (f *fake) Keep([]int)                 {}
func (f *fake) Kind(int) exact.Kind        { return exact.Kind{} }
func (f *fake) Progress() (int64, int64)   { return int64(f.at), int64(f.rows) }
func (f *fake) Close() error               { return nil }
func (f *fake) reader(o Options) *Reader {
	r, _ := (&Reader{options: o, files: []string{"fake"}, size: -1}).begin(&typedBody{file: f})
	return r
}

func (f *fake) Next(context.Context) ([]typedCells, int, error) {
	if f.at == f.rows {
		return nil, 0, io.EOF
	}
	end := min(f.rows, f.at+2)
	var out []typedCells
	for _, j := range f.selected {
		c := f.cells[j]
		if c.Numbers != nil {
			c.Numbers = c.Numbers[f.at:end]
		}
		if c.Texts != nil {
			c.Texts = c.Texts[f.at:end]
		}
		if c.Missing != nil {
			c.Missing = c.Missing[f.at:end]
		}
		out = append(out, c)
	}
	n := end - f.at
	f.at = end
	return out, n, nil
}

func fixture() *fake {
	day := float64(time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC).Unix())
	nan := math.NaN()
	return &fake{rows: 5, names: []string{"n", "b", "t", "s", "m", "none"}, cells: []typedCells{
		{Kind: numberCells, Numbers: []float64{1, 0.1, nan, 1e21, -3}},
		{Kind: boolCells, Numbers: []float64{1, 0, nan, 1, 0}},
		{Kind: timeCells, Numbers: []float64{day, day + 0.25, nan, -1.5, 0}},
		{Kind: textCells, Texts: []string{"red", " blue", "", "NA", "x"}, Missing: []bool{false, false, false, false, true}},
		{Kind: textCells, Texts: []string{"1", "2.50", "", "3", "4"}},
		{Kind: boolCells, Numbers: []float64{nan, nan, nan, nan, nan}},
	}}
}

const sameAsFixture = `n,b,t,s,m,none
1,true,2024-02-29,red,1,
0.1,False,2024-02-29 00:00:00.250,blue,2.5,NA
,,,,,
1e21,Y,1969-12-31T23:59:58.5Z,,3,
-3,f,1970-01-01T02:00+02,?,4,
`

// A table is the same to the bit from a source with types and from text, whatever
// kinds are given.
func TestTypedAndTextAgree(t *testing.T) {
	for _, o := range []Options{
		{},
		{Kinds: map[string]table.Kind{"n": table.Category, "b": table.Boolean, "m": table.Category}},
		{Schema: []table.Field{{Name: "s", Kind: table.Category, Levels: []string{"blue"}}, {Name: "n"}, {Name: "m", Kind: table.Category, Levels: []string{"2.5", "3"}}}},
		{Rows: 3}, {Rows: 2},
	} {
		typed, err := fixture().reader(o).ReadAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(strings.NewReader(sameAsFixture), "t.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		text, err := r.ReadAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if typed.Rows() != text.Rows() {
			t.Fatalf("%d and %d rows", typed.Rows(), text.Rows())
		}
		for _, name := range typed.Names() {
			a, _ := typed.Column(name)
			b, _ := text.Column(name)
			fa, _ := typed.Field(name)
			fb, _ := text.Field(name)
			if fa.Kind != fb.Kind || strings.Join(fa.Levels, "|") != strings.Join(fb.Levels, "|") {
				t.Errorf("%+v: column %q is %+v and %+v", o, name, fa, fb)
			}
			for i := range a {
				if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
					t.Errorf("%+v: column %q, row %d: %v and %v", o, name, i+1, a[i], b[i])
				}
			}
		}
	}
}

func TestTypedNextAndFaults(t *testing.T) {
	r := fixture().reader(Options{Schema: []table.Field{{Name: "n"}, {Name: "b", Kind: table.Boolean}}})
	if err := r.Select("b", "n"); err != nil {
		t.Fatal(err)
	}
	dst := [][]float64{make([]float64, 3), make([]float64, 3)}
	if n, err := r.Next(dst); n != 3 || err != nil || dst[0][0] != 1 || dst[1][1] != 0.1 || dst[0][2] == dst[0][2] {
		t.Errorf("Next: %d, %v, %v", n, err, dst)
	}
	if n, err := r.Next(dst); n != 2 || err != nil || dst[1][1] != -3 {
		t.Errorf("Next: %d, %v, %v", n, err, dst)
	}
	// Infinities are no numbers, and without a schema none is missing.
	f := fixture()
	f.cells[0].Numbers[3] = math.Inf(1)
	if _, err := f.reader(Options{}).ReadAll(t.Context()); err == nil ||
		!strings.HasPrefix(err.Error(), `fake: row 4, column "n": "+Inf" is not finite`) {
		t.Errorf("infinity: %v", err)
	}
	r = fixture().reader(Options{})
	if err := r.Select("n"); err != nil {
		t.Fatal(err)
	}
	if n, err := r.Next(dst[:1]); n != 2 || err == nil || !strings.HasPrefix(err.Error(), `fake: row 3, column "n": there is no value`) {
		t.Errorf("missing: %d, %v", n, err)
	}
}
