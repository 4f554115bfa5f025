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
		beziergp.Column{Name: "a", Values: a},
		beziergp.Column{Name: "b", Values: b},
		beziergp.Column{Name: "y", Values: y})
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
		beziergp.Column{Name: "a", Values: []float64{0.1, 0.5, 0.9}},
		beziergp.Column{Name: "b", Values: []float64{0.5, 0.5, 0.5}})
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
		beziergp.Column{Name: "b", Values: []float64{0.5, 0.5}}, // any order will do
		beziergp.Column{Name: "a", Values: []float64{0.3, 7}})
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
