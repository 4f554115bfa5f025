// Package testkit holds what tests of several packages check against. Nothing in
// it shares code with the packages under test, and only tests import it.
package testkit

import (
	"math"
	"testing"
)

// EachPath calls visit with every choice of one node a layer, layers having the
// given widths: Π widths calls. The slice is reused.
func EachPath(widths []int, visit func(path []int)) {
	path := make([]int, len(widths))
	for {
		visit(path)
		g := len(path) - 1
		for ; g >= 0; g-- {
			path[g]++
			if path[g] < widths[g] {
				break
			}
			path[g] = 0
		}
		if g < 0 {
			return
		}
	}
}

// Close fails the test unless got is within rel·|want| + abs of want.
func Close(t testing.TB, what string, got, want, rel, abs float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)+abs) {
		t.Errorf("%s = %.9g, want %.9g", what, got, want)
	}
}

// CentralDifference returns the derivative of f by *x, leaving *x as it was. f is
// called at two points h apart on either side of *x, as float32 rounds them.
func CentralDifference(f func() float64, x *float32, h float32) float64 {
	at := *x
	*x = at + h
	up, high := *x, f()
	*x = at - h
	down, low := *x, f()
	*x = at
	return (high - low) / (float64(up) - float64(down))
}
