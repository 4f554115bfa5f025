package simd

// Smooth adds to dw λ times the slope of half the squared differences between a weight
// and its neighbours, for w of m rows of n: with along those in a row and with across
// those in a column,
//
//	dw[i][j] += λ Σ (w[i][j] − neighbour)
//
// It takes them as they are, at the ends too, where there is one neighbour less.
func Smooth(dw, w []float32, m, n int, along, across bool, lambda float32) {
	active.Smooth(dw, w, m, n, along, across, lambda)
}

// Smooth is [Smooth] on one tier.
func (t *tier) Smooth(dw, w []float32, m, n int, along, across bool, lambda float32) {
	if m == 0 || n == 0 {
		return
	}
	checkMatrix(dw, m, n, n)
	checkMatrix(w, m, n, n)
	// The first row and the last one first, which have neighbours on one side alone.
	for _, i := range []int{0, m - 1}[:min(m, 2)] {
		at := i * n
		above, below := at, at
		if across {
			above, below = max(i-1, 0)*n, min(i+1, m-1)*n
		}
		if !along {
			t.smoothRow(dw, w, at, at, at, above, below, n, lambda)
			continue
		}
		last := n - 1
		t.smoothRow(dw, w, at, at, at+min(1, last), above, below, 1, lambda)
		if n > 1 {
			t.smoothRow(dw, w, at+1, at, at+2, above+1, below+1, n-2, lambda)
			t.smoothRow(dw, w, at+last, at+last-1, at+last, above+last, below+last, 1, lambda)
		}
	}
	reach, next := 0, 0
	if across {
		reach = n
	}
	if along {
		next = 1
	}
	for from := 1; from < m-1; from += smoothRows {
		// Those between in one go, as if a row's last weight had a neighbour in the next
		// row; and then these are made good.
		to := min(from+smoothRows, m-1)
		var ends [2 * smoothRows]float32
		for i := from; i < to; i++ {
			ends[2*(i-from)], ends[2*(i-from)+1] = dw[i*n], dw[(i+1)*n-1]
		}
		at := from * n
		t.smoothRow(dw, w, at, at-next, at+next, at-reach, at+reach, (to-from)*n, lambda)
		if !along {
			continue
		}
		for i := from; i < to; i++ {
			first, last := i*n, (i+1)*n-1
			dw[first], dw[last] = ends[2*(i-from)], ends[2*(i-from)+1]
			smoothGeneric(dw[first:first+1], w[first:], w[first:], w[min(first+1, last):], w[first-reach:], w[first+reach:], lambda)
			if last > first {
				smoothGeneric(dw[last:last+1], w[last:], w[last-1:], w[last:], w[last-reach:], w[last+reach:], lambda)
			}
		}
	}
}

// smoothRows is the number of rows that [Smooth] takes in one go.
const smoothRows = 32

// smoothRow takes n weights that follow one another, with their neighbours; where there
// is none, the weight stands in its place.
func (t *tier) smoothRow(dw, w []float32, at, before, after, above, below, n int, lambda float32) {
	if t.smooth == nil || n == 1 {
		smoothGeneric(dw[at:at+n], w[at:], w[before:], w[after:], w[above:], w[below:], lambda)
		return
	}
	if n == 0 {
		return
	}
	t.smooth(&dw[at], &w[at], &w[before], &w[after], &w[above], &w[below], n, lambda)
}

// smoothGeneric is the reference body of a row of [Smooth].
func smoothGeneric(dw, w, before, after, above, below []float32, lambda float32) {
	for j := range dw {
		v := w[j]
		dw[j] += lambda * (((v - before[j]) + (v - after[j])) + ((v - above[j]) + (v - below[j])))
	}
}
