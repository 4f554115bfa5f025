package surface

import (
	"math"
	"slices"
	"testing"
)

// Parts are joined in their order, and every weight of theirs has to be finite, wherever
// it stands.
func TestPosteriorJoinsParts(t *testing.T) {
	s := of(t, 2, 200, 1, MeanOnly)
	n := s.Size() // more than are checked at once
	params := make([]float32, n)
	for i := range params {
		params[i] = float32(i)
	}
	for _, at := range []int{0, 1, n / 2, n} {
		q, err := NewPosterior(s, params[:at], params[at:])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(q.Params(), params) {
			t.Errorf("parts of %d and %d weights are not joined as they stand", at, n-at)
		}
	}
	if q, err := NewPosterior(s, params[:n/3], params[n/3:n/2], params[n/2:]); err != nil || &q.Params()[0] != &params[0] {
		t.Errorf("parts that lie next to each other are copied, %v", err)
	}
	if q, err := NewPosterior(s, params[:n/3], slices.Clone(params[n/3:])); err != nil || &q.Params()[0] == &params[0] || !slices.Equal(q.Params(), params) {
		t.Errorf("parts that lie elsewhere are not joined, %v", err)
	}
	if _, err := NewPosterior(s, params[1:]); err == nil {
		t.Error("a weight is missing, and nothing is said")
	}
	if _, err := NewPosterior(s, params, params[:1]); err == nil {
		t.Error("a weight is too much, and nothing is said")
	}
	for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), -math.NaN()} {
		for _, i := range []int{0, n / 2, n - 1} {
			own := slices.Clone(params)
			own[i] = float32(bad)
			for _, at := range []int{0, n / 2} {
				if _, err := NewPosterior(s, own[:at], slices.Clone(own[at:])); err == nil {
					t.Errorf("weight %d is %g, and nothing is said of parts from %d", i, bad, at)
				}
			}
			if _, err := NewPosterior(s, own); err == nil {
				t.Errorf("weight %d is %g, and nothing is said", i, bad)
			}
		}
	}
	params[n/2] = math.MaxFloat32
	if _, err := NewPosterior(s, params); err != nil {
		t.Errorf("the largest number: %v", err)
	}
}
