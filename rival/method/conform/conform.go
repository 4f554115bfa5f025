// Package conform is the suite that every [method.Method] passes. Only tests import
// it:
//
//	func TestConforms(t *testing.T) { conform.Run(t, mine.Method{}, conform.Traits{Learns: 0.2}) }
package conform

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/rival/method"
)

// Traits say what a method can do beyond what all must. Shares are of the deviation of
// the training targets; 0 is for a method that has no such trait.
type Traits struct {
	// Learns is the share below which the error of the mean falls for a smooth function
	// of two inputs with a little noise.
	Learns float64
	// Interpolates is that for one without noise, at the training rows and between
	// them.
	Interpolates float64
	// DistanceAware says that the deviation far from all rows is at least twice that
	// among them.
	DistanceAware bool
	// Drift is the share by which predictions may change with the units and the order
	// of the rows; 0 is for a millionth. A search that ends elsewhere with every
	// rounding needs more.
	Drift float64
	// Restore is of a method whose regressors are [method.Storable]; nil where they
	// are not.
	Restore func(method.State) (method.Storable, error)
	// Laws are those that the method is held to: where it is not Lawful, to refusing them.
	Laws   map[string]Law
	Lawful bool
	// Tells is the share of what the inputs tell of a target that the method finds where
	// natural parameters are linear in them.
	Tells float64
	// LawDrift is how far natural parameters may move with the units and the order of the
	// rows; 0 is for a hundred-thousandth.
	LawDrift float64
	// AnyLatents says that what is stored goes with any number of natural parameters.
	AnyLatents bool
}

// Run runs the suite as subtests.
func Run(t *testing.T, m method.Method, traits Traits) {
	if traits.Drift == 0 {
		traits.Drift = 1e-6
	}
	if traits.LawDrift == 0 {
		traits.LawDrift = 1e-5
	}
	s := &suite{method: m, traits: traits}
	for _, check := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"Shapes", s.shapes},
		{"MisuseOfShapesPanics", s.misuse},
		{"SameSeedSameBits", s.determinism},
		{"ArgumentsAreLeftAlone", s.arguments},
		{"UnitsOfTarget", s.unitsOfTarget},
		{"UnitsOfInputs", s.unitsOfInputs},
		{"OrderOfRows", s.order},
		{"HardData", s.hard},
		{"UnfitDataFails", s.unfit},
		{"Cancellation", s.cancellation},
		{"Learns", s.learns},
		{"Interpolates", s.interpolates},
		{"DistanceAware", s.distanceAware},
		{"Noise", s.noise},
		{"Stored", s.stored},
		{"DamagedStateFails", s.damaged},
		{"Laws", s.laws},
	} {
		t.Run(check.name, check.run)
	}
}

type suite struct {
	method method.Method
	traits Traits
	fitted method.Regressor // see usual
}

// smooth is the function that the suite's sets have, of about unit deviation.
func smooth(a, b float64) float64 { return 1.6*math.Sin(2*a) + 0.5*b }

// set draws n rows of two inputs in [−2, 2]² and the function with noise.
func set(seed uint64, n int, noise float64) method.Data {
	random := rand.New(rand.NewPCG(seed, 0))
	data := method.Data{X: make([]float64, 2*n), Y: make([]float64, n), Inputs: 2}
	for i := range n {
		a, b := 4*random.Float64()-2, 4*random.Float64()-2
		data.X[2*i], data.X[2*i+1] = a, b
		data.Y[i] = smooth(a, b) + noise*random.NormFloat64()
	}
	return data
}

const rows = 60 // of most sets

var environment = method.Environment{Workers: 2, Seed: 7}

// moments are predictions.
type moments struct{ mean, std []float64 }

func predict(t *testing.T, r method.Regressor, x []float64, inputs int) moments {
	t.Helper()
	m := moments{make([]float64, len(x)/inputs), make([]float64, len(x)/inputs)}
	if err := r.Predict(context.Background(), x, m.mean, m.std); err != nil {
		t.Fatalf("Predict: %v", err)
	}
	for i := range m.mean {
		if !sane(m.mean[i]) || !sane(m.std[i]) || m.std[i] < 0 {
			t.Fatalf("row %d: mean %g, deviation %g", i+1, m.mean[i], m.std[i])
		}
	}
	return m
}

func (s *suite) fit(t *testing.T, data method.Data, env method.Environment) method.Regressor {
	t.Helper()
	r, err := s.method.Fit(context.Background(), data, env)
	if err != nil {
		t.Fatalf("Fit: %v", err)
	}
	return r
}

// usual is a regressor on set(1, rows, 0.1), the same for all checks.
func (s *suite) usual(t *testing.T) method.Regressor {
	t.Helper()
	if s.fitted == nil {
		s.fitted = s.fit(t, set(1, rows, 0.1), environment)
	}
	return s.fitted
}

func sane(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// rmse is the root mean square difference.
func rmse(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum / float64(len(a)))
}

func deviation(v []float64) float64 {
	mean := make([]float64, len(v))
	for _, x := range v {
		mean[0] += x / float64(len(v))
	}
	for i := range mean {
		mean[i] = mean[0]
	}
	return rmse(v, mean)
}
