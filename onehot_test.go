package beziergp_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/tablefile"
)

var colours = []string{"colour=red", "colour=green", "colour=blue", "colour=ivory"}

// coloured is a table of a category, as one column or as one-hot columns; the last level is rare.
func coloured(t *testing.T, hot bool) *beziergp.Table {
	t.Helper()
	const n = 300
	x, level, y := make([]float64, n), make([]float64, n), make([]float64, n)
	parts := make([][]float64, len(colours))
	for k := range parts {
		parts[k] = make([]float64, n)
	}
	for i := range n {
		k := i * i % 11 % 3
		if i%100 == 0 {
			k = 3
		}
		x[i], level[i], parts[k][i] = float64(i*7%50), float64(k), 1
		y[i] = x[i]/10 + math.Sin(float64(2*k))
	}
	columns := []beziergp.Column{{Name: "x", Values: x}, {Name: "colour", Values: level, Kind: table.Category, Levels: colours}, {Name: "y", Values: y}}
	if hot {
		columns = []beziergp.Column{{Name: "x", Values: x}}
		for k, name := range colours {
			columns = append(columns, beziergp.Column{Name: name, Values: parts[k], Kind: []table.Kind{table.Numeric, table.Boolean}[k%2]})
		}
		columns = append(columns, beziergp.Column{Name: "y", Values: y})
	}
	tab, err := beziergp.NewTable(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// A table of one-hot columns makes the model that it would make with their category, in memory and out of core, by
// whatever learns it, and predicts new rows of either.
func TestOneHotColumns(t *testing.T) {
	fitsAsWhole(t, coloured(t, false), coloured(t, true), table.Field{Name: "colour", Kind: table.Category, Parts: colours})
}

// Columns that are kept as they are, or that have bounds, stay inputs of their own, and with them the others that are no
// category without them.
func TestPlainOneHotColumns(t *testing.T) {
	hot := coloured(t, true)
	all := "x " + strings.Join(colours, " ")
	for name, c := range map[string]struct {
		o    beziergp.Options
		want string
	}{
		"plain":       {beziergp.Options{Plain: colours[1:2]}, all},
		"bounds":      {beziergp.Options{Bounds: map[string]beziergp.Bounds{colours[2]: {Lo: 0, Hi: 1}}}, all},
		"excluded":    {beziergp.Options{Exclude: colours[:1]}, "x colour"},
		"all of them": {beziergp.Options{Inputs: colours}, "colour"},
	} {
		c.o.Recipe = least
		var got []string
		for _, f := range fitted(t, hot, c.o).Columns() {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: columns %q, want %s", name, got, c.want)
		}
	}
}

// A level whose column is left out is that of rows of which no column is 1, and one that new rows may have.
func TestOneHotColumnsWithoutTheFirst(t *testing.T) {
	hot := coloured(t, true)
	m := fitted(t, hot, beziergp.Options{Recipe: least, Exclude: colours[:1]})
	if got, want := m.Inputs()[1].Levels, append(slices.Clone(colours[1:]), table.NoLevel); !slices.Equal(got, want) {
		t.Fatalf("levels %q, want %q", got, want)
	}
	cached, err := beziergp.FitCache(context.Background(), cacheOf(t, hot, "y"), "y", beziergp.Options{Recipe: least, Exclude: colours[:1]})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), hot, beziergp.PredictOptions{})
	if err != nil || slices.Contains(p.InBox, false) {
		t.Fatalf("rows that were learned from: in the box %v, %v", p.InBox, err)
	}
	if got := mean(t, cached, hot); !slices.Equal(got, p.Mean) {
		t.Error("a cache makes another model")
	}
}

// New rows of a file and of a request have one-hot columns, too. A row of none of the levels, or of two, has one that is not
// known, as rows of a category have.
func TestRowsOfOneHotColumns(t *testing.T) {
	m := fitted(t, coloured(t, true), beziergp.Options{Recipe: least})
	in := m.Inputs()[1]
	read := func(text string) (*beziergp.Table, error) {
		r, err := tablefile.NewReader(strings.NewReader(text), "new.csv", tablefile.Options{Schema: m.Columns()})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		if err := r.Select("colour", "x"); err != nil {
			return nil, err
		}
		return r.ReadAll(context.Background())
	}
	nan := math.NaN()
	schema := serve.NewSchema(m.Columns(), nil)
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	for _, c := range []struct {
		cells string
		want  float64
	}{
		{"1,0,0,0", 0}, {"true,false,false,FALSE", 0}, {"0,1.0,0,0", 1}, {",,1,", 2}, {"0,0,0,1", float64(len(in.Levels) - 1)},
		{"0,0,0,0", float64(in.Field().Other())}, {"1,0,1,0", float64(in.Field().Other())}, {"0,,0,0", nan},
	} {
		rows, err := read("x," + strings.Join(colours, ",") + "\n3," + c.cells + "\n")
		if err != nil {
			t.Errorf("%s: %v", c.cells, err)
			continue
		}
		if got, _ := rows.Column("colour"); !same(got[0], c.want) {
			t.Errorf("a file's row %s is of level %v, want %v", c.cells, got[0], c.want)
		}
		row := map[string]any{"x": 3.0}
		for k, cell := range strings.Split(c.cells, ",") {
			row[colours[k]] = any(cell)
			if cell == "" {
				row[colours[k]] = nil
			}
		}
		if got, err := schema.Row(row); err != nil || !same(got[1], c.want) {
			t.Errorf("the row %s is of level %v, %v, want %v", c.cells, got, err, c.want)
		}
	}
	if got, err := schema.RowOfJSON([]byte(`{"x": 3, "colour": "colour=blue"}`)); err != nil || got[1] != 2 {
		t.Errorf("a row with its category: %v, %v", got, err)
	}
	header := strings.Join(colours, ",")
	for text, want := range map[string]string{
		"x," + header + "\n3,0,0.5,0,1\n": `column "colour=green": "0.5"`, "x," + strings.Join(colours[:3], ",") + "\n3,0,1,0\n": `"colour=ivory"`, "x\n1\n": `"colour=red"`,
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want one about %s", text, err, want)
		}
	}
	unknown, err := read(fmt.Sprintf("x,%s\n3,0,0,0,0\n", header))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), unknown, beziergp.PredictOptions{})
	if err != nil || p.InBox[0] {
		t.Errorf("a row of no level: inside %v, %v", p.InBox, err)
	}
}
