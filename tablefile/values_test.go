package tablefile

import (
	"math"
	"strings"
	"testing"
)

func TestWriteGapsAndTruths(t *testing.T) {
	var b strings.Builder
	w, err := NewWriter(&b, "mean", "in_box")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(Gaps{0.1, math.NaN()}, Truths{true, false}); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "mean,in_box\n0.1,true\n,false\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}
