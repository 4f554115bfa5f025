package conform

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/rival/method"
)

// compare fails if predictions have moved by more than the method's drift.
func (s *suite) compare(t *testing.T, got, want moments, scale float64) {
	t.Helper()
	for i := range want.mean {
		if !(math.Abs(got.mean[i]-want.mean[i]) <= s.traits.Drift*scale) || !(math.Abs(got.std[i]-want.std[i]) <= s.traits.Drift*scale) {
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
		got.std[i] /= math.Abs(scale)
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
	data, x := set(1, rows, 0.1), set(2, 50, 0).X
	want := predict(t, s.usual(t), x, 2)
	shuffled := method.Data{Inputs: 2}
	for _, i := range rand.New(rand.NewPCG(3, 0)).Perm(rows) {
		shuffled.X = append(shuffled.X, data.X[2*i:2*i+2]...)
		shuffled.Y = append(shuffled.Y, data.Y[i])
	}
	s.compare(t, predict(t, s.fit(t, shuffled, environment), x, 2), want, deviation(data.Y))
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
	for name, at := range map[string]method.Data{"at rows": data, "between": test} {
		m, bound := predict(t, r, at.X, 2), s.traits.Interpolates*deviation(data.Y)
		for i, mean := range m.mean {
			if !(math.Abs(mean-at.Y[i]) < bound) {
				t.Errorf("%s: %g, want %g within %g", name, mean, at.Y[i], bound)
				break
			}
		}
	}
}

func (s *suite) distanceAware(t *testing.T) {
	if !s.traits.DistanceAware {
		t.Skip("not one of its traits")
	}
	r := s.fit(t, set(8, 2*rows, 0.1), environment)
	m := predict(t, r, []float64{0, 0, 40, -40}, 2)
	if !(m.std[1] > 2*m.std[0]) {
		t.Errorf("deviation %g among rows, %g far from them", m.std[0], m.std[1])
	}
}
