package simd

import "unsafe"

// ScaledSquare fills the basis of the variance buttress: dst[i,p] = scale[i] · phi[i,p]².
func ScaledSquare(dst, phi, scale []float32, m, n, ld int) {
	active.ScaledSquare(dst, phi, scale, m, n, ld)
}

// ScaledSquare is [ScaledSquare] on one tier.
func (t *tier) ScaledSquare(dst, phi, scale []float32, m, n, ld int) {
	if n == 0 {
		return
	}
	checkMatrix(dst, m, n, ld)
	checkMatrix(phi, m, n, ld)
	scale = scale[:m]
	if t.scaledSquare == nil {
		scaledSquareGeneric(dst, phi, scale, m, n, ld)
		return
	}
	t.scaledSquare(unsafe.SliceData(dst), unsafe.SliceData(phi), unsafe.SliceData(scale), m, n, ld)
}

// scaledSquareGeneric is the reference body of [ScaledSquare].
func scaledSquareGeneric(dst, phi, scale []float32, m, n, ld int) {
	for i, c := range scale[:m] {
		out := dst[i*ld : i*ld+n]
		f := phi[i*ld:][:len(out)]
		for p := range out {
			out[p] = c * f[p] * f[p]
		}
	}
}
