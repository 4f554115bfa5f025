package beziergp_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"beziergp"
	"beziergp/box"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/tablefile"
	"beziergp/train"
	"beziergp/train/paper"
)

// dated is a table of hours that are there as a date-time, or in parts.
func dated(t *testing.T, inParts bool) *beziergp.Table {
	t.Helper()
	const n = 300
	parts, when := make([][]float64, 4), make([]float64, n)
	for k := range parts {
		parts[k] = make([]float64, n)
	}
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		at := time.Date(2019, 11, 3, 0, 0, 0, 0, time.UTC).Add(time.Duration(i*i*31%20000) * time.Hour)
		when[i] = float64(at.Unix())
		for k, v := range []int{at.Year(), int(at.Month()), at.Day(), at.Hour()} {
			parts[k][i] = float64(v)
		}
		x[i] = float64(i * 7 % 50)
		y[i] = x[i]/10 + math.Sin(float64(at.Hour())/4) + float64(at.Weekday())/5
	}
	columns := []beziergp.Column{{Name: "x", Values: x}, {Name: "date", Values: when, Kind: table.DateTime}, {Name: "y", Values: y}}
	if inParts {
		columns = []beziergp.Column{{Name: "x", Values: x}, {Name: "Year", Values: parts[0]}, {Name: "y", Values: y},
			{Name: "hour", Values: parts[3]}, {Name: "MONTH", Values: parts[1]}, {Name: "day", Values: parts[2]}}
	}
	tab, err := beziergp.NewTable(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// A table whose dates are in parts makes the model that it would make with date-times, in memory
// and out of core, by whatever learns it, and predicts new rows of either.
func TestDatesInParts(t *testing.T) {
	fitsAsWhole(t, dated(t, false), dated(t, true), table.Field{Name: "date", Kind: table.DateTime, Parts: []string{"Year", "MONTH", "day", "hour"}})
}

// fitsAsWhole holds models of a table whose second column is in parts, in memory, out of core and of a file, against that of the table
// with the column whole.
func fitsAsWhole(t *testing.T, whole, parts *beziergp.Table, second table.Field) {
	t.Helper()
	for name, recipe := range map[string]train.Recipe{"auto": least, "paper": paper.Recipe{Steps: 20, Orderings: 2, Order: 3}} {
		want := mean(t, fitted(t, whole, beziergp.Options{Recipe: recipe}), whole)
		m := fitted(t, parts, beziergp.Options{Recipe: recipe})
		cached, err := beziergp.FitCache(context.Background(), cacheOf(t, parts, "y"), "y", beziergp.Options{Recipe: recipe})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Columns()[1]; got.Name != second.Name || got.Kind != second.Kind || !slices.Equal(got.Parts, second.Parts) {
			t.Fatalf("%s: the second column is %+v", name, got)
		}
		for what, got := range map[string][]float64{
			"rows in parts": mean(t, m, parts), "rows with whole columns": mean(t, m, whole), "a model from a file": mean(t, fromFile(t, m), parts),
		} {
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s do not have the predictions of whole columns", name, what)
			}
		}
		if got := mean(t, cached, parts); name == "auto" && !slices.Equal(got, want) {
			t.Errorf("%s: a cache makes another model", name)
		}
		if got, want := cached.Inputs(), m.Inputs(); !slices.EqualFunc(got, want, func(a, b box.Input) bool {
			return a.Name == b.Name && a.Lo == b.Lo && a.Hi == b.Hi && slices.Equal(a.Levels, b.Levels) && slices.Equal(a.Parts, b.Parts)
		}) {
			t.Errorf("%s: a cache has the inputs %v, memory %v", name, got, want)
		}
	}
}

// Columns that are kept as they are, that have bounds, or that are no date in one row, stay
// inputs of their own.
func TestPlainParts(t *testing.T) {
	parts := dated(t, true)
	month, _ := parts.Column("MONTH")
	broken := slices.Clone(month)
	broken[7] = 13
	columns := []beziergp.Column{}
	for _, name := range parts.Names() {
		values, _ := parts.Column(name)
		if name == "MONTH" {
			values = broken
		}
		columns = append(columns, beziergp.Column{Name: name, Values: values})
	}
	wrong, err := beziergp.NewTable(columns...)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		rows *beziergp.Table
		o    beziergp.Options
		want string
	}{
		"plain":    {parts, beziergp.Options{Plain: []string{"day"}}, "x Year hour MONTH day"},
		"bounds":   {parts, beziergp.Options{Bounds: map[string]beziergp.Bounds{"MONTH": {Lo: 1, Hi: 12}}}, "x Year hour MONTH day"},
		"excluded": {parts, beziergp.Options{Exclude: []string{"hour"}}, "x date"},
		"no date":  {wrong, beziergp.Options{}, "x Year hour MONTH day"},
		"no hour":  {parts, beziergp.Options{Plain: []string{"hour"}}, "x date hour"},
	} {
		c.o.Recipe = least
		var got []string
		for _, f := range fitted(t, c.rows, c.o).Columns() {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: columns %q, want %s", name, got, c.want)
		}
	}
}

// New rows of a file and of a request have their dates in parts, too, and one that is no date is
// missing.
func TestRowsOfDatesInParts(t *testing.T) {
	parts := dated(t, true)
	m := fitted(t, parts, beziergp.Options{Recipe: least})
	const csv = "hour,Year,MONTH,x,day\n5,2020,2,3,29\n5,2021,2,3,29\n,2020,2,3,28\n"
	read := func(text string) (*beziergp.Table, error) {
		r, err := tablefile.NewReader(strings.NewReader(text), "new.csv", tablefile.Options{Schema: m.Columns()})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		if err := r.Select("date", "x"); err != nil {
			return nil, err
		}
		return r.ReadAll(context.Background())
	}
	rows, err := read(csv)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{float64(time.Date(2020, 2, 29, 5, 0, 0, 0, time.UTC).Unix()), math.NaN(), math.NaN()}
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	if got, _ := rows.Column("date"); !slices.EqualFunc(got, want, same) {
		t.Errorf("the dates of a file are %v, want %v", got, want)
	}
	schema := serve.NewSchema(m.Columns(), nil)
	for i, row := range []string{
		`{"x": 3, "Year": 2020, "MONTH": 2, "day": 29, "hour": 5}`, `{"x": 3, "Year": 2021, "MONTH": "2", "day": 29, "hour": 5}`, `{"x": 3, "Year": 2020, "MONTH": 2, "day": 28, "hour": null}`,
	} {
		if got, err := schema.RowOfJSON([]byte(row)); err != nil || !same(got[1], want[i]) {
			t.Errorf("row %d: %v, %v", i, got, err)
		}
	}
	if got, err := schema.RowOfJSON([]byte(`{"x": 3, "date": "2020-02-29T05:00:00"}`)); err != nil || got[1] != want[0] {
		t.Errorf("a row with its date: %v, %v", got, err)
	}
	for text, want := range map[string]string{
		"hour,Year,MONTH,x,day\n5,2020,may,3,29\n": `column "MONTH"`, "Year,MONTH,x,day\n2020,5,3,29\n": `"hour"`, "x\n1\n": `"Year"`,
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want one about %s", text, err, want)
		}
	}
	if _, err := schema.RowOfJSON([]byte(`{"x": 3, "Year": 2020, "MONTH": 2, "hour": 5}`)); err == nil || !strings.Contains(err.Error(), `"day"`) {
		t.Errorf("a row without its day: %v", err)
	}
}

func fitted(t *testing.T, tab *beziergp.Table, o beziergp.Options) *beziergp.Model {
	t.Helper()
	m, err := beziergp.Fit(context.Background(), tab, "y", o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fromFile returns a model as it is read from the file that it writes.
func fromFile(t *testing.T, m *beziergp.Model) serve.Model {
	t.Helper()
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := serve.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func mean(t *testing.T, m serve.Model, tab *beziergp.Table) []float64 {
	t.Helper()
	p, err := m.Predict(context.Background(), tab, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Mean
}

// Where rows are split along a time, a date in parts is another name for it: a model has the parts
// that come round.
func TestDateInPartsAlongATime(t *testing.T) {
	var got []string
	for _, in := range fitted(t, dated(t, true), beziergp.Options{Recipe: least, Time: "x"}).Inputs() {
		got = append(got, in.Name)
	}
	if want := []string{"date.yearday", "date.weekday", "date.hour"}; !slices.Equal(got, want) {
		t.Errorf("inputs %q, want %q", got, want)
	}
}
