package conform

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"beziergp/rival/method"
)

// hard data may be refused; if it is not, predictions are numbers within reason.
func (s *suite) hard(t *testing.T) {
	plain := set(1, rows, 0.1)
	edit := func(of func(d *method.Data)) method.Data {
		d := method.Data{X: slices.Clone(plain.X), Y: slices.Clone(plain.Y), Inputs: 2}
		of(&d)
		return d
	}
	sets := map[string]method.Data{
		"one row":    edit(func(d *method.Data) { d.X, d.Y = d.X[:2], d.Y[:1] }),
		"two rows":   edit(func(d *method.Data) { d.X, d.Y = d.X[:4], d.Y[:2] }),
		"three rows": edit(func(d *method.Data) { d.X, d.Y = d.X[:6], d.Y[:3] }),
		"rows twice": edit(func(d *method.Data) { d.X, d.Y = append(d.X, d.X...), append(d.Y, d.Y...) }),
		"one place, many targets": edit(func(d *method.Data) {
			for i := range d.X {
				d.X[i] = 1
			}
		}),
		"constant target": edit(func(d *method.Data) {
			for i := range d.Y {
				d.Y[i] = 0.1
			}
		}),
		"constant input": edit(func(d *method.Data) {
			for i := range d.Y {
				d.X[2*i] = 0.1
			}
		}),
		"one input twice": edit(func(d *method.Data) {
			for i := range d.Y {
				d.X[2*i] = d.X[2*i+1]
			}
		}),
		"few values": edit(func(d *method.Data) {
			for i := range d.X {
				d.X[i] = math.Round(d.X[i])
			}
		}),
		"a far row":       edit(func(d *method.Data) { d.X[0], d.Y[0] = 1e6, 1e3 }),
		"tiny unit":       edit(func(d *method.Data) { scale(d.X, 1e-150); scale(d.Y, 1e-150) }),
		"huge unit":       edit(func(d *method.Data) { scale(d.X, 1e150); scale(d.Y, 1e150) }),
		"more inputs":     {X: plain.X[:120], Y: plain.Y[:8], Inputs: 15},
		"two-valued":      edit(func(d *method.Data) { sign(d.X); sign(d.Y) }),
		"far from origin": edit(func(d *method.Data) { shift(d.X, 1e7); shift(d.Y, 1e7) }),
	}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		t.Run(name, func(t *testing.T) {
			data := sets[name]
			r, err := s.method.Fit(context.Background(), data, environment)
			if err != nil {
				t.Logf("refused: %v", err)
				return
			}
			low, high := slices.Min(data.Y), slices.Max(data.Y)
			reach := 10 * (high - low) // far more than sound methods need
			if high == low {
				reach = 1 // no unit to measure by
			}
			m := predict(t, r, data.X, data.Inputs)
			for i, mean := range m.mean {
				if mean < low-reach || mean > high+reach || m.std[i] > reach {
					t.Fatalf("row %d: %g ± %g of targets from %g to %g", i+1, mean, m.std[i], low, high)
				}
			}
		})
	}
}

func scale(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}

func shift(v []float64, by float64) {
	for i := range v {
		v[i] += by
	}
}

func sign(v []float64) {
	for i := range v {
		v[i] = math.Copysign(1, v[i])
	}
}

// unfit: nothing to learn from is an error; a missing or infinite value is one, or the
// method knows what to do with it.
func (s *suite) unfit(t *testing.T) {
	if _, err := s.method.Fit(context.Background(), method.Data{Inputs: 2}, environment); err == nil {
		t.Error("no rows: no error")
	}
	for name, value := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1)} {
		for i, where := range []string{"input", "target"} {
			data := set(1, rows, 0.1)
			[][]float64{data.X, data.Y}[i][10] = value
			if r, err := s.method.Fit(context.Background(), data, environment); err == nil {
				predict(t, r, set(2, 10, 0).X, 2)
				t.Logf("%s as %s is taken", name, where)
			}
		}
		r := s.usual(t)
		mean, std := make([]float64, 1), make([]float64, 1)
		if err := r.Predict(context.Background(), []float64{0, value}, mean, std); err == nil && (!sane(mean[0]) || !sane(std[0])) {
			t.Errorf("%s: predicts %g ± %g", name, mean[0], std[0])
		}
	}
}
