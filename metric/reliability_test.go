package metric_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/metric"
)

// Where probabilities are right the calibration error is on average what it is said to be by chance: of many rows and
// of few, of probabilities anywhere and of rare events.
func TestCalibrationErrorByChance(t *testing.T) {
	const draws = 300
	for _, n := range []int{20, 300, 5000} {
		for name, draw := range map[string]func(rng *rand.Rand) float64{
			"anywhere": func(rng *rand.Rand) float64 { return rng.Float64() },
			"rare":     func(rng *rand.Rand) float64 { return 0.05 * rng.Float64() },
			"sure":     func(rng *rand.Rand) float64 { return 1 - 0.3*math.Pow(rng.Float64(), 3) },
		} {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(n), 1))
				var found, said float64
				for range draws {
					var r metric.Reliability
					for range n {
						p := draw(rng)
						r.Add(p, rng.Float64() < p)
					}
					found, said = found+r.ECE()/draws, said+r.ChanceECE()/draws
				}
				if math.Abs(said/found-1) > 0.12 {
					t.Errorf("on average %.4f, said to be %.4f", found, said)
				}
			})
		}
	}
	if e := func() (e any) { defer func() { e = recover() }(); new(metric.Reliability).ChanceECE(); return nil }(); e == nil {
		t.Error("no rows have an error by chance")
	}
}
