package oip

import (
	"math"

	"beziergp/internal/printable"
)

// Values are the elements of a tensor in row-major order: one of the slices holds them, by
// the tensor's data type.
type Values struct {
	Floats   []float64 // FP16, FP32, FP64; NaN for a missing value
	Integers []int64   // INT8 to INT64
	Unsigned []uint64  // UINT8 to UINT64
	Truths   []bool    // BOOL
	Texts    []string  // BYTES
	// Missing marks elements without a value, where there are any: null in JSON. Floats have
	// NaN instead.
	Missing []bool
}

// Parameters are named values: bool, int64, float64 or string, and in JSON lists of these.
type Parameters map[string]any

// Tensor is a named array.
type Tensor struct {
	Name       string
	Datatype   Datatype
	Shape      []int64
	Parameters Parameters
	Values
}

// Rows returns the tensor's first extent, the number of rows, and the number of elements of
// a row. It fails where a shape is none, or has more than most elements.
func (t *Tensor) Rows(most int) (rows, width int, err error) {
	if len(t.Shape) == 0 {
		return 0, 0, Errorf(Invalid, "tensor %s has no shape; give [rows] or [rows, 1]", quoted(t.Name))
	}
	n := int64(1)
	for _, extent := range t.Shape {
		if extent < 0 || extent > math.MaxInt32 {
			return 0, 0, Errorf(Invalid, "tensor %s: shape %v has an extent out of range", quoted(t.Name), t.Shape)
		}
		if n *= extent; n > int64(most) {
			return 0, 0, Errorf(TooLarge, "tensor %s: shape %v has more than %d elements; send fewer rows at a time", quoted(t.Name), t.Shape, most)
		}
	}
	if n == 0 {
		return 0, 0, Errorf(Invalid, "tensor %s: shape %v has no elements; send one row at least", quoted(t.Name), t.Shape)
	}
	rows = int(t.Shape[0])
	return rows, int(n) / rows, nil
}

// Len returns the number of elements that there are.
func (v *Values) Len() int {
	return max(len(v.Floats), len(v.Integers), len(v.Unsigned), len(v.Truths), len(v.Texts))
}

// miss marks the next element, which is number i, as missing.
func (v *Values) miss(i int) {
	for len(v.Missing) < i {
		v.Missing = append(v.Missing, false)
	}
	v.Missing = append(v.Missing, true)
}

// IsMissing tells whether element i has no value. Of floats NaN tells it.
func (v *Values) IsMissing(i int) bool { return i < len(v.Missing) && v.Missing[i] }

func quoted(name string) string { return printable.Quoted(name) }
