package elbo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// The gradient by local layers is that by layers of all nodes, where some coordinates are
// unknown, too, and along chains that are rescaled.
func TestGradientOfLocalLayers(t *testing.T) {
	spline, _ := basis.NewSpline(40)
	levels, _ := basis.NewIndicator(30)
	smooth, _ := basis.NewBernstein(5)
	short, _ := basis.NewSpline(3)
	for _, c := range []struct {
		part surface.Part
		make func(*surface.Surface, Loss, *simd.Pool) *Mean
	}{{surface.MeanOnly, NewMean}, {surface.VarianceOnly, NewVariance}} {
		for _, d := range []int{1, 5, 53} {
			for _, unknown := range []float64{0, 0.02, 0.4} {
				rng := rand.New(rand.NewPCG(uint64(d), 2))
				var all [2][]float32
				var losses [2]float64
				params, x, y := []float32(nil), []float32(nil), []float32(nil)
				for i, local := range []bool{false, true} {
					g := surface.Group{Part: c.part}
					var widths []int
					for i := range d {
						b, err := basis.NewAveraged([]basis.Basis{spline, levels, smooth, short}[i%4], []basis.Basis{spline, levels, smooth, short}[i%4].Mean())
						if err != nil {
							t.Fatal(err)
						}
						g.Bases, widths = append(g.Bases, b), append(widths, b.Nodes())
					}
					supports := surface.Supports(g.Bases)
					if !local {
						supports = nil
					}
					var err error
					if g.Ensemble, err = buttress.New(widths, supports, buttress.RandomOrderings(d, 3, rand.New(rand.NewPCG(1, 1)))); err != nil {
						t.Fatal(err)
					}
					s, err := surface.New(g)
					if err != nil {
						t.Fatal(err)
					}
					if params == nil {
						params = make([]float32, s.Size())
						for i := range params {
							params[i] = float32(0.6 + 0.2*rng.NormFloat64())
							if c.part == surface.VarianceOnly {
								params[i] = float32(0.2 * rng.NormFloat64())
							}
						}
						for range 300 {
							for i := range d {
								v := rng.Float32()
								if i%4 == 1 {
									v = float32(rng.IntN(30))
								}
								if rng.Float64() < unknown {
									v = float32(math.NaN())
								}
								x = append(x, v)
							}
							y = append(y, rng.Float32())
						}
					}
					pool := simd.NewPool(1 + i)
					all[i] = make([]float32, len(params))
					losses[i] = c.make(s, squared, pool).Evaluate(params, 0.1, Batch{X: x, Y: y}, all[i], nil)
					pool.Close()
				}
				name := fmt.Sprintf("%v, %d inputs, %g unknown", c.part, d, unknown)
				testkit.Close(t, name+": loss", losses[1], losses[0], 1e-4, 1e-6)
				var largest float64
				for _, v := range all[0] {
					largest = max(largest, math.Abs(float64(v)))
				}
				for i, want := range all[0] {
					testkit.Close(t, fmt.Sprintf("%s: slope %d", name, i), float64(all[1][i]), float64(want), 1e-3, 1e-5*largest)
				}
			}
		}
	}
}

// squared is half the squared error.
func squared(f float64, y []float32) (value, slope float64) {
	r := f - float64(y[0])
	return r * r / 2, r
}
