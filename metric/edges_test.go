package metric

import (
	"testing"

	"beziergp/predictive"
)

// Neumaier's own example, in every order in which a sum loses digits.
func TestSumsOfLargeAndSmall(t *testing.T) {
	for _, values := range [][]float64{{1, 1e100, 1, -1e100}, {1e100, 1, -1e100, 1}, {1, -1e100, 1, 1e100}} {
		var s sum
		for _, v := range values {
			s.add(v)
		}
		if got := s.value(); got != 2 {
			t.Errorf("%v add up to %g", values, got)
		}
	}
}

// The ends belong to an interval, and 1 to the last tenth.
func TestEndsOfAnInterval(t *testing.T) {
	var s Scores
	certain := predictive.Distribution{Location: 1} // F is 1 above, 0 below
	s.Add(2, 1, 2, 3, certain)
	s.Add(2, 1, 1, 2, certain)
	s.Add(2, 1, 2.1, 3, certain)
	s.Add(0, 1, -1, -0.1, certain)
	if got := s.Coverage(); got != 0.5 {
		t.Errorf("coverage %g", got)
	}
	if shares := s.PIT(); shares[0] != 0.25 || shares[PITBins-1] != 0.75 {
		t.Errorf("shares of tenths %v", shares)
	}
	defer func() {
		if recover() == nil {
			t.Error("a level of 0 does not panic")
		}
	}()
	GaussianInterval(0, 1, 0)
}

// A target is 0 for MAPE where it divides by more than the target: at ε it is still exact.
func TestZerosAreWhatMAPECannotDivideBy(t *testing.T) {
	for _, y := range []float64{epsilon, 2 * epsilon, epsilon / 2, 0, -epsilon / 2, -epsilon} {
		exact := MAPE([]float64{y}, []float64{2 * y}) == 1
		if (Zeros([]float64{y}) == 0) != exact {
			t.Errorf("%g: %d zeros, exact %v", y, Zeros([]float64{y}), exact)
		}
	}
}
