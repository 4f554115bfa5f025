package likelihood

import (
	"math"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// The skew is 0 of what is symmetric, does not depend on units, turns round with the numbers, and
// of a share p of ones is (1 − 2p)/√(p (1 − p)).
func TestSkew(t *testing.T) {
	symmetric := []float64{1, 2, 5, 8, 9}
	testkit.Close(t, "symmetric", skew(symmetric), 0, 0, 1e-12)
	y := []float64{0.3, 7, 1, 1, 2, 0, 11, 4}
	moved, turned := make([]float64, len(y)), make([]float64, len(y))
	for i, v := range y {
		moved[i], turned[i] = 3*v+20, -v
	}
	testkit.Close(t, "other units", skew(moved), skew(y), 1e-12, 0)
	testkit.Close(t, "turned round", skew(turned), -skew(y), 1e-12, 0)
	// Digits are not lost where the mean, which is not exact, is large beside the deviation.
	whole, far := []float64{0, 7, 1, 1, 2, 0, 11}, make([]float64, 7)
	for i, v := range whole {
		far[i] = v + 1e8
	}
	testkit.Close(t, "far from 0", skew(far), skew(whole), 1e-6, 0)
	for ones := 1; ones < 10; ones++ {
		truth := make([]float64, 10)
		for i := range ones {
			truth[i] = 1
		}
		p := float64(ones) / 10
		testkit.Close(t, "ones", skew(truth), (1-2*p)/math.Sqrt(p*(1-p)), 1e-12, 1e-12)
	}
}

// Each list of numbers differs from one beside it in what it suggests, and in one property.
func TestSuggested(t *testing.T) {
	repeat := func(n int, y ...float64) []float64 { return slices.Repeat(y, n) }
	amounts := append(repeat(9, 1.5, 2.5), 4, 30.5) // skewed, above 0
	gaps := append(repeat(9, 0, 2.5), 4, 30.5)      // and often 0
	counts := append(repeat(5, 1, 2, 2, 3), 4, 5)   // a little skewed
	for name, c := range map[string]struct {
		y    []float64
		want []string
	}{
		"zeros and ones":         {repeat(10, 0, 1), []string{"bernoulli"}},
		"rare ones":              {append(repeat(30, 0), 1), []string{"bernoulli"}},
		"ones alone":             {repeat(20, 1), nil},
		"zeros alone":            {repeat(20, 0), nil},
		"ones and a half":        {append(repeat(10, 0, 1), 0.5), nil},
		"counts":                 {counts, []string{"poisson", "negative-binomial"}},
		"counts with a fraction": {append(repeat(5, 1, 2, 2, 3), 4, 5.1), nil}, // of about the skew of counts
		"few counts":             {counts[3:], nil},
		"symmetric counts":       {repeat(7, 1, 2, 3), nil},
		"amounts":                {amounts, []string{"gamma", "log-normal"}},
		"amounts with zeros":     {gaps, []string{"tweedie"}},
		"with one below 0":       {append(slices.Clone(amounts), -0.1), nil},
		"symmetric numbers":      {repeat(7, 1.5, 2.5, 3.5), nil},
	} {
		if why, got := Suggested(c.y); !slices.Equal(got, c.want) || (why == "") != (c.want == nil) {
			t.Errorf("%s of skew %.2f: %q since it %q, want %q", name, skew(c.y), got, why, c.want)
		}
	}
}
