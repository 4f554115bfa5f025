package simd

// forwardBlockGeneric is the reference of a layer, for p < n:
//
//	dst[j,p] = phi[j,p] · Σ_i src[i,p] · w[a(p)+i, b(p)+j]
//
// with a(p) and b(p) the first nodes of the two sides at the point.
func forwardBlockGeneric(dst, phi, src side, w []float32, cols, n, ld int) {
	for p := range n {
		corner := src.node(p)*cols + dst.node(p)
		for j := range dst.count {
			var sum float32
			for i := range src.count {
				sum += src.values[src.at(i, p, ld)] * w[corner+i*cols+j]
			}
			dst.values[dst.at(j, p, ld)] = phi.values[phi.at(j, p, ld)] * sum
		}
		for j := dst.count; j < dst.slot; j++ {
			dst.values[dst.at(j, p, ld)] = 0
		}
	}
}

// outerBlockGeneric is the reference of the gradient by a layer's weights, for p < n:
//
//	dw[a(p)+i, b(p)+j] += src[i,p] · u[j,p]
func outerBlockGeneric(dw []float32, src, u side, cols, n, ld int) {
	for p := range n {
		corner := src.node(p)*cols + u.node(p)
		for i := range src.count {
			s := src.values[src.at(i, p, ld)]
			for j := range u.count {
				dw[corner+i*cols+j] += s * u.values[u.at(j, p, ld)]
			}
		}
	}
}

// backwardBlockGeneric is the reference of a cotangent's way back, for p < n:
//
//	back[i,p] = phi[i,p] · Σ_j w[a(p)+i, b(p)+j] · u[j,p]
func backwardBlockGeneric(back, phi, u side, w []float32, cols, n, ld int) {
	for p := range n {
		corner := back.node(p)*cols + u.node(p)
		for i := range back.count {
			var sum float32
			for j := range u.count {
				sum += w[corner+i*cols+j] * u.values[u.at(j, p, ld)]
			}
			back.values[back.at(i, p, ld)] = phi.values[phi.at(i, p, ld)] * sum
		}
		for i := back.count; i < back.slot; i++ {
			back.values[back.at(i, p, ld)] = 0
		}
	}
}
