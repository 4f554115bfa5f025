package descent

import (
	"slices"
	"testing"
)

func TestSamplerVisitsEveryRowOnceAnEpoch(t *testing.T) {
	for _, c := range []struct{ rows, batch int }{{1, 500}, {2, 1}, {5, 2}, {17, 17}, {1000, 7}, {4097, 500}} {
		s := newSampler(3, c.rows, c.batch)
		perEpoch := c.rows / s.batch
		rows := make([]int, s.batch)
		var first []int
		for epoch := range 3 {
			var visited []int
			for step := range perEpoch {
				s.rowsAt(epoch*perEpoch+step, rows)
				visited = append(visited, rows...)
			}
			if epoch == 0 {
				first = slices.Clone(visited)
			} else if c.rows > 20 && slices.Equal(first, visited) {
				t.Errorf("%v: two epochs have the same order", c)
			}
			slices.Sort(visited)
			if distinct := len(slices.Compact(visited)); distinct != perEpoch*s.batch || visited[0] < 0 || visited[distinct-1] >= c.rows {
				t.Errorf("%v: an epoch visits %d rows, want %d", c, distinct, perEpoch*s.batch)
			}
		}
		// A step's batch does not depend on what was drawn before.
		s.rowsAt(0, rows)
		if !slices.Equal(rows, first[:len(rows)]) {
			t.Errorf("%v: step 0 draws another batch the second time", c)
		}
	}
}

// The first place of an epoch falls on all rows alike.
func TestSamplerIsUniform(t *testing.T) {
	const rows, draws = 10, 20000
	counts := make([]float64, rows)
	s := newSampler(1, rows, rows)
	batch := make([]int, rows)
	for epoch := range draws {
		s.rowsAt(epoch, batch)
		counts[batch[0]]++
	}
	var chi2 float64
	for _, c := range counts {
		chi2 += (c - draws/rows) * (c - draws/rows) / (draws / rows)
	}
	if chi2 > 27.9 { // 0.999 quantile of χ² with 9 degrees of freedom
		t.Errorf("χ² = %g: %v", chi2, counts)
	}
}
