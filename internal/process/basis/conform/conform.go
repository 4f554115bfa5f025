// Package conform is the suite that every [basis.Basis] passes. Only tests import it:
//
//	func TestConforms(t *testing.T) { conform.Run(t, mine, conform.Traits{Reference: functions, …}) }
package conform

import (
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/basis"
)

// Traits say what a basis is, by formulas that share no code with it.
type Traits struct {
	// Reference returns φ_0(t) … φ_{m−1}(t).
	Reference func(t float64) []float64
	// Levels, if not 0, says that the domain is so many whole numbers from 0 on, and not [0, 1].
	Levels int
	// Breaks are where [0, 1] is cut into intervals within which the functions are
	// polynomials, ends included; nil for one interval.
	Breaks []float64
	// Jumps says that the functions jump at the breaks inside, where they are those on the right.
	Jumps bool
	// Flat says that the first function is one at all coordinates.
	Flat bool
	// Nodes are the coordinates at which the prior has variance one.
	Nodes []float64
	// NoPrior says that no positive prior variances exist.
	NoPrior bool
	// Unknown are the functions' values where the coordinate is NaN; nil for a basis
	// that does not take it.
	Unknown []float64
}

// Run runs the suite as subtests.
func Run(t *testing.T, b basis.Basis, traits Traits) {
	if traits.Breaks == nil {
		traits.Breaks = []float64{0, 1}
	}
	s := &suite{Basis: b, Traits: traits, m: b.Nodes()}
	for _, check := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"Reference", s.reference},
		{"PartitionOfUnity", s.partition},
		{"Derivatives", s.derivatives},
		{"Edges", s.edges},
		{"Mirror", s.mirror},
		{"MeanAndGram", s.integrals},
		{"PriorVariance", s.prior},
		{"Unknown", s.unknown},
		{"Layout", s.layout},
		{"Local", s.local},
		{"MisusePanics", s.misuse},
		{"Spec", s.spec},
	} {
		t.Run(check.name, check.run)
	}
}

type suite struct {
	basis.Basis
	Traits
	m int
}

// coordinates returns some of the domain: its edges, places next to them, the ends of
// intervals and what is drawn, or all levels.
func (s *suite) coordinates() (t []float32) {
	if s.Levels > 0 {
		for i := range s.Levels {
			t = append(t, float32(i))
		}
		return t
	}
	t = []float32{0, 1, 0.5, 1e-7, 1 - 1.0/(1<<24), 1.0 / 3}
	for i := 0; i < len(s.Breaks); i += 1 + len(s.Breaks)/8 {
		t = append(t, float32(s.Breaks[i]))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 11 {
		t = append(t, random.Float32())
	}
	return t
}

// at returns the functions and their slopes at one coordinate.
func (s *suite) at(t float32) (values, slopes []float32) {
	values, slopes = make([]float32, s.m), make([]float32, s.m)
	s.Basis.Values(values, []float32{t}, 1, 1)
	s.Basis.Derivatives(slopes, []float32{t}, 1, 1)
	return values, slopes
}
