package report_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"beziergp"
	"beziergp/model"
	"beziergp/report"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/train/auto"
)

var ctx = context.Background()

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// What names and levels are, and must not become.
const (
	scriptName = "<script>alert(1)</script>"
	closeName  = `a"b</script><!--`
	imageLevel = "<img src=x onerror=alert(2)>"
)

// rows returns a table of hostile names whose target has noise that grows along its first column.
func rows(n int, seed uint64) *table.Table {
	rng := rand.New(rand.NewPCG(seed, 3))
	x, c, when, flat, y := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], c[i], when[i], flat[i] = rng.Float64(), float64(rng.IntN(3)), 86400*float64(19000+rng.IntN(300))+3600*float64(rng.IntN(24)), rng.NormFloat64()
		y[i] = 10 + 4*x[i] + x[i]*c[i] + (0.1+0.3*x[i])*rng.NormFloat64()
		if rng.IntN(10) == 0 {
			flat[i] = math.NaN()
		}
	}
	t, err := table.New(table.ColumnOf(scriptName, x), table.Column{Name: closeName, Kind: table.Category, Levels: []string{imageLevel, "&amp;", "plain"}, Values: c},
		table.Column{Name: "when", Kind: table.DateTime, Values: when}, table.ColumnOf("flat", flat), table.ColumnOf(target, y))
	if err != nil {
		panic(err)
	}
	return t
}

const target = "<b>y</b>"

var fitted = sync.OnceValues(func() (*beziergp.Model, error) {
	return beziergp.Fit(ctx, rows(300, 1), target, beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast, Shapes: []string{"coarse@1"}, Folds: 2, Members: 2}})
})

// block returns the rows of a table from … to as a verb adds them.
func block(t testing.TB, m serve.Model, rows *table.Table, from, to int) *report.Block {
	t.Helper()
	b := &report.Block{}
	for _, c := range m.Columns() {
		values, ok := rows.Column(c.Name)
		if !ok {
			t.Fatalf("no column %q", c.Name)
		}
		b.Columns = append(b.Columns, values[from:to])
	}
	if y, ok := rows.Column(m.Target().Name); ok {
		b.Target = y[from:to]
	}
	for i := from; i < to; i++ {
		b.Rows = append(b.Rows, int64(i+1))
	}
	p := must[*model.Predictor](t)(m.NewPredictor(model.PredictOptions{}))
	defer p.Close()
	b.Predictions = &model.Predictions{}
	if err := p.Predict(ctx, b.Columns, b.Predictions); err != nil {
		t.Fatal(err)
	}
	return b
}

// reported returns the report of a model and rows that come in blocks; nil for none.
func reported(t testing.TB, m serve.Model, rows *table.Table, each int, o report.Options) *report.Report {
	t.Helper()
	b := must[*report.Builder](t)(report.New(m, o))
	defer b.Close()
	for from := 0; rows != nil && from < rows.Rows(); from += each {
		if err := b.Add(ctx, block(t, m, rows, from, min(from+each, rows.Rows()))); err != nil {
			t.Fatal(err)
		}
	}
	return must[*report.Report](t)(b.Report(ctx))
}

func rendered(t testing.TB, r *report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.Render(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// wide returns a model of d inputs and its rows.
func wide(t testing.TB, d, n int) (*beziergp.Model, *table.Table) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	var columns []table.Column
	y := make([]float64, n)
	for k := range d {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.Float64()
			y[i] += x[i] * math.Pow(0.5, float64(k))
		}
		columns = append(columns, table.ColumnOf(fmt.Sprintf("x%d", k), x))
	}
	tab := must[*table.Table](t)(table.New(append(columns, table.ColumnOf("y", y))...))
	m := must[*beziergp.Model](t)(beziergp.Fit(ctx, tab, "y", beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast, Shapes: []string{"additive@1"}, StepsFactor: 0.1}}))
	return m, tab
}
