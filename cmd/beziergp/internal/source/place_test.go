package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/train/paper"
)

// An error about a value names its file, its row and line there, its column and its text,
// whatever rows are taken, dropped or come before, in memory and on disk.
func TestErrorsNameTheirPlace(t *testing.T) {
	dir := t.TempDir()
	// Row r of 20: a text with a line break in row 2, no target in rows 4 and 5, weight 0 in
	// row 6.
	lines := func(bad int, column string, value string) string {
		var b strings.Builder
		b.WriteString("note,x,y,w,test\n")
		for r := 1; r <= 20; r++ {
			cells := map[string]string{"note": "a", "x": fmt.Sprint(r), "y": fmt.Sprint(r % 3), "w": "1", "test": fmt.Sprint(r % 2)}
			switch {
			case r == 2:
				cells["note"] = "\"two\nlines\""
			case r == 4 || r == 5:
				cells["y"] = ""
			case r == 6:
				cells["w"] = "0"
			}
			if r == bad {
				cells[column] = value
			}
			fmt.Fprintf(&b, "%s,%s,%s,%s,%s\n", cells["note"], cells["x"], cells["y"], cells["w"], cells["test"])
		}
		return b.String()
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	quick := paper.Recipe{Steps: 1, Orderings: 1, Order: 2}
	heldIn := 0 // the last row that a holdout leaves to training
	for r := range 20 {
		if !heldOut(r, 0.4) {
			heldIn = r + 1
		}
	}
	for _, c := range []struct {
		column, value, says string
		o                   beziergp.Options
	}{
		{"x", "99.50", `"99.50" lies outside the declared bounds [0, 50]`, beziergp.Options{Bounds: map[string]beziergp.Bounds{"x": {Lo: 0, Hi: 50}}}},
		{"y", "-2", `"-2" is no number above −1, which log1p takes`, beziergp.Options{TargetTransform: beziergp.Log1p}},
		{"w", "-3", `"-3" is no weight`, beziergp.Options{Weights: "w"}},
		{"w", "", `the value is no weight`, beziergp.Options{Weights: "w"}},
		{"w", "1e-99", `"1e-99" is too small a weight`, beziergp.Options{Weights: "w"}},
		{"w", "1e9", `of all weights, so that one row would decide alone`, beziergp.Options{Weights: "w"}},
	} {
		c.o.Recipe = quick
		for _, bytes := range []int64{inMemory, onDisk} {
			for name, options := range map[string]Options{"all": {}, "mask": {}, "holdout": {Holdout: 0.4}, "files": {}} {
				bad, path := 18, ""
				if name == "holdout" {
					bad = heldIn
				}
				path = write("t.csv", lines(bad, c.column, c.value))
				want := fmt.Sprintf("%s: row %d (line %d), column %q: ", path, bad, bad+2, c.column)
				switch name {
				case "mask":
					options.Mask = Mask{path, "test"}
				case "files":
					second := write("u-2.csv", lines(bad, c.column, c.value))
					write("u-1.csv", lines(0, "", ""))
					path = filepath.Join(dir, "u-*.csv")
					want = fmt.Sprintf("%s: row %d (line %d), column %q: ", second, bad, bad+2, c.column)
				}
				_, err := learn(t, path, options, bytes, c.o)
				if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%s, %d bytes: error\n%v, want\n%s… %s", name, bytes, err, want, c.says)
				}
			}
		}
	}
}

// A table that cannot be read twice tells the row.
func TestErrorsOfAPipeNameTheRow(t *testing.T) {
	tab, err := Open(t.Context(), "-", Options{}, false, streams.Streams{In: strings.NewReader("x\n1\n2\n"), Console: console.New(io.Discard)}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tab.ReadAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = tab.Locate(t.Context(), &box.ValueError{Place: box.Place{Row: 2, Column: "x"}, Value: 2})
	if want := `standard input: row 2, column "x": the value is not a finite number; mend the value or remove the row`; err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	var value *box.ValueError
	if !errors.As(err, &value) {
		t.Error("the cause is lost")
	}
}
