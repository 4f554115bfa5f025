package data

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beziergp/metric"
	"beziergp/tablefile"
)

// put writes a file of a folder.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestGeneratedIsAFunctionOfItsShape(t *testing.T) {
	g := Generated{Rows: 300, Inputs: 5}
	var files [2][]byte
	for i := range files {
		table, err := g.Ready(t.Context(), Places{Work: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(table.Path); err != nil {
			t.Fatal(err)
		}
		rows, err := tablefile.Read(t.Context(), table.Path, tablefile.Options{})
		if err != nil || rows.Rows() != 300 || len(rows.Names()) != 6 || table.Target != "y" || table.Floor != Noise {
			t.Errorf("%+v: %v, %v", table, rows.Names(), err)
		}
		if _, err := tablefile.ReadMask(t.Context(), table.Mask, "split2", 300); err != nil {
			t.Error(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two tables of one shape differ")
	}
}

func TestArmReachesWhereGeometrySaysSo(t *testing.T) {
	for _, test := range []struct{ angles, want []float64 }{
		{[]float64{0, 0, 0, 0}, []float64{1, 0}},
		{[]float64{math.Pi / 2, 0}, []float64{0, 1}},
		{[]float64{0, math.Pi / 2}, []float64{0.5, 0.5}},
		{[]float64{math.Pi / 3, math.Pi / 3, math.Pi / 3}, []float64{(0.5 - 0.5 - 1) / 3, 2 * math.Sqrt(0.75) / 3}},
	} {
		if got, want := distance(test.angles), math.Hypot(test.want[0]-0.5, test.want[1]-0.5); math.Abs(got-want) > 1e-15 {
			t.Errorf("%v: %g, want %g", test.angles, got, want)
		}
	}
	a, p := Arm{Rows: 50, Links: 3}, Places{Work: t.TempDir()}
	table, err := a.Ready(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tablefile.Read(t.Context(), table.Path, tablefile.Options{})
	if err != nil || rows.Rows() != 50 || table.Floor != 0 {
		t.Fatalf("%+v, %v", table, err)
	}
	var columns [][]float64
	for _, name := range []string{"x1", "x2", "x3", "y"} {
		values, _ := rows.Column(name)
		columns = append(columns, values)
	}
	for i := range 50 {
		angles := []float64{columns[0][i], columns[1][i], columns[2][i]}
		if got, want := columns[3][i], distance(angles); math.Abs(got-want) > 1e-6 {
			t.Errorf("row %d: %g, want %g", i, got, want)
		}
	}
}

// A table of several row groups has all rows, and is not made a second time.
func TestGeneratedIsMadeOnce(t *testing.T) {
	g, p := Generated{Rows: groupRows + 7, Inputs: 2}, Places{Work: t.TempDir()}
	table, err := g.Ready(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tablefile.Read(t.Context(), table.Path, tablefile.Options{})
	if err != nil || rows.Rows() != g.Rows {
		t.Errorf("%d rows, %v", rows.Rows(), err)
	}
	put(t, p.Work, "generated-65543x2/data.parquet", "kept")
	if _, err := g.Ready(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(table.Path); string(text) != "kept" {
		t.Error("it is made again")
	}
}

func TestInterruptedTableLeavesNothing(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	work := t.TempDir()
	if _, err := (Generated{Rows: 100, Inputs: 2}).Ready(ctx, Places{Work: work}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(work, "*", "*")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// The noise has the deviation that is told, f one of about 1, and neighbours among the
// inputs are correlated.
func TestNoiseFloor(t *testing.T) {
	const n = 20000
	for _, shape := range []Generated{{n, 4}, {n, 90}} {
		source, x := shape.source(), make([]float64, shape.Inputs)
		var f, noise []float64
		together := 0.0
		for range n {
			value, e := source.next(x)
			f, noise = append(f, value), append(noise, e)
			together += 12 * (x[0] - 0.5) * (x[1] - 0.5) / n
			for _, v := range x {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("input %g", v)
				}
			}
		}
		_, sd := metric.MeanSD(noise)
		if math.Abs(sd/Noise-1) > 0.02 {
			t.Errorf("%+v: the noise has deviation %g, want %g", shape, sd, Noise)
		}
		if _, sd := metric.MeanSD(f); sd < 0.6 || sd > 1.7 {
			t.Errorf("%+v: f has deviation %g", shape, sd)
		}
		// Ranks of Gaussians of correlation ρ have 6/π·asin(ρ/2).
		if want := 6 / math.Pi * math.Asin(0.25); math.Abs(together-want) > 0.03 {
			t.Errorf("%+v: neighbours have correlation %g, want %g", shape, together, want)
		}
	}
}

func TestDerived(t *testing.T) {
	p := Places{Data: t.TempDir(), Work: t.TempDir()}
	put(t, p.Data, "runs/data.csv", "a,first,second,b\n1,2,4,9\n5,6,8,7\n3,1,1,0\n")
	d := Derived{Folder: Folder{Name: "runs", Target: "first"}, From: []string{"second", "first"}, Of: func(v []float64) float64 { return v[0] - 2*v[1] }}
	table, err := d.Ready(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tablefile.Read(t.Context(), table.Path, tablefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	y, _ := rows.Column("y")
	if got := strings.Join(rows.Names(), ","); got != "a,b,y" || y[0] != 0 || y[1] != -4 || y[2] != -1 {
		t.Errorf("%s, y %v", got, y)
	}
	d.From = []string{"third"}
	_, err = d.Ready(t.Context(), Places{Data: p.Data, Work: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), `column "third": there is no such column`) {
		t.Errorf("error %v", err)
	}
}

func TestPositive(t *testing.T) {
	p := Places{Data: t.TempDir(), Work: t.TempDir()}
	put(t, p.Data, "claims/data.csv", "years,y,town\n1,2,\"Ham, East\"\n0,0,B\n0.5,1,C\n,3,D\n")
	put(t, p.Data, "claims/test_mask.csv", "split0,split1\n0,1\n1,0\n1,0\n0,0\n")
	s := Positive{Folder{Name: "claims"}, "years"}
	table, err := s.Ready(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{table.Path: "years,y,town\n1,2,\"Ham, East\"\n0.5,1,C\n", table.Mask: "split0,split1\n0,1\n1,0\n"} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s holds %q (%v), want %q", path, text, err, want)
		}
	}
	for name, c := range map[string]struct{ data, mask, want string }{
		"none":  {"y\n1\n", "split0\n1\n", `column "years": there is no such column`},
		"text":  {"y,years\n1,two\n", "split0\n1\n", `row 1, column "years": "two" is no number`},
		"short": {"y,years\n1,2\n1,3\n", "split0\n1\n", "it has 1 rows, and the other file 2"},
	} {
		put(t, p.Data, name+"/data.csv", c.data)
		put(t, p.Data, name+"/test_mask.csv", c.mask)
		if _, err := (Positive{Folder{Name: name}, "years"}).Ready(t.Context(), p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if left, _ := filepath.Glob(filepath.Join(p.Work, name+"-positive", "test_mask*")); len(left) > 0 {
			t.Errorf("%s leaves %v", name, left)
		}
	}
}

func TestFolder(t *testing.T) {
	p := Places{Data: t.TempDir(), Work: t.TempDir()}
	put(t, p.Data, "masked/data.csv", "a,y\n1,2\n2,3\n")
	put(t, p.Data, "masked/test_mask.csv", "split0,split1\n0,1\n1,0\n")
	put(t, p.Data, "bare/data.csv", "a,y\n"+strings.Repeat("1,2\n", 1000))
	if n, err := (Folder{Name: "masked"}).Splits(p); n != 2 || err != nil {
		t.Errorf("%d splits, %v", n, err)
	}
	if n, err := (Folder{Name: "bare"}).Splits(p); n != drawnSplits || err != nil {
		t.Errorf("%d splits, %v", n, err)
	}
	table, err := Folder{Name: "bare"}.Ready(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	mask, err := tablefile.ReadMask(t.Context(), table.Mask, "split1", 1000)
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, test := range mask {
		if test {
			marked++
		}
	}
	if marked < 60 || marked > 140 {
		t.Errorf("%d of 1000 rows are marked", marked)
	}
	for _, p := range []Places{p, {}} {
		if _, err := (Folder{Name: "none"}).Splits(p); !errors.Is(err, ErrAbsent) {
			t.Errorf("error %v", err)
		}
	}
}
