package constant

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/testkit"
	"beziergp/rival/method"
)

func TestMomentsOfTheTargets(t *testing.T) {
	y := []float64{1, 4, 9, 16}
	r, err := Method{}.Fit(context.Background(), method.Data{X: y, Y: y, Inputs: 1}, method.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	mean, std := make([]float64, 1), make([]float64, 1)
	if err := r.Predict(context.Background(), []float64{100}, mean, std); err != nil {
		t.Fatal(err)
	}
	m, s := stat.MeanStdDev(y, nil)
	testkit.Close(t, "mean", mean[0], m, 1e-14, 0)
	testkit.Close(t, "deviation", std[0], s*math.Sqrt(1+1.0/4), 1e-14, 0)
}
