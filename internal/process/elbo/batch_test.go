package elbo

import (
	"slices"
	"testing"
)

// Rows 1 and 2 of three rows of two coordinates and three targets.
func TestPartOfABatch(t *testing.T) {
	whole := Batch{X: []float32{0, 1, 2, 3, 4, 5}, Y: []float32{0, 1, 2, 3, 4, 5, 6, 7, 8}, Outputs: 3, Weights: []float32{0.5, 1, 2}}
	part := whole.Part(2, 1, 3)
	if part.Len() != 2 || part.Outputs != 3 || !slices.Equal(part.X, []float32{2, 3, 4, 5}) ||
		!slices.Equal(part.Y, []float32{3, 4, 5, 6, 7, 8}) || part.Weight(0) != 1 || part.Weight(1) != 2 {
		t.Errorf("%+v", part)
	}
	whole.Weights = nil
	if alike := whole.Part(2, 0, 1); alike.Weights != nil || alike.Weight(0) != 1 {
		t.Errorf("%+v", alike)
	}
}
