package safetensors

import (
	"encoding/binary"
	"unsafe"
)

// bytesOf returns the memory of numbers.
func bytesOf[T float32 | float64](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*int(unsafe.Sizeof(data[0])))
}

// fromLittleEndian makes numbers of bytes in a file's order, in place: of a processor of
// that order they are numbers.
func fromLittleEndian[T float32 | float64](data []T) {
	if one := binary.NativeEndian.AppendUint16(nil, 1); one[0] != 1 {
		reverse(data)
	}
}

// reverse puts the bytes of each number in the opposite order.
func reverse[T float32 | float64](data []T) {
	b := bytesOf(data)
	for width := len(b) / max(len(data), 1); len(b) > 0; b = b[width:] {
		for i, j := 0, width-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}
