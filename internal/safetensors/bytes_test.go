package safetensors

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// The memory of numbers is theirs, and numbers of a processor that has their bytes in the
// opposite order are found by turning them.
func TestBytesOfNumbers(t *testing.T) {
	wide, narrow := []float64{1, -2.5, math.Inf(1)}, []float32{3, -0.125}
	for i, v := range wide {
		if got := binary.NativeEndian.Uint64(bytesOf(wide)[8*i:]); got != math.Float64bits(v) {
			t.Errorf("number %d: %x", i, got)
		}
	}
	turned := slices.Clone(narrow)
	reverse(turned)
	for i, v := range turned {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		if got := math.Float32frombits(binary.BigEndian.Uint32(b[:])); got != narrow[i] {
			t.Errorf("number %d: %g, want %g", i, got, narrow[i])
		}
	}
	reverse(turned)
	if !slices.Equal(turned, narrow) {
		t.Error("numbers that were turned twice are others")
	}
	fromLittleEndian([]float32(nil))
	if bytesOf([]float64{}) != nil {
		t.Error("no number has memory")
	}
}
