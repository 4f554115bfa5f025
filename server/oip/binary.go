package oip

import (
	"encoding/binary"
	"math"
)

// SetBinary reads the n elements of a tensor from the bytes of the binary extension, which
// are as many as they take, and keeps none of them.
func (t *Tensor) SetBinary(raw []byte, n int) error {
	if err := t.Datatype.check(t.Name); err != nil {
		return err
	}
	kind := datatypes[t.Datatype]
	if kind.size > 0 && len(raw) != n*kind.size {
		return Errorf(Invalid, "tensor %s: %d bytes for %d elements of %s, which take %d", quoted(t.Name), len(raw), n, t.Datatype, n*kind.size)
	}
	t.Values = Values{}
	switch kind.family {
	case truths:
		t.Truths = make([]bool, n)
		for i := range t.Truths {
			t.Truths[i] = raw[i] != 0
		}
	case unsigned:
		t.Unsigned = make([]uint64, n)
		for i := range t.Unsigned {
			t.Unsigned[i] = word(raw[i*kind.size:], kind.size)
		}
	case integers:
		t.Integers = make([]int64, n)
		shift := 64 - 8*kind.size // extends the sign
		for i := range t.Integers {
			t.Integers[i] = int64(word(raw[i*kind.size:], kind.size)) << shift >> shift
		}
	case floats:
		t.Floats = make([]float64, n)
		t.setFloats(raw)
	case texts:
		return t.setTexts(raw, n)
	}
	return nil
}

func word(raw []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(raw[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(raw))
	case 4:
		return uint64(binary.LittleEndian.Uint32(raw))
	}
	return binary.LittleEndian.Uint64(raw)
}

func (t *Tensor) setFloats(raw []byte) {
	switch t.Datatype {
	case FP64:
		for i := range t.Floats {
			t.Floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
		}
	case FP32:
		for i := range t.Floats {
			t.Floats[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
		}
	default:
		for i := range t.Floats {
			t.Floats[i] = half(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	}
}

// half returns the number of an IEEE 754 binary16.
func half(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	var v float64
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		if v = math.Inf(1); fraction > 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 != 0 {
		v = -v
	}
	return v
}

// setTexts reads n texts behind their lengths. The lengths may lie: nothing is allocated
// that raw does not hold.
func (t *Tensor) setTexts(raw []byte, n int) error {
	if len(raw) < 4*n {
		return Errorf(Invalid, "tensor %s: %d bytes for %d elements of BYTES, whose lengths alone take %d", quoted(t.Name), len(raw), n, 4*n)
	}
	t.Texts = make([]string, n)
	for i := range t.Texts {
		if len(raw) < 4 || uint64(binary.LittleEndian.Uint32(raw)) > uint64(len(raw)-4) {
			return Errorf(Invalid, "tensor %s: element %d is longer than the bytes that are left", quoted(t.Name), i)
		}
		end := 4 + int(binary.LittleEndian.Uint32(raw))
		t.Texts[i], raw = string(raw[4:end]), raw[end:]
	}
	if len(raw) > 0 {
		return Errorf(Invalid, "tensor %s: %d bytes follow its %d elements", quoted(t.Name), len(raw), n)
	}
	return nil
}

// binarySize is the number of bytes that [Tensor.AppendBinary] appends.
func (t *Tensor) binarySize() int {
	n := t.Values.Len() * datatypes[t.Datatype].size
	for _, text := range t.Texts {
		n += 4 + len(text)
	}
	return n
}

// AppendBinary appends the elements of an output, FP64, BOOL or BYTES, to dst. A text that is
// missing is empty.
func (t *Tensor) AppendBinary(dst []byte) []byte {
	for _, text := range t.Texts {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
		dst = append(dst, text...)
	}
	if t.Datatype == Bool {
		for _, v := range t.Truths {
			if v {
				dst = append(dst, 1)
			} else {
				dst = append(dst, 0)
			}
		}
		return dst
	}
	for _, v := range t.Floats {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}
