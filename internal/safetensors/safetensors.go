// Package safetensors reads and writes files of named float32 and float64 tensors in
// the safetensors format: eight bytes with the length of a JSON header, the header,
// then the tensors' bytes, little endian.
//
// Every file that it writes has a digest of itself in its metadata, which reading
// checks: a file that was damaged or changed is an error. Files without one are read,
// and [File.Sealed] says so. To other readers a digest is a line of metadata.
//
// It is ours because a model file may come from anywhere: reading allocates no
// more than a small multiple of the bytes that are really there, whatever the
// header claims, and anything out of order is an error.
package safetensors

import (
	"errors"
	"math"
)

// MaxHeader is the largest header that is read, the format's own limit.
const MaxHeader = 100_000_000

// metadataKey is the header's entry that is not a tensor.
const metadataKey = "__metadata__"

// ErrFormat is wrapped by every error about the content of a file.
var ErrFormat = errors.New("not a valid safetensors file")

// File is what a file holds.
type File struct {
	Tensors  map[string]Tensor
	Metadata map[string]string // but for the digest
	// Sealed tells that the file has a digest, which is right, and Digest is its digits.
	Sealed bool
	Digest string
}

// Tensor is an array of any shape, the last index running fastest: of float64, type
// F64, where Wide is not nil, else of float32, type F32. Behind the numbers that were read
// may be those of the next tensor: nothing must be appended to them.
type Tensor struct {
	Shape []int
	Data  []float32
	Wide  []float64
}

const (
	single = "F32"
	double = "F64"
)

// dtype returns the format's name of the tensor's type and its number of elements.
func (t Tensor) dtype() (string, int) {
	if t.Wide != nil {
		return double, len(t.Wide)
	}
	return single, len(t.Data)
}

// widthOf returns the bytes of an element of a type, 0 of one that is not known.
func widthOf(dtype string) int64 {
	switch dtype {
	case single:
		return 4
	case double:
		return 8
	}
	return 0
}

// elements returns the number of elements of a shape; false where a side is
// negative or the number of bytes would not fit an int64.
func elements(shape []int) (int64, bool) {
	n := int64(1)
	for _, side := range shape {
		if side < 0 || side > 0 && n > math.MaxInt64/8/int64(side) {
			return 0, false
		}
		n *= int64(side)
	}
	return n, true
}
