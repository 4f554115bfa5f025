package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beziergp"
	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/model"
	"beziergp/rival"
	"beziergp/rival/method/constant"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/table/cell"
	"beziergp/tablefile"
)

// A process with numbers, a category with rare levels and a date, and a rival.
const (
	process = "../model/testdata/format4.bgp"
	other   = "../rival/testdata/format1.bgp"
)

func load(t testing.TB, path string) serve.Model {
	t.Helper()
	m, err := serve.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLoadTellsKindsApart(t *testing.T) {
	if _, ok := load(t, process).(*model.Model); !ok {
		t.Error("a process is read as something else")
	}
	if _, ok := load(t, other).(*rival.Model); !ok {
		t.Error("a rival is read as something else")
	}
	for _, path := range []string{process, other} {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := serve.Read(bytes.NewReader(file[:len(file)-1]))
		var bad *model.FileError
		if m != nil || !errors.As(err, &bad) {
			t.Errorf("%s: damaged it is %v, error %v", path, m, err)
		}
		if m, err := serve.Read(bytes.NewReader(file)); err != nil || m.Target().Name == "" {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if m, err := serve.Load("none"); m != nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file is %v, error %v", m, err)
	}
}

// fields has every kind, and levels that numbers write.
func fields() []table.Field {
	return []table.Field{
		{Name: "number"}, {Name: "truth", Kind: table.Boolean}, {Name: "when", Kind: table.DateTime},
		{Name: "level", Kind: table.Category, Levels: []string{"1.5", "8000", "red", "true"}, Pooled: table.NewFingerprints("level", nil, []string{"rare"})},
	}
}

// A text has the value that it has in a file, whatever the column.
func TestTextsAreReadAsCells(t *testing.T) {
	for _, words := range []*cell.Words{nil, cell.NewWords(nil), cell.NewWords([]string{"red", "1", "2024-02-29"})} {
		checkTexts(t, words)
	}
}

func checkTexts(t *testing.T, words *cell.Words) {
	s := serve.NewSchema(fields(), words)
	texts := []string{"", "NA", "null", "?", " 7 ", "1", "1.0", "0", "-2.5e3", "1e999", "1,5", "Inf", "true", "no", "2024-02-29", "2024-02-29T13:45:30+02:00",
		"2023-02-29", "red", "8000", "8000.0", "8e3", "007", "rare", "unseen", "True", "1.50"}
	for i, f := range fields() {
		for _, text := range texts {
			path := filepath.Join(t.TempDir(), "t.csv")
			quoted, _ := json.Marshal(text) // without a quotation mark inside
			if err := os.WriteFile(path, fmt.Appendf(nil, "%s,z\n%s,1\n", f.Name, quoted), 0o600); err != nil {
				t.Fatal(err)
			}
			tab, fault := tablefile.Read(context.Background(), path, tablefile.Options{Schema: []table.Field{f, {Name: "z"}}, Missing: words})
			values := map[string]any{"number": nil, "truth": nil, "when": nil, "level": nil}
			values[f.Name] = text
			row, err := s.Row(values)
			var bad *serve.ValueError
			if (err == nil) != (fault == nil) || err != nil && (!errors.As(err, &bad) || bad.Column != f.Name || bad.Value != any(text)) {
				t.Errorf("%s %q: error %v, that of a file %v", f.Name, text, err, fault)
			}
			if err != nil || fault != nil {
				continue
			}
			want, _ := tab.Column(f.Name)
			if math.Float64bits(row[i]) != math.Float64bits(want[0]) {
				t.Errorf("%s %q is %g, in a file %g", f.Name, text, row[i], want[0])
			}
		}
	}
}

func TestValuesOfGo(t *testing.T) {
	s, nan := serve.NewSchema(fields(), nil), math.NaN()
	for _, c := range []struct {
		column string
		value  any
		want   float64
		says   string // of an error
	}{
		{"number", 3, 3, ""}, {"number", int8(-3), -3, ""}, {"number", uint64(1 << 63), 1 << 63, ""}, {"number", float32(0.5), 0.5, ""},
		{"number", true, 0, `column "number": true is not a number; mend the value`}, {"number", nan, nan, ""}, {"number", nil, nan, ""}, {"number", json.Number("2.5"), 2.5, ""},
		{"number", math.Inf(1), 0, `column "number": +Inf is not finite`}, {"number", "abc", 0, `column "number": "abc" is not a number; mend the value`},
		{"number", json.Number("1e999"), 0, "too large"}, {"number", []int{1}, 0, "is of the type []int"}, {"number", time.Now(), 0, "is a time"},
		{"truth", false, 0, ""}, {"truth", 1, 1, ""}, {"truth", 2, 0, "neither 0 nor 1"}, {"truth", json.Number("2"), 0, "neither true nor false"},
		{"when", time.Date(1970, 1, 2, 1, 0, 0, 5e8, time.FixedZone("", 3600)), 86400.5, ""}, {"when", 7, 0, "ISO 8601"}, {"when", true, 0, "ISO 8601"},
		{"level", "red", 2, ""}, {"level", 8000, 1, ""}, {"level", json.Number("8000.0"), 1, ""}, {"level", 1.5, 0, ""}, {"level", true, 3, ""},
		{"level", "rare", 4, ""}, {"level", "unseen", 5, ""}, {"level", uint8(9), 5, ""}, {"level", nan, nan, ""}, {"level", time.Now(), 0, "is a time"},
	} {
		values := map[string]any{"number": nil, "truth": nil, "when": nil, "level": nil, "further": struct{}{}}
		values[c.column] = c.value
		row, err := s.Row(values)
		if c.says != "" {
			var bad *serve.ValueError
			if !errors.As(err, &bad) || bad.Column != c.column || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s %v: error %v, want one that says %q", c.column, c.value, err, c.says)
			}
			continue
		}
		at := slices.IndexFunc(fields(), func(f table.Field) bool { return f.Name == c.column })
		if err != nil || math.Float64bits(row[at]) != math.Float64bits(c.want) {
			t.Errorf("%s %v is %v, error %v; want %g", c.column, c.value, row, err, c.want)
		}
	}
	_, err := s.Row(map[string]any{"number": 1, "truth": 1, "When": nil, "level": nil})
	var unknown *table.UnknownError
	if !errors.As(err, &unknown) || unknown.Name != "when" || !slices.Equal(unknown.Near, []string{"When"}) {
		t.Errorf("error %v", err)
	}
}

func TestRowsOfJSON(t *testing.T) {
	s := serve.NewSchema(fields(), nil)
	row, err := s.RowOfJSON([]byte(` {"level": 8000, "more": [{"a": 1}], "number": -1.5e1, "truth": true, "when": null} `))
	if err != nil || row[0] != -15 || row[1] != 1 || row[2] == row[2] || row[3] != 1 {
		t.Errorf("row %v, error %v", row, err)
	}
	for text, says := range map[string]string{
		``: "it ends too soon", `[1]`: "[ where { should be", `null`: "null where { should be", `{"number": 1`: "it ends too soon", `{"number": 1, "number": 2}`: `"number" stands twice`,
		`{} {}`: "follows", `{"number": +1}`: "invalid character",
	} {
		_, err := s.RowOfJSON([]byte(text))
		var bad *serve.RowError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", text, err, says)
		}
	}
	var bad *serve.ValueError
	for text, says := range map[string]string{`{"a": [1]}`: `{"a":[1]} is an object`, `[1, "b"]`: `[1,"b"] is a list`} {
		_, err := s.RowOfJSON([]byte(`{"number": ` + text + `, "truth": 1, "when": 1, "level": 1}`))
		if !errors.As(err, &bad) || bad.Column != "number" || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
}

func FuzzRowOfJSON(f *testing.F) {
	f.Add([]byte(`{"number": 1, "truth": false, "when": "2024-01-01", "level": "red"}`))
	f.Add([]byte(`{"number": "NA", "truth": "yes", "when": null, "level": 1.5, "number": 1}`))
	s := serve.NewSchema(fields(), nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		row, err := s.RowOfJSON(text)
		for i, v := range row {
			if problem := fields()[i].Problem(v); problem != "" {
				t.Errorf("%s: value %g of %s %s", text, v, fields()[i].Name, problem)
			}
		}
		if err == nil && !json.Valid(text) {
			t.Errorf("%q is a row", text)
		}
	})
}

// requests are of the process's columns: within the box and beyond, of levels that are
// rare or unknown, with values missing.
func requests() []map[string]any {
	var all []map[string]any
	for i := range 40 {
		r := map[string]any{
			"x": float64(i) / 40, "z": 0.2 * float64(i), "c": []string{"ant", "bee", "cow", "rare person", "nobody"}[i%5],
			"when": time.Date(2024, time.Month(1+i%9), 3, 0, 0, 0, 0, time.UTC),
		}
		if i%7 == 0 {
			r["x"] = nil
		}
		all = append(all, r)
	}
	return all
}

// Rows of a pool, asked for by many at once, are predicted as those of a table are, to the
// bit, and what is outside is told.
func TestPoolPredictsAsTablesAre(t *testing.T) {
	m := load(t, process)
	s := serve.NewSchema(m.Columns(), m.Missing())
	columns := make([]table.Column, len(m.Columns()))
	var rows [][]float64
	for _, r := range requests() {
		row, err := s.Row(r)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
		for i, v := range row {
			columns[i] = table.NewColumn(m.Columns()[i], append(columns[i].Values, v))
		}
	}
	tab, err := table.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []model.PredictOptions{{}, {Policy: box.Flag, Point: model.MedianPoint}, {Interval: model.ConformalInterval}} {
		want, err := m.Predict(context.Background(), tab, o)
		if err != nil {
			t.Fatal(err)
		}
		pool, err := serve.NewPool(m, o)
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for caller := range 4 {
			group.Go(func() {
				var p model.Predictions
				for i := range rows {
					i = (i + 10*caller) % len(rows)
					if err := pool.Predict(context.Background(), rows[i], &p); err != nil {
						t.Error(err)
						return
					}
					same := p.InBox[0] == want.InBox[i] && p.Clamped[0] == want.Clamped[i]
					for _, c := range [][2]float64{{p.Mean[0], want.Mean[i]}, {p.Point[0], want.Point[i]}, {p.StdF[0], want.StdF[i]}, {p.Std[0], want.Std[i]},
						{p.Lower[0], want.Lower[i]}, {p.Upper[0], want.Upper[i]}, {p.Distribution(0).Quantile(0.3), want.Distribution(i).Quantile(0.3)}} {
						same = same && math.Float64bits(c[0]) == math.Float64bits(c[1])
					}
					if !same {
						t.Errorf("row %d: %g ± %g, in a table %g ± %g", i, p.Mean[0], p.Std[0], want.Mean[i], want.Std[i])
					}
				}
			})
		}
		group.Wait()
	}
}

func TestPoolRefuses(t *testing.T) {
	m := load(t, process)
	var option *limit.OptionError
	if _, err := serve.NewPool(m, model.PredictOptions{Workers: 2}); !errors.As(err, &option) || option.Option != "workers" {
		t.Errorf("error %v", err)
	}
	if _, err := serve.NewPool(m, model.PredictOptions{Point: "mode"}); !errors.As(err, &option) {
		t.Errorf("error %v", err)
	}
	pool, err := serve.NewPool(m, model.PredictOptions{Policy: box.Refuse})
	if err != nil {
		t.Fatal(err)
	}
	var p model.Predictions
	if err := pool.Predict(context.Background(), []float64{0.5, 1}, &p); err == nil {
		t.Error("a row of two values is predicted")
	}
	for range 3 { // each is row 1
		var outside *box.OutsideError
		if err := pool.Predict(context.Background(), []float64{0.5, 99, 0, 1.71e9}, &p); !errors.As(err, &outside) || outside.Row != 1 || outside.Column != "z" {
			t.Errorf("error %v", err)
		}
		if err := pool.Predict(context.Background(), []float64{0.5, 2, 0, 1.71e9}, &p); err != nil {
			t.Error(err)
		}
	}
}

// A rival's rows are predicted by a pool, too.
func TestPoolOfARival(t *testing.T) {
	m := load(t, other)
	values := map[string]any{}
	for _, c := range m.Columns() {
		values[c.Name] = nil
	}
	row, err := serve.NewSchema(m.Columns(), m.Missing()).Row(values)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := serve.NewPool(m, model.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var p model.Predictions
	if err := pool.Predict(context.Background(), row, &p); err != nil || len(p.Mean) != 1 || !(p.Std[0] > 0) {
		t.Errorf("%+v, error %v", p, err)
	}
}

// A row after the first ones is predicted in memory that is there.
func TestPoolMakesNoMemory(t *testing.T) {
	m := load(t, process)
	row := make([]float64, len(m.Columns()))
	for name, o := range map[string]model.PredictOptions{"all": {}, "mean alone": {MeanAlone: true}} {
		pool, err := serve.NewPool(m, o)
		if err != nil {
			t.Fatal(err)
		}
		var p model.Predictions
		if n := testing.AllocsPerRun(200, func() {
			if err := pool.Predict(context.Background(), row, &p); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: a row makes %g pieces of memory", name, n)
		}
	}
}

func BenchmarkPool(b *testing.B) {
	for name, path := range map[string]string{"bezier": process, "rival": other} {
		m := load(b, path)
		row := make([]float64, len(m.Columns()))
		for i := range row {
			row[i] = math.NaN()
		}
		b.Run(name, func(b *testing.B) {
			pool, err := serve.NewPool(m, model.PredictOptions{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				var p model.Predictions
				for pb.Next() {
					if err := pool.Predict(context.Background(), row, &p); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// Who takes means and intervals alone gets no model of classes, of two neither.
func TestNumberOnly(t *testing.T) {
	if m, err := serve.NumberOnly(serve.Load(process)); m == nil || err != nil {
		t.Errorf("a model of a number is %v, error %v", m, err)
	}
	if m, err := serve.NumberOnly(serve.Load("none")); m != nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file is %v, error %v", m, err)
	}
	for _, levels := range [][]string{{"late", "on time"}, {"a", "b", "c"}} {
		m, err := serve.NumberOnly(classes(t, levels), nil)
		if m != nil || err == nil || !strings.Contains(err.Error(), fmt.Sprintf(`the target "y" has %d classes`, len(levels))) {
			t.Errorf("%d classes: %v, error %v", len(levels), m, err)
		}
	}
}

// classes is a model of classes.
func classes(t *testing.T, levels []string) serve.Model {
	t.Helper()
	y := table.Column{Name: "y", Kind: table.Category, Levels: levels}
	var x []float64
	for i := range 30 {
		x, y.Values = append(x, float64(i)), append(y.Values, float64(i%len(levels)))
	}
	tab, err := table.New(table.ColumnOf("x", x), y)
	if err != nil {
		t.Fatal(err)
	}
	m, err := beziergp.FitRival(context.Background(), tab, "y", constant.Method{}, beziergp.RivalOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
