package simd

// SumSlots writes to out the sum over a local layer's values at each point, [n, slot].
func SumSlots(out, values []float32, slot, n int) {
	if slot == 4 {
		values = values[:4*n]
		for p := range out[:n] {
			v := values[4*p:][:4]
			out[p] = v[0] + v[1] + v[2] + v[3]
		}
		return
	}
	for p := range out[:n] {
		var sum float32
		for _, v := range values[p*slot:][:slot] {
			sum += v
		}
		out[p] = sum
	}
}

// ScaleSlots multiplies a local layer's values at each point, [n, slot], by its factor,
// dst = values · factor.
func ScaleSlots(dst, values, factor []float32, slot, n int) {
	if slot == 4 {
		dst, values = dst[:4*n], values[:4*n]
		for p, f := range factor[:n] {
			to, v := dst[4*p:][:4], values[4*p:][:4]
			to[0], to[1], to[2], to[3] = v[0]*f, v[1]*f, v[2]*f, v[3]*f
		}
		return
	}
	for p, f := range factor[:n] {
		for j := p * slot; j < (p+1)*slot; j++ {
			dst[j] = values[j] * f
		}
	}
}

// RescaleSlots is [Rescale] of a local layer, [n, slot].
func RescaleSlots(s, factor []float32, exponent []int32, slot, n int) {
	for p := range factor[:n] {
		var top float32
		for _, v := range s[p*slot:][:slot] {
			top = max(top, abs(v))
		}
		e := exponentOf(top)
		factor[p] = power(-e)
		exponent[p] += e
	}
	ScaleSlots(s, s, factor, slot, n)
}
