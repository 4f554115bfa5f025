package likelihood

import (
	"fmt"
	"math"
	"testing"

	"beziergp/internal/testkit"
)

func TestLossesAndTheirSlopes(t *testing.T) {
	for name, c := range map[string]struct {
		loss func(f float64, y []float32) (value, slope float64)
		want func(f, y float64) float64
	}{
		"logistic": {Logistic, func(f, y float64) float64 { return math.Log(1 + math.Exp((1-2*y)*f)) }},
		// −log density of Student's t of scale e^(f/2) at √y, less its value at y = f = 0.
		"log scale": {LogScale, func(f, y float64) float64 {
			scale := math.Exp(f / 2)
			return math.Log(scale * math.Pow(1+math.Pow(math.Sqrt(y)/scale, 2)/ScaleTails, (ScaleTails+1)/2.))
		}},
	} {
		for _, y := range []float32{0, 1} {
			for _, f := range []float64{-6, -0.3, 0, 1, 5} {
				what := fmt.Sprintf("%s at f = %g, y = %g", name, f, y)
				value, by := c.loss(f, []float32{y})
				testkit.Close(t, what, value, c.want(f, float64(y)), 1e-12, 1e-12)
				testkit.Close(t, what+": slope", by, slope(func(f float64) float64 { return c.want(f, float64(y)) }, f, 1e-5), 1e-8, 1e-8)
			}
		}
	}
	for _, f := range []float64{-1e4, 1e4} { // where e^f is no number
		if value, by := Logistic(f, []float32{1}); math.IsInf(value, 0) || math.IsNaN(value+by) {
			t.Errorf("logistic loss at %g: %g, %g", f, value, by)
		}
	}
}
