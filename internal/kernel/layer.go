package kernel

// Layer carries a strip of points through one layer of a buttress:
//
//	dst[j,p] = phi[j,p] · Σ_i w[i*wi+j*wj] · src[i,p]
//
// for i < mi, j < mj, p < n. src is [mi, ld], phi and dst are [mj, ld]. With
// wi, wj = mj, 1 and w of shape [mi, mj] this is a step of the forward pass;
// with the strides exchanged it is a step of the backward pass.
func Layer(dst, phi, w, src []float32, wi, wj, mi, mj, n, ld int) {
	if n == 0 || mj == 0 {
		return
	}
	checkMatrix(dst, mj, n, ld)
	checkMatrix(phi, mj, n, ld)
	checkMatrix(src, mi, n, ld)
	checkStrided(w, mi, mj, wi, wj)
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

// Outer adds the gradient of a layer's weights over a strip of points:
//
//	dw[i*mj+j] += Σ_p src[i,p] · u[j,p]
//
// for i < mi, j < mj, p < n. src is [mi, ld], u is [mj, ld], dw is [mi, mj].
func Outer(dw, src, u []float32, mi, mj, n, ld int) {
	if n == 0 {
		return
	}
	checkMatrix(src, mi, n, ld)
	checkMatrix(u, mj, n, ld)
	checkStrided(dw, mi, mj, mj, 1)
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

// Rescale brings each point's state near one by a power of two, so that a long
// chain neither overflows nor vanishes: with e the exponent of max_i |s[i,p]|
//
//	s[i,p] *= 2^-e,  factor[p] = 2^-e,  exponent[p] += e
//
// for i < m, p < n. A point whose state is zero or not finite is left as it is,
// with factor 1. |e| is at most 126, so that factor is finite and exact.
func Rescale(s, factor []float32, exponent []int32, m, n, ld int) {
	if n == 0 {
		return
	}
	checkMatrix(s, m, n, ld)
	factor, exponent = factor[:n], exponent[:n]
	for p := range factor {
		var top float32
		for i := range m {
			top = max(top, abs(s[i*ld+p]))
		}
		e := exponentOf(top)
		factor[p] = power(-e)
		exponent[p] += e
	}
	for i := range m {
		row := s[i*ld:][:len(factor)]
		for p := range row {
			row[p] *= factor[p]
		}
	}
}

// Scale multiplies each point's column by its factor: s[i,p] *= factor[p].
func Scale(s, factor []float32, m, n, ld int) {
	if n == 0 {
		return
	}
	checkMatrix(s, m, n, ld)
	factor = factor[:n]
	for i := range m {
		row := s[i*ld:][:len(factor)]
		for p := range row {
			row[p] *= factor[p]
		}
	}
}
