package simd

const (
	errShort  = "simd: slice too short for its shape"
	errStride = "simd: more points than the row stride"
	errSign   = "simd: negative count or stride"
	errOrder  = "simd: Bernstein order out of range"
)

// checkMatrix panics unless s holds m rows of n points, ld apart.
func checkMatrix(s []float32, m, n, ld int) {
	if n > ld {
		panic(errStride)
	}
	if m < 0 || n < 0 {
		panic(errSign)
	}
	if m > 0 && len(s) < (m-1)*ld+n {
		panic(errShort)
	}
}

// checkStrided panics unless w holds mi × mj elements at strides wi and wj.
func checkStrided(w []float32, mi, mj, wi, wj int) {
	if wi < 0 || wj < 0 {
		panic(errSign)
	}
	if mi > 0 && mj > 0 && len(w) <= (mi-1)*wi+(mj-1)*wj {
		panic(errShort)
	}
}
