package analysis_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"beziergp"
	"beziergp/analysis"
	"beziergp/box"
	"beziergp/internal/testkit"
	"beziergp/measure"
	"beziergp/table"
	"beziergp/train"
	"beziergp/train/paper"
)

// learn fits n points of a function that are uniform on [lo, hi]^d.
func learn(t *testing.T, recipe train.Recipe, n, d int, lo, hi float64, f func(x []float64) float64) *beziergp.Model {
	t.Helper()
	if testing.Short() {
		t.Skip("fits a model")
	}
	rng := rand.New(rand.NewPCG(4, 4))
	columns, y := make([][]float64, d), make([]float64, n)
	x := make([]float64, d)
	for row := range n {
		for i := range x {
			x[i] = lo + (hi-lo)*rng.Float64()
			columns[i] = append(columns[i], x[i])
		}
		y[row] = f(x)
	}
	bounds := map[string]box.Bounds{}
	all := []table.Column{table.ColumnOf("y", y)}
	for i := range columns {
		name := fmt.Sprintf("x%d", i+1)
		all, bounds[name] = append(all, table.ColumnOf(name, columns[i])), box.Bounds{Lo: lo, Hi: hi}
	}
	tab := must[*table.Table](t)(table.New(all...))
	return must[*beziergp.Model](t)(beziergp.Fit(ctx, tab, "y", beziergp.Options{Recipe: recipe, Bounds: bounds}))
}

// uniformly returns the analysis over the whole box.
func uniformly(t *testing.T, m *beziergp.Model) *analysis.Analysis {
	t.Helper()
	laws := map[string]measure.Law{}
	for _, in := range m.Inputs() {
		laws[in.Name] = must[measure.Law](t)(measure.Parse("uniform"))
	}
	return must[*analysis.Analysis](t)(analysis.New(m, analysis.Options{Laws: laws}))
}

// The function of Ishigami & Homma (1990), sin x1 + a sin² x2 + b x3⁴ sin x1, whose indices
// are known.
func TestIndicesOfALearnedFunctionOfIshigami(t *testing.T) {
	const a, b = 7, 0.1
	m := learn(t, paper.Recipe{Order: 9, Orderings: 6, Steps: 3000, LearningRate: 0.01}, 1500, 3, -math.Pi, math.Pi, func(x []float64) float64 {
		return math.Sin(x[0]) + a*math.Pow(math.Sin(x[1]), 2) + b*math.Pow(x[2], 4)*math.Sin(x[0])
	})
	s, err := uniformly(t, m).Sobol(ctx, analysis.SobolOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	pi4 := math.Pow(math.Pi, 4)
	v1, v2, v13 := 0.5*math.Pow(1+b*pi4/5, 2), a*a/8., b*b*pi4*pi4*(1./18-1./50)
	v := v1 + v2 + v13
	testkit.Close(t, "mean", s.Mean, a/2., 0, 0.1)
	testkit.Close(t, "variance", s.Variance.Value, v, 0.05, 0)
	for i, want := range []float64{v1 / v, v2 / v, 0} {
		testkit.Close(t, "first order", s.First[i], want, 0, 0.02)
	}
	for i, want := range []float64{(v1 + v13) / v, v2 / v, v13 / v} {
		testkit.Close(t, "total", s.Total[i].Value, want, 0, 0.02)
	}
	if p := s.Pairs[0]; p.I != 0 || p.J != 2 || math.Abs(p.Index-v13/v) > 0.02 {
		t.Errorf("the largest interaction is %v, want %g of the first and the last", p, v13/v)
	}
}

// Two functions of Genz (1984) in five dimensions, oscillatory and Gaussian.
func TestIntegralsOfLearnedFunctionsOfGenz(t *testing.T) {
	const d = 5
	recipe := paper.Recipe{Order: 5, Orderings: 20, Steps: 2500, LearningRate: 0.01}
	oscillatory, bell := cmplx.Exp(complex(0, 2*math.Pi*0.3)), 1.0
	for i := range d {
		a, u := 0.6+0.15*float64(i), 0.4+0.05*float64(i)
		oscillatory *= (cmplx.Exp(complex(0, a)) - 1) / complex(0, a)
		bell *= math.SqrtPi / 2.4 * (math.Erf(1.2*(1-u)) + math.Erf(1.2*u))
	}
	for _, own := range []struct {
		name string
		f    func(x []float64) float64
		want float64
	}{
		{"oscillatory", func(x []float64) float64 {
			sum := 2 * math.Pi * 0.3
			for i, v := range x {
				sum += (0.6 + 0.15*float64(i)) * v
			}
			return math.Cos(sum)
		}, real(oscillatory)},
		{"Gaussian", func(x []float64) float64 {
			var sum float64
			for i, v := range x {
				sum += math.Pow(1.2*(v-0.4-0.05*float64(i)), 2)
			}
			return math.Exp(-sum)
		}, bell},
	} {
		got := uniformly(t, learn(t, recipe, 600, d, 0, 1, own.f)).Integral()
		t.Logf("%s: %.6g ± %.2g, want %.6g", own.name, got.Mean, got.Std, own.want)
		if off := math.Abs(got.Mean - own.want); off > 0.005 || off > 3*got.Std {
			t.Errorf("%s: %g ± %g, want %g", own.name, got.Mean, got.Std, own.want)
		}
	}
}
