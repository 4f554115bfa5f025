package tablefile_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"beziergp/tablefile"
)

func TestWriter(t *testing.T) {
	var b strings.Builder
	w, err := tablefile.NewWriter(&b, "mean", `"in", box`)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range []struct {
		mean tablefile.Floats
		in   tablefile.Bools
	}{
		{tablefile.Floats{0.1, -3, 1e21}, tablefile.Bools{true, false, true}},
		{nil, nil},
		{tablefile.Floats{math.NaN(), math.Inf(1)}, tablefile.Bools{false, false}},
	} {
		if err := w.Write(block.mean, block.in); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "mean,\"\"\"in\"\", box\"\n0.1,1\n-3,0\n1e+21,1\nNaN,0\n+Inf,0\n"
	if b.String() != want {
		t.Errorf("written %q, want %q", b.String(), want)
	}
}

// What is written reads back bit by bit, over all exponents.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var want tablefile.Floats
	for len(want) < 10_000 {
		if v := math.Float64frombits(rng.Uint64()); v-v == 0 { // finite
			want = append(want, v)
		}
	}
	var b bytes.Buffer
	w, err := tablefile.NewWriter(&b, "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(want), w.Flush()); err != nil {
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
		if math.Float64bits(got[i]) != math.Float64bits(v) {
			t.Errorf("%v reads back as %v", v, got[i])
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	var b strings.Builder
	for _, names := range [][]string{nil, {""}, {"a", "a"}} {
		if _, err := tablefile.NewWriter(&b, names...); err == nil || b.Len() > 0 {
			t.Errorf("names %q: %v, %q written", names, err, b.String())
		}
	}
	for _, columns := range [][]tablefile.Values{
		{tablefile.Floats{1}},
		{tablefile.Floats{1}, tablefile.Bools{true, false}},
	} {
		w, err := tablefile.NewWriter(&b, "a", "b")
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Write(%v) does not panic", columns)
				}
			}()
			w.Write(columns...)
		}()
	}
}

func TestWriterPassesOnFailure(t *testing.T) {
	w, err := tablefile.NewWriter(&disk{space: len("x\n")}, "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tablefile.NewWriter(&disk{}, "x"); err != errFull {
		t.Errorf("header on a full disk: %v", err)
	}
	block := make(tablefile.Floats, 100_000) // more than any buffer
	if err := w.Write(block); err != errFull {
		t.Errorf("Write to a full disk: %v", err)
	}
	if err := w.Flush(); err != errFull {
		t.Errorf("Flush to a full disk: %v", err)
	}
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
