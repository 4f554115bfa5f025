package simd

import "unsafe"

// Smooth adds to dw the slope of half the squared differences of weights from their
// neighbours on either side and returns the sum of those from the neighbours before,
//
//	dw[i][j] += lambda (2 w[i][j] − before[i][j] − after[i][j])
//	Σ (w[i][j] − before[i][j])²
//
// for m rows of n elements that start stride apart, in all four slices. At an end,
// where there is no neighbour, w stands in its place. dw overlaps none of the others.
// Sums are in float64.
func Smooth(dw, w, before, after []float32, m, n, stride int, lambda float32) float64 {
	return active.Smooth(dw, w, before, after, m, n, stride, lambda)
}

// Smooth is [Smooth] on one tier.
func (t *tier) Smooth(dw, w, before, after []float32, m, n, stride int, lambda float32) float64 {
	if m == 0 || n == 0 {
		return 0
	}
	checkMatrix(dw, m, n, stride)
	checkMatrix(w, m, n, stride)
	checkMatrix(before, m, n, stride)
	checkMatrix(after, m, n, stride)
	if t.smooth == nil {
		return smoothGeneric(dw, w, before, after, m, n, stride, lambda)
	}
	return t.smooth(unsafe.SliceData(dw), unsafe.SliceData(w), unsafe.SliceData(before), unsafe.SliceData(after), m, n, stride, lambda)
}

// smoothGeneric is the reference body of [Smooth].
func smoothGeneric(dw, w, before, after []float32, m, n, stride int, lambda float32) float64 {
	var sum float64
	for i := range m {
		at := i * stride
		for j, v := range w[at : at+n] {
			d := v - before[at+j]
			sum += float64(d) * float64(d)
			dw[at+j] += lambda * (d + (v - after[at+j]))
		}
	}
	return sum
}
