package simd

import "unsafe"

// PullToMean adds to dw, for w of rows of n weights, λ times the slope of half the squared
// differences between the weights of a row and their mean:
//
//	dw[i][j] += λ (w[i][j] − mean of w[i])
func PullToMean(dw, w []float32, n int, lambda float32) { active.PullToMean(dw, w, n, lambda) }

// PullToMean is [PullToMean] on one tier.
func (t *tier) PullToMean(dw, w []float32, n int, lambda float32) {
	dw = dw[:len(w)]
	for at := 0; at < len(w); at += n {
		own, slope := w[at:at+n], dw[at:at+n]
		mean := sumOf(own) / float32(n)
		if t.pullTo == nil {
			pullToGeneric(slope, own, mean, lambda)
			continue
		}
		t.pullTo(&slope[0], &own[0], n, mean, lambda)
	}
}

// sumOf returns the sum of some numbers, four at a time so that one addition need not wait for the last.
func sumOf(w []float32) float32 {
	var sums [4]float32
	i := 0
	for ; i+4 <= len(w); i += 4 {
		four := w[i : i+4]
		sums[0] += four[0]
		sums[1] += four[1]
		sums[2] += four[2]
		sums[3] += four[3]
	}
	for ; i < len(w); i++ {
		sums[0] += w[i]
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// pullToGeneric is the reference body of a row of [PullToMean].
func pullToGeneric(dw, w []float32, center, lambda float32) {
	dw = dw[:len(w)]
	for j, v := range w {
		dw[j] += lambda * (v - center)
	}
}

// PullToMeanRow is [PullToMean] of the weights of a column: of a stripe of columns at a time,
//
//	dw[i][j] += λ (w[i][j] − mean over i of w[i][j])
func PullToMeanRow(dw, w []float32, n int, lambda float32) { active.PullToMeanRow(dw, w, n, lambda) }

// PullToMeanRow is [PullToMeanRow] on one tier.
func (t *tier) PullToMeanRow(dw, w []float32, n int, lambda float32) {
	dw = dw[:len(w)]
	var means [stripe]float32
	for from := 0; from < n; from += stripe {
		end := min(from+stripe, n)
		mean := means[:end-from]
		clear(mean)
		for at := 0; at < len(w); at += n {
			t.add(mean, w[at+from:at+end])
		}
		for j := range mean {
			mean[j] *= float32(n) / float32(len(w))
		}
		for at := 0; at < len(w); at += n {
			t.pull(dw[at+from:at+end], w[at+from:at+end], mean, lambda)
		}
	}
}

// stripe is how many columns' means are kept at a time.
const stripe = 64

// add adds w to sum, of the same length.
func (t *tier) add(sum, w []float32) {
	if w = w[:len(sum)]; t.addRow == nil {
		addGeneric(sum, w)
		return
	}
	t.addRow(unsafe.SliceData(sum), unsafe.SliceData(w), len(sum))
}

// addGeneric is the reference body of a row that [PullToMeanRow] adds up.
func addGeneric(sum, w []float32) {
	for j, v := range w {
		sum[j] += v
	}
}

// pull takes a row's slope towards the mean row.
func (t *tier) pull(dw, w, mean []float32, lambda float32) {
	if t.pullRow == nil {
		pullGeneric(dw, w, mean, lambda)
		return
	}
	t.pullRow(&dw[0], &w[0], &mean[0], len(mean), lambda)
}

// pullGeneric is the reference body of a row of [PullToMeanRow].
func pullGeneric(dw, w, mean []float32, lambda float32) {
	dw, w = dw[:len(mean)], w[:len(mean)]
	for j, v := range w {
		dw[j] += lambda * (v - mean[j])
	}
}
