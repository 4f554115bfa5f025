package simd

import "unsafe"

// The four kernels below carry an average over all paths of a buttress, which
// the Kullback–Leibler divergence is made of, through one layer. Weights are
// float32, as everywhere; sums are float64, because an average over a long chain
// is a difference of nearly equal numbers.

// PathForward computes dst[j] = Σ_i a[i] · w[i,j]^power · c[j] for i < len(a)
// and j < len(dst), with w of shape [len(a), len(dst)] and power 1 or 2.
func PathForward(dst, a, c []float64, w []float32, power int) {
	active.PathForward(dst, a, c, w, power)
}

// PathForward is [PathForward] on one tier.
func (t *tier) PathForward(dst, a, c []float64, w []float32, power int) {
	c, w = c[:len(dst)], w[:len(a)*len(dst)]
	if t.pathForward == nil {
		pathForwardGeneric(dst, a, c, w, power)
		return
	}
	t.pathForward(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(c), unsafe.SliceData(w), len(a), len(dst), power)
}

// pathForwardGeneric is the reference body of [PathForward].
func pathForwardGeneric(dst, a, c []float64, w []float32, power int) {
	clear(dst)
	c = c[:len(dst)]
	for i, ai := range a {
		row := w[i*len(dst):][:len(dst)]
		if power == 2 {
			for j, x := range row {
				dst[j] += ai * (float64(x) * float64(x))
			}
		} else {
			for j, x := range row {
				dst[j] += ai * float64(x)
			}
		}
	}
	for j := range dst {
		dst[j] *= c[j]
	}
}

// PathBackward computes dst[i] = Σ_j w[i,j]^power · b[j] for i < len(dst) and
// j < len(b), with w of shape [len(dst), len(b)] and power 1 or 2.
func PathBackward(dst, b []float64, w []float32, power int) {
	active.PathBackward(dst, b, w, power)
}

// PathBackward is [PathBackward] on one tier.
func (t *tier) PathBackward(dst, b []float64, w []float32, power int) {
	w = w[:len(dst)*len(b)]
	if t.pathBackward == nil {
		pathBackwardGeneric(dst, b, w, power)
		return
	}
	t.pathBackward(unsafe.SliceData(dst), unsafe.SliceData(b), unsafe.SliceData(w), len(dst), len(b), power)
}

// pathBackwardGeneric is the reference body of [PathBackward].
func pathBackwardGeneric(dst, b []float64, w []float32, power int) {
	for i := range dst {
		row := w[i*len(b):][:len(b)]
		var sum float64
		if power == 2 {
			for j, x := range row {
				sum += float64(x) * float64(x) * b[j]
			}
		} else {
			for j, x := range row {
				sum += float64(x) * b[j]
			}
		}
		dst[i] = sum
	}
}

// PathGradientMean adds to the gradient of a mean buttress's layer what the
// average of squared weights contributes: dw[i,j] += w[i,j] · a[i] · b[j].
func PathGradientMean(dw, w []float32, a, b []float64) { active.PathGradientMean(dw, w, a, b) }

// PathGradientMean is [PathGradientMean] on one tier.
func (t *tier) PathGradientMean(dw, w []float32, a, b []float64) {
	dw, w = dw[:len(a)*len(b)], w[:len(a)*len(b)]
	if t.pathGradientMean == nil {
		pathGradientMeanGeneric(dw, w, a, b)
		return
	}
	t.pathGradientMean(unsafe.SliceData(dw), unsafe.SliceData(w), unsafe.SliceData(a), unsafe.SliceData(b), len(a), len(b))
}

// pathGradientMeanGeneric is the reference body of [PathGradientMean].
func pathGradientMeanGeneric(dw, w []float32, a, b []float64) {
	for i, ai := range a {
		row := w[i*len(b):][:len(b)]
		out := dw[i*len(b):][:len(b)]
		for j, bj := range b {
			out[j] += float32(float64(row[j]) * (ai * bj))
		}
	}
}

// PathGradientVariance turns the gradient dv, on entry with respect to the
// weights w = exp(v) of a variance buttress's layer, into the one with respect
// to v, and adds what the average of the weights contributes:
//
//	dv[i,j] = w[i,j] · (dv[i,j] + a[i] · b[j]) + shift
func PathGradientVariance(dv, w []float32, a, b []float64, shift float64) {
	active.PathGradientVariance(dv, w, a, b, shift)
}

// PathGradientVariance is [PathGradientVariance] on one tier.
func (t *tier) PathGradientVariance(dv, w []float32, a, b []float64, shift float64) {
	dv, w = dv[:len(a)*len(b)], w[:len(a)*len(b)]
	if t.pathGradientVariance == nil {
		pathGradientVarianceGeneric(dv, w, a, b, shift)
		return
	}
	t.pathGradientVariance(unsafe.SliceData(dv), unsafe.SliceData(w), unsafe.SliceData(a), unsafe.SliceData(b), len(a), len(b), shift)
}

// pathGradientVarianceGeneric is the reference body of [PathGradientVariance].
func pathGradientVarianceGeneric(dv, w []float32, a, b []float64, shift float64) {
	for i, ai := range a {
		row := w[i*len(b):][:len(b)]
		out := dv[i*len(b):][:len(b)]
		for j, bj := range b {
			out[j] = float32(float64(row[j])*(float64(out[j])+ai*bj) + shift)
		}
	}
}
