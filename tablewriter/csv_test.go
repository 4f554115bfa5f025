package tablewriter_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"beziergp/table/exact"
	"beziergp/tablefile"
	"beziergp/tablewriter"
)

func numbers(name string) tablewriter.Field {
	return tablewriter.Field{Name: name, Kind: exact.Kind{Type: exact.Number}}
}

func TestBlocksOfCSV(t *testing.T) {
	var b strings.Builder
	w, err := tablewriter.New(&b, tablewriter.CSV, numbers("mean"), tablewriter.Field{Name: `"in", box`, Kind: exact.Kind{Type: exact.Truth}})
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range []struct {
		mean []float64
		in   []bool
	}{
		{[]float64{0.1, -3, 1e21}, []bool{true, false, true}},
		{nil, nil},
		{[]float64{math.NaN(), math.Inf(1)}, []bool{false, false}},
	} {
		if err := w.Write(exact.Numbers(block.mean), exact.Truths(block.in)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := "mean,\"\"\"in\"\", box\"\n0.1,true\n-3,false\n1e+21,true\n,false\n+Inf,false\n"
	if b.String() != want {
		t.Errorf("written %q, want %q", b.String(), want)
	}
}

// What is written reads back bit by bit, over all exponents.
func TestNumbersReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var want []float64
	for len(want) < 10_000 {
		if v := math.Float64frombits(rng.Uint64()); v-v == 0 { // finite
			want = append(want, v)
		}
	}
	want[17] = math.NaN() // alone on its line
	var b bytes.Buffer
	if err := tablewriter.Write(&b, tablewriter.CSV, []string{"x"}, []*exact.Column{exact.Numbers(want)}); err != nil {
		t.Fatal(err)
	}
	r, err := tablefile.NewReader(&b, "t", tablefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tab, err := r.ReadAll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, _ := tab.Column("x")
	for i, v := range want {
		if math.Float64bits(got[i]) != math.Float64bits(v) && v == v || got[i] == got[i] && v != v {
			t.Errorf("%v reads back as %v", v, got[i])
		}
	}
}

func TestWritersRefuse(t *testing.T) {
	for _, format := range tablewriter.Formats() {
		var b bytes.Buffer
		for _, fields := range [][]tablewriter.Field{nil, {numbers("")}, {numbers("a"), numbers("a")}, {numbers("\xff")}} {
			if _, err := tablewriter.New(&b, format, fields...); err == nil || b.Len() > 0 {
				t.Errorf("%s of %v: %v, %q written", format, fields, err, &b)
			}
		}
		for _, columns := range [][]*exact.Column{
			{exact.Numbers([]float64{1})},
			{exact.Numbers([]float64{1}), exact.Numbers([]float64{1, 2})},
			{exact.Numbers([]float64{1}), exact.Integers([]int64{1})},
		} {
			w, err := tablewriter.New(&b, format, numbers("a"), numbers("b"))
			if err != nil {
				t.Fatal(err)
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: Write(%v) does not panic", format, columns)
					}
				}()
				w.Write(columns...)
			}()
		}
	}
	if _, err := tablewriter.New(new(bytes.Buffer), "xlsx", numbers("a")); err == nil || !strings.Contains(err.Error(), "csv tsv") {
		t.Errorf("an unknown format: %v", err)
	}
}

// A full disk is told of, at once or at the end.
func TestFullDisks(t *testing.T) {
	for _, format := range tablewriter.Formats() {
		for _, space := range []int{0, 2, 1000, 100_000} {
			w, err := tablewriter.New(&disk{space: space}, format, numbers("x"))
			if err == nil {
				err = w.Write(exact.Numbers(make([]float64, 300_000))) // more than any buffer
			}
			for i := 0; err == nil && i < 3; i++ {
				err = w.Write(exact.Numbers(noise(300_000)))
			}
			if err == nil {
				err = w.Close()
			}
			if !errors.Is(err, errFull) {
				t.Errorf("%s on a disk of %d bytes: %v", format, space, err)
			}
		}
	}
}

// noise does not compress.
func noise(n int) []float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

var errFull = errors.New("no space left")

// disk is full once its space is used up.
type disk struct{ space int }

func (d *disk) Write(p []byte) (int, error) {
	if len(p) > d.space {
		return 0, errFull
	}
	d.space -= len(p)
	return len(p), nil
}
