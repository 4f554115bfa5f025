package model

import (
	"math"
	"slices"
	"testing"
)

func TestLimitsHold(t *testing.T) {
	values := []float64{-5, -1, 0.5, 2, 7, math.Inf(1)}
	(&Limits{-1, 2}).Hold(values)
	if want := []float64{-1, -1, 0.5, 2, 2, 2}; !slices.Equal(values, want) {
		t.Errorf("held to %v, want %v", values, want)
	}
}
