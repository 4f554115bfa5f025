package simd

import "unsafe"

// KeepTimes keeps what arrives at the nodes of a layer and multiplies it by their basis
// values, for all i < len(s):
//
//	kept[i] = s[i],  s[i] = s[i] · phi[i]
func KeepTimes(kept, s, phi []float32) { active.KeepTimes(kept, s, phi) }

// KeepTimes is [KeepTimes] on one tier.
func (t *tier) KeepTimes(kept, s, phi []float32) {
	n := len(s)
	kept, phi = kept[:n], phi[:n]
	if t.keepTimes == nil || n == 0 {
		keepTimesGeneric(kept, s, phi)
		return
	}
	t.keepTimes(unsafe.SliceData(kept), unsafe.SliceData(s), unsafe.SliceData(phi), n)
}

// keepTimesGeneric is the reference body of [KeepTimes].
func keepTimesGeneric(kept, s, phi []float32) {
	kept, phi = kept[:len(s)], phi[:len(s)]
	for i, v := range s {
		kept[i] = v
		s[i] = v * phi[i]
	}
}

// AddTimes adds the products of what arrives at the nodes of a layer from either side, a and
// s, and multiplies s by their basis values, for all i < len(s):
//
//	sum[i] += a[i] · s[i],  s[i] = s[i] · phi[i]
func AddTimes(sum, a, s, phi []float32) { active.AddTimes(sum, a, s, phi) }

// AddTimes is [AddTimes] on one tier.
func (t *tier) AddTimes(sum, a, s, phi []float32) {
	n := len(s)
	sum, a, phi = sum[:n], a[:n], phi[:n]
	if t.addTimes == nil || n == 0 {
		addTimesGeneric(sum, a, s, phi)
		return
	}
	t.addTimes(unsafe.SliceData(sum), unsafe.SliceData(a), unsafe.SliceData(s), unsafe.SliceData(phi), n)
}

// addTimesGeneric is the reference body of [AddTimes].
func addTimesGeneric(sum, a, s, phi []float32) {
	sum, a, phi = sum[:len(s)], a[:len(s)], phi[:len(s)]
	for i, v := range s {
		sum[i] += a[i] * v
		s[i] = v * phi[i]
	}
}
