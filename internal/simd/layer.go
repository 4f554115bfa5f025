package simd

import "unsafe"

// Layer carries a tile of points through one layer of a buttress:
//
//	dst[j,p] = phi[j,p] · Σ_i w[i*wi+j*wj] · src[i,p]
//
// for i < mi, j < mj, p < n. src is [mi, ld], phi and dst are [mj, ld]. With
// wi, wj = mj, 1 and w of shape [mi, mj] this is a step of the forward pass;
// with the strides exchanged it is a step of the backward pass.
func Layer(dst, phi, w, src []float32, wi, wj, mi, mj, n, ld int) {
	active.Layer(dst, phi, w, src, wi, wj, mi, mj, n, ld)
}

// Layer is [Layer] on one tier.
func (t *tier) Layer(dst, phi, w, src []float32, wi, wj, mi, mj, n, ld int) {
	if n == 0 || mj == 0 {
		return
	}
	checkMatrix(dst, mj, n, ld)
	checkMatrix(phi, mj, n, ld)
	checkMatrix(src, mi, n, ld)
	checkStrided(w, mi, mj, wi, wj)
	if t.layer == nil {
		layerGeneric(dst, phi, w, src, wi, wj, mi, mj, n, ld)
		return
	}
	t.layer(unsafe.SliceData(dst), unsafe.SliceData(phi), unsafe.SliceData(w), unsafe.SliceData(src), wi, wj, mi, mj, n, ld)
}

// layerGeneric is the reference body of [Layer].
func layerGeneric(dst, phi, w, src []float32, wi, wj, mi, mj, n, ld int) {
	for j := range mj {
		out := dst[j*ld : j*ld+n]
		clear(out)
		i := 0
		for ; i+4 <= mi; i += 4 {
			w0, w1, w2, w3 := w[i*wi+j*wj], w[(i+1)*wi+j*wj], w[(i+2)*wi+j*wj], w[(i+3)*wi+j*wj]
			s0 := src[i*ld:][:len(out)]
			s1 := src[(i+1)*ld:][:len(out)]
			s2 := src[(i+2)*ld:][:len(out)]
			s3 := src[(i+3)*ld:][:len(out)]
			for p := range out {
				out[p] += w0*s0[p] + w1*s1[p] + w2*s2[p] + w3*s3[p]
			}
		}
		for ; i < mi; i++ {
			wij := w[i*wi+j*wj]
			s := src[i*ld:][:len(out)]
			for p := range out {
				out[p] += wij * s[p]
			}
		}
		f := phi[j*ld:][:len(out)]
		for p := range out {
			out[p] *= f[p]
		}
	}
}
