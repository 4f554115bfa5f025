package beziergp_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/metric"
	"beziergp/table"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// many returns rows of very many columns, of which the class depends on two that tell nothing alone.
func many(t *testing.T, rows int, seed uint64) (*beziergp.Table, []int) {
	t.Helper()
	const columns = 120
	rng := rand.New(rand.NewPCG(seed, 8))
	x, y := make([][]float64, columns), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, rows)
	}
	codes := make([]int, rows)
	for j := range rows {
		for i := range x {
			x[i][j] = rng.NormFloat64()
		}
		if (x[7][j] > 0) == (x[90][j] > 0) != (rng.Float64() < 0.05) {
			y[j], codes[j] = 1, 1
		}
	}
	var all []beziergp.Column
	for i := range x {
		all = append(all, table.ColumnOf(fmt.Sprint("x", i), x[i]))
	}
	return mustTable(t, append(all, table.Column{Name: "y", Kind: table.Category, Levels: []string{"apart", "alike"}, Values: y})...), codes
}

// columnNames returns those of the columns that a model has.
func columnNames(m *beziergp.Model) (names []string) {
	for _, c := range m.Columns() {
		names = append(names, c.Name)
	}
	return names
}

// Of very many columns those are left out that the class does not depend on: the model learns what it else would not, needs the others
// alone of rows to predict, remembers the rows as a model of these alone does, and its file keeps all of it.
func TestColumnsThatTellNothingAreLeftOut(t *testing.T) {
	testkit.Long(t)
	ctx := context.Background()
	tab, _ := many(t, 1200, 1)
	fresh, codes := many(t, 1000, 2)
	o := beziergp.Options{Workers: 2, Recipe: brief}
	m, err := beziergp.Fit(ctx, tab, "y", o)
	if err != nil {
		t.Fatal(err)
	}
	names := columnNames(m)
	if !slices.Contains(names, "x7") || !slices.Contains(names, "x90") || len(names) > 6 {
		t.Fatalf("the model has the columns %v", names)
	}
	if n := m.Training().LeftOut; n != 120-len(names) {
		t.Errorf("%d inputs are said to be left out", n)
	}
	few, err := fresh.Select(names...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(ctx, few, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	loss := 0.0
	for i, code := range codes {
		loss -= math.Log(p.Classes[2*i+code]) / float64(len(codes))
	}
	if loss > 0.45 {
		t.Errorf("log loss %g, where that of the odds is 0.693 and of the law 0.199", loss)
	}
	alone := o
	alone.Inputs, alone.Recipe = names, paper.Recipe{Order: 2, Steps: 3, Orderings: 1}
	want, err := beziergp.Fit(ctx, tab, "y", alone)
	if err != nil {
		t.Fatal(err)
	}
	read := reread(t, m)
	for what, got := range map[string]*beziergp.Model{"the model": m, "its file": read} {
		if !reflect.DeepEqual(got.Seen(), want.Seen()) || !reflect.DeepEqual(got.Profile().Inputs, want.Profile().Inputs) {
			t.Errorf("%s remembers other rows, or what they look like, than a model of these columns", what)
		}
	}
	two := o
	two.Workers = 1
	again, err := beziergp.Fit(ctx, tab, "y", two)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytesOf(t, m), bytesOf(t, again)) {
		t.Error("the model depends on the number of workers")
	}
}

// Where chance keeps columns beside those that tell, a stricter choice leaves them out.
func TestColumnsThatChanceKeepsAreLeftOut(t *testing.T) {
	testkit.Long(t)
	tab, _ := many(t, 1200, 5) // of which the first choice keeps six beside the two
	m, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Workers: 2, Recipe: brief})
	if err != nil {
		t.Fatal(err)
	}
	names := columnNames(m)
	if !slices.Equal(names, []string{"x7", "x90"}) {
		t.Errorf("the model has the columns %v, want the two that the class depends on", names)
	}
}

// Rows that are all repeated count as they were given, for who keeps the rows and who leaves inputs out must agree.
func TestRepeatedRowsOfManyColumns(t *testing.T) {
	testkit.Long(t)
	tab, _ := many(t, 400, 1)
	var twice []beziergp.Column
	for _, name := range tab.Names() {
		f, _ := tab.Field(name)
		values, _ := tab.Column(name)
		twice = append(twice, table.Column{Name: name, Kind: f.Kind, Levels: f.Levels, Values: slices.Concat(values, values)})
	}
	o := beziergp.Options{Workers: 2, Recipe: brief}
	m, err := beziergp.Fit(context.Background(), mustTable(t, twice...), "y", o)
	if err != nil {
		t.Fatal(err)
	}
	if n := m.Training().Rows; n != 800 || len(m.Columns())+m.Training().LeftOut != 120 {
		t.Errorf("%d rows, %d columns and %d left out", n, len(m.Columns()), m.Training().LeftOut)
	}
}

// Of a number the columns are left out that are worth nothing to a model of all, though they are correlated with those
// that it depends on: predictions of fresh rows, by these alone, are as good as they can be.
func TestColumnsThatAreWorthNothingAreLeftOut(t *testing.T) {
	testkit.Long(t)
	numbers := func(rows int, seed uint64) (*beziergp.Table, []float64) {
		rng := rand.New(rand.NewPCG(seed, 8))
		x, mean, y := make([][]float64, 20), make([]float64, rows), make([]float64, rows)
		for i := range x {
			x[i] = make([]float64, rows)
		}
		for j := range rows {
			for i := range x {
				x[i][j] = rng.NormFloat64() + 0.6*x[max(i-1, 0)][j]
			}
			mean[j] = math.Sin(x[4][j]) + math.Tanh(x[9][j]-x[8][j])
			y[j] = mean[j] + 0.3*rng.NormFloat64()
		}
		var all []beziergp.Column
		for i := range x {
			all = append(all, table.ColumnOf(fmt.Sprint("x", i), x[i]))
		}
		return mustTable(t, append(all, table.ColumnOf("y", y))...), mean
	}
	ctx := context.Background()
	tab, _ := numbers(1500, 1)
	fresh, mean := numbers(1000, 2)
	o := beziergp.Options{Workers: 2, Recipe: brief}
	m, err := beziergp.Fit(ctx, tab, "y", o)
	if err != nil {
		t.Fatal(err)
	}
	names := columnNames(m)
	if !slices.Contains(names, "x4") || !slices.Contains(names, "x8") || !slices.Contains(names, "x9") || len(names) > 6 || m.Training().LeftOut != 20-len(names) {
		t.Errorf("the model has the columns %v, and %d are said to be left out", names, m.Training().LeftOut)
	}
	few, err := fresh.Select(names...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := reread(t, m).Predict(ctx, few, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := brief
	all.Ablation = []auto.Ingredient{auto.Pruning}
	with, err := beziergp.Fit(ctx, tab, "y", beziergp.Options{Workers: 2, Recipe: all})
	if err != nil {
		t.Fatal(err)
	}
	q, err := with.Predict(ctx, fresh, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if off, worse := metric.RMSE(mean, p.Mean), metric.RMSE(mean, q.Mean); off > 0.7*worse {
		t.Errorf("error %g to the mean of the law, and %g of a model of all columns", off, worse)
	}
	models, errs := fitOnRanks(tab, 2, func(_ int, own *beziergp.Options) { own.Recipe = brief })
	for r, own := range models {
		if errs[r] != nil || !bytes.Equal(bytesOf(t, m), bytesOf(t, own)) {
			t.Errorf("rank %d of two, of a worker each, has another model: %v", r, errs[r])
		}
	}
}
