package kernel

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
