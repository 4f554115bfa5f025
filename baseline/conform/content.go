package conform

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/baseline"
)

// compare fails if predictions have moved by more than the method's drift.
func (s *suite) compare(t *testing.T, got, want moments, scale float64) {
	t.Helper()
	for i := range want.mean {
		if !(abs(got.mean[i]-want.mean[i]) <= s.traits.Drift*scale) || !(abs(got.std[i]-want.std[i]) <= s.traits.Drift*scale) {
			t.Errorf("row %d: %g ± %g, want %g ± %g", i+1, got.mean[i], got.std[i], want.mean[i], want.std[i])
			return
		}
	}
}

// unitsOfTarget: y → a y + b takes mean and deviation along.
func (s *suite) unitsOfTarget(t *testing.T) {
	data, x := set(1, rows, 0.1), set(2, 50, 0).X
	want := predict(t, s.usual(t), x, 2)
	const scale, shift = -250, 4000
	for i, y := range data.Y {
		data.Y[i] = scale*y + shift
	}
	got := predict(t, s.fit(t, data, environment), x, 2)
	for i := range want.mean {
		got.mean[i] = (got.mean[i] - shift) / scale
		got.std[i] /= abs(scale)
	}
	s.compare(t, got, want, deviation(set(1, rows, 0.1).Y))
}

// unitsOfInputs: metres or feet, zero anywhere.
func (s *suite) unitsOfInputs(t *testing.T) {
	data, x := set(1, rows, 0.1), set(2, 50, 0).X
	want := predict(t, s.usual(t), x, 2)
	for _, v := range [][]float64{data.X, x} {
		for i := range v {
			v[i] = []float64{1e4, 0.03}[i%2]*v[i] + []float64{3e4, -0.2}[i%2]
		}
	}
	s.compare(t, predict(t, s.fit(t, data, environment), x, 2), want, deviation(data.Y))
}

func (s *suite) order(t *testing.T) {
	if s.traits.Reorders {
		t.Skip("the order of rows is part of the random choices")
	}
	data, x := set(1, rows, 0.1), set(2, 50, 0).X
	want := predict(t, s.usual(t), x, 2)
	shuffled := baseline.Data{Inputs: 2}
	for _, i := range rand.New(rand.NewPCG(3, 0)).Perm(rows) {
		shuffled.X = append(shuffled.X, data.X[2*i:2*i+2]...)
		shuffled.Y = append(shuffled.Y, data.Y[i])
	}
	s.compare(t, predict(t, s.fit(t, shuffled, environment), x, 2), want, deviation(data.Y))
}

// hard data may be refused; if it is not, predictions are numbers within reason.
func (s *suite) hard(t *testing.T) {
	plain := set(1, rows, 0.1)
	edit := func(of func(d *baseline.Data)) baseline.Data {
		d := baseline.Data{X: slices.Clone(plain.X), Y: slices.Clone(plain.Y), Inputs: 2}
		of(&d)
		return d
	}
	sets := map[string]baseline.Data{
		"one row":    edit(func(d *baseline.Data) { d.X, d.Y = d.X[:2], d.Y[:1] }),
		"two rows":   edit(func(d *baseline.Data) { d.X, d.Y = d.X[:4], d.Y[:2] }),
		"three rows": edit(func(d *baseline.Data) { d.X, d.Y = d.X[:6], d.Y[:3] }),
		"rows twice": edit(func(d *baseline.Data) { d.X, d.Y = append(d.X, d.X...), append(d.Y, d.Y...) }),
		"one place, many targets": edit(func(d *baseline.Data) {
			for i := range d.X {
				d.X[i] = 1
			}
		}),
		"constant target": edit(func(d *baseline.Data) {
			for i := range d.Y {
				d.Y[i] = 0.1
			}
		}),
		"constant input": edit(func(d *baseline.Data) {
			for i := range d.Y {
				d.X[2*i] = 0.1
			}
		}),
		"one input twice": edit(func(d *baseline.Data) {
			for i := range d.Y {
				d.X[2*i] = d.X[2*i+1]
			}
		}),
		"few values": edit(func(d *baseline.Data) {
			for i := range d.X {
				d.X[i] = math.Round(d.X[i])
			}
		}),
		"a far row":       edit(func(d *baseline.Data) { d.X[0], d.Y[0] = 1e6, 1e3 }),
		"tiny unit":       edit(func(d *baseline.Data) { scale(d.X, 1e-150); scale(d.Y, 1e-150) }),
		"huge unit":       edit(func(d *baseline.Data) { scale(d.X, 1e150); scale(d.Y, 1e150) }),
		"more inputs":     {X: plain.X[:120], Y: plain.Y[:8], Inputs: 15},
		"two-valued":      edit(func(d *baseline.Data) { sign(d.X); sign(d.Y) }),
		"far from origin": edit(func(d *baseline.Data) { shift(d.X, 1e7); shift(d.Y, 1e7) }),
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range sets {
			if !yield(name) {
				return
			}
		}
	}) {
		t.Run(name, func(t *testing.T) {
			data := sets[name]
			r, err := s.method.Fit(context.Background(), data, environment)
			if err != nil {
				t.Logf("refused: %v", err)
				return
			}
			low, high := slices.Min(data.Y), slices.Max(data.Y)
			// Within ten times the range of where it is. At the training rows.
			reach := 10 * (high - low)
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
	if _, err := s.method.Fit(context.Background(), baseline.Data{Inputs: 2}, environment); err == nil {
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

func (s *suite) learns(t *testing.T) {
	if s.traits.Learns == 0 {
		t.Skip("not one of its traits")
	}
	const noise = 0.1
	data, test := set(4, 3*rows, noise), set(5, 400, 0)
	m := predict(t, s.fit(t, data, environment), test.X, 2)
	spread := deviation(test.Y)
	if e := rmse(m.mean, test.Y); !(e < s.traits.Learns*spread) {
		t.Errorf("error %g, deviation of the target %g", e, spread)
	}
	// The deviation is that of y: of the size of what the mean is off by, with noise.
	var off, told float64
	for i := range m.mean {
		off += math.Pow(m.mean[i]-test.Y[i], 2) + noise*noise
		told += m.std[i] * m.std[i]
	}
	if ratio := math.Sqrt(told / off); !(ratio > 0.5 && ratio < 2) {
		t.Errorf("deviations are %g times what they should be", ratio)
	}
}

func (s *suite) interpolates(t *testing.T) {
	if s.traits.Interpolates == 0 {
		t.Skip("not one of its traits")
	}
	data, test := set(6, 3*rows, 0), set(7, 400, 0)
	for i, v := range test.X {
		test.X[i] = 0.8 * v // between rows
	}
	for i := range test.Y {
		test.Y[i] = smooth(test.X[2*i], test.X[2*i+1])
	}
	r := s.fit(t, data, environment)
	for name, at := range map[string]baseline.Data{"at rows": data, "between": test} {
		m, bound := predict(t, r, at.X, 2), s.traits.Interpolates*deviation(data.Y)
		for i, mean := range m.mean {
			if !(abs(mean-at.Y[i]) < bound) {
				t.Errorf("%s: %g, want %g within %g", name, mean, at.Y[i], bound)
				break
			}
		}
	}
}

func (s *suite) doubts(t *testing.T) {
	if !s.traits.Doubts {
		t.Skip("not one of its traits")
	}
	r := s.fit(t, set(8, 2*rows, 0.1), environment)
	m := predict(t, r, []float64{0, 0, 40, -40}, 2)
	if !(m.std[1] > 2*m.std[0]) {
		t.Errorf("deviation %g among rows, %g far from them", m.std[0], m.std[1])
	}
}
