package beziergp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"beziergp"
	"beziergp/model"
	"beziergp/rival/method/linear"
	"beziergp/table"
	"beziergp/train"
	"beziergp/train/paper"
)

// wave returns n rows of y = sin(4 a) + b with noise of deviation 0.05.
func wave(n int) *beziergp.Table {
	rng := rand.New(rand.NewPCG(1, 1))
	a, b, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		a[i], b[i] = rng.Float64(), rng.Float64()
		y[i] = math.Sin(4*a[i]) + b[i] + 0.05*rng.NormFloat64()
	}
	t, err := beziergp.NewTable(
		table.ColumnOf("a", a),
		table.ColumnOf("b", b),
		table.ColumnOf("y", y))
	if err != nil {
		log.Fatal(err)
	}
	return t
}

// quick is a recipe for small smooth tables; the zero value is the default recipe, auto.
var quick = beziergp.Options{
	Recipe: paper.Recipe{Order: 6, Orderings: 2, Steps: 500, LearningRate: 0.02},
}

func Example() {
	ctx := context.Background()
	m, err := beziergp.Fit(ctx, wave(400), "y", quick)
	if err != nil {
		log.Fatal(err)
	}
	points, err := beziergp.NewTable(
		table.ColumnOf("a", []float64{0.1, 0.5, 0.9}),
		table.ColumnOf("b", []float64{0.5, 0.5, 0.5}))
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict(ctx, points, beziergp.PredictOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for i, a := range []float64{0.1, 0.5, 0.9} {
		truth := math.Sin(4*a) + 0.5
		fmt.Printf("a = %.1f: within the interval %v, off by less than 0.05 %v\n",
			a, p.Lower[i] < truth && truth < p.Upper[i], math.Abs(p.Mean[i]-truth) < 0.05)
	}
	// Output:
	// a = 0.1: within the interval true, off by less than 0.05 true
	// a = 0.5: within the interval true, off by less than 0.05 true
	// a = 0.9: within the interval true, off by less than 0.05 true
}

// Columns are made of slices; what they hold follows from the type of their values, and
// what is missing (NaN, an empty string, a zero time) is learned from as it is.
func ExampleFit() {
	rng := rand.New(rand.NewPCG(2, 1))
	var (
		hours []float64
		shop  []string
		open  []bool
		sales []float64
	)
	for i := range 300 {
		hours, open = append(hours, 24*rng.Float64()), append(open, rng.IntN(2) == 0)
		shop = append(shop, []string{"north", "south"}[i%2])
		y := math.Sin(hours[i] / 6)
		if open[i] {
			y += 2
		}
		if shop[i] == "north" {
			y++
		}
		if i%20 == 0 {
			shop[i] = "" // nobody knows which
		}
		sales = append(sales, y+0.05*rng.NormFloat64())
	}
	t, err := beziergp.NewTable(table.ColumnOf("hours", hours), table.ColumnOf("shop", shop),
		table.ColumnOf("open", open), table.ColumnOf("sales", sales))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	m, err := beziergp.Fit(ctx, t, "sales", quick)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range m.Columns() {
		fmt.Println(f.Name, f.Kind, f.Levels)
	}
	rows, err := beziergp.NewTable(table.ColumnOf("hours", []int{12, 12}),
		table.ColumnOf("shop", []string{"south", "north"}), table.ColumnOf("open", []bool{true, true}))
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict(ctx, rows, beziergp.PredictOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("north sells about one more:", math.Abs(p.Mean[1]-p.Mean[0]-1) < 0.2)
	// Output:
	// hours numeric []
	// shop category [north south]
	// open boolean []
	// north sells about one more: true
}

// Another method learns from the same tables.
func ExampleFitRival() {
	ctx := context.Background()
	m, err := beziergp.FitRival(ctx, wave(400), "y", linear.Method{}, beziergp.RivalOptions{})
	if err != nil {
		log.Fatal(err)
	}
	points, err := beziergp.NewTable(table.ColumnOf("a", []float64{0.5, 0.5}), table.ColumnOf("b", []float64{0, 1}))
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict(ctx, points, beziergp.PredictOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: slope by b %.0f\n", m.Method(), p.Mean[1]-p.Mean[0])
	// Output: linear: slope by b 1
}

// A service reads a model once and predicts for many requests at a time; package
// model is all that it needs.
func ExampleModel_Predict() {
	ctx := context.Background()
	fitted, err := beziergp.Fit(ctx, wave(200), "y", quick)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := fitted.Write(&file); err != nil {
		log.Fatal(err)
	}

	m, err := model.Read(&file)
	if err != nil {
		log.Fatal(err)
	}
	request, err := beziergp.NewTable(
		table.ColumnOf("b", []float64{0.5, 0.5}), // any order will do
		table.ColumnOf("a", []float64{0.3, 7}))
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict(ctx, request, model.PredictOptions{Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("rows:", len(p.Mean), "in the box:", p.InBox)
	// Output: rows: 2 in the box: [true false]
}

// Progress and cancellation: a caller's function sees every step, and a context
// stops the run.
func ExampleFit_progress() {
	ctx, cancel := context.WithCancel(context.Background())
	o := quick
	o.Progress = func(e beziergp.Event) {
		if e.Phase == train.PhaseWeights && e.Step == 100 {
			fmt.Printf("%d of %d steps\n", e.Step, e.Steps)
			cancel()
		}
	}
	_, err := beziergp.Fit(ctx, wave(200), "y", o)
	fmt.Println("stopped:", errors.Is(err, context.Canceled))
	// Output:
	// 100 of 500 steps
	// stopped: true
}
