package source

import (
	"math"
	"testing"
)

// The share of rows held out is what was asked for, in every part of the table, and
// neighbours are held out independently.
func TestHeldOut(t *testing.T) {
	const rows = 200000
	for _, share := range []float64{0.01, 0.1, 0.5, 0.9} {
		for from := range 4 {
			count, both := 0, 0
			for row := from * rows; row < (from+1)*rows; row++ {
				if heldOut(row, share) {
					count++
					if heldOut(row+1, share) {
						both++
					}
				}
			}
			if deviation := math.Sqrt(rows * share * (1 - share)); math.Abs(float64(count)-rows*share) > 5*deviation {
				t.Errorf("share %g: %d of %d rows", share, count, rows)
			}
			pairs := share * share
			if deviation := math.Sqrt(3 * rows * pairs); math.Abs(float64(both)-rows*pairs) > 5*deviation {
				t.Errorf("share %g: %d of %d neighbours", share, both, rows)
			}
		}
	}
}
