package analysis_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"beziergp"
	"beziergp/analysis"
	"beziergp/measure"
	"beziergp/table"
	"beziergp/train/paper"
)

// What a model has learned of y = 4 a b + b: effects, indices, an integral under other
// distributions.
func Example() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 1))
	a, b, y := make([]float64, 400), make([]float64, 400), make([]float64, 400)
	for i := range y {
		a[i], b[i] = rng.Float64(), rng.Float64()
		y[i] = 4*a[i]*b[i] + b[i]
	}
	rows, err := table.New(table.ColumnOf("a", a), table.ColumnOf("b", b), table.ColumnOf("y", y))
	if err != nil {
		log.Fatal(err)
	}
	m, err := beziergp.Fit(ctx, rows, "y", beziergp.Options{Recipe: paper.Recipe{Order: 3, Orderings: 2, Steps: 1000, LearningRate: 0.02}})
	if err != nil {
		log.Fatal(err)
	}
	uniform, err := measure.Uniform(0.01, 0.99)
	if err != nil {
		log.Fatal(err)
	}
	all, err := analysis.New(m, analysis.Options{Laws: map[string]measure.Law{"a": uniform, "b": uniform}})
	if err != nil {
		log.Fatal(err)
	}
	along := all.Effects([][]float64{{0.25, 0.75}, nil}).Effects[0]
	fmt.Printf("E[y | a] is %.1f at a = %g and %.1f at a = %g\n", along.Mean[0], along.Grid[0][0], along.Mean[1], along.Grid[0][1])
	sobol, err := all.Sobol(ctx, analysis.SobolOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("alone a explains %.1f of the variance, b %.1f, and both together %.1f\n", sobol.First[0], sobol.First[1], sobol.Pairs[0].Index)

	given, err := analysis.New(m, analysis.Options{Laws: map[string]measure.Law{"a": measure.At("0.5"), "b": uniform}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("with a = 0.5 the mean is %.1f\n", given.Integral().Mean)
	// Output:
	// E[y | a] is 1.0 at a = 0.25 and 2.0 at a = 0.75
	// alone a explains 0.3 of the variance, b 0.6, and both together 0.1
	// with a = 0.5 the mean is 1.5
}
