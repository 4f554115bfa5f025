package simd

import "unsafe"

// Outer adds the gradient of a layer's weights over a tile of points:
//
//	dw[i*mj+j] += Σ_p src[i,p] · u[j,p]
//
// for i < mi, j < mj, p < n. src is [mi, ld], u is [mj, ld], dw is [mi, mj].
func (t *tier) Outer(dw, src, u []float32, mi, mj, n, ld int) {
	if n == 0 {
		return
	}
	checkMatrix(src, mi, n, ld)
	checkMatrix(u, mj, n, ld)
	checkStrided(dw, mi, mj, mj, 1)
	if t.outer == nil {
		outerGeneric(dw, src, u, mi, mj, n, ld)
		return
	}
	t.outer(unsafe.SliceData(dw), unsafe.SliceData(src), unsafe.SliceData(u), mi, mj, n, ld)
}

// outerGeneric is the reference body of Outer.
func outerGeneric(dw, src, u []float32, mi, mj, n, ld int) {
	for i := range mi {
		s := src[i*ld : i*ld+n]
		for j := range mj {
			v := u[j*ld:][:len(s)]
			var a0, a1, a2, a3 float32
			p := 0
			for ; p+4 <= len(s); p += 4 {
				a0 += s[p] * v[p]
				a1 += s[p+1] * v[p+1]
				a2 += s[p+2] * v[p+2]
				a3 += s[p+3] * v[p+3]
			}
			for ; p < len(s); p++ {
				a0 += s[p] * v[p]
			}
			dw[i*mj+j] += (a0 + a1) + (a2 + a3)
		}
	}
}
