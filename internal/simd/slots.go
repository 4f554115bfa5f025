package simd

// SumSlots writes to out the sum over a local layer's values at each point, [n, slot].
func SumSlots(out, values []float32, slot, n int) {
	if slot == 4 {
		for p := range out[:n] {
			own := values[p*4:][:4]
			out[p] = own[0] + own[1] + own[2] + own[3]
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
