package oip

// Datatype is the type of a tensor's elements.
type Datatype string

// The data types. A boolean is a byte in binary, and an element of BYTES is its length,
// four bytes, and its bytes; numbers are little-endian.
const (
	Bool   Datatype = "BOOL"
	Uint8  Datatype = "UINT8"
	Uint16 Datatype = "UINT16"
	Uint32 Datatype = "UINT32"
	Uint64 Datatype = "UINT64"
	Int8   Datatype = "INT8"
	Int16  Datatype = "INT16"
	Int32  Datatype = "INT32"
	Int64  Datatype = "INT64"
	FP16   Datatype = "FP16"
	FP32   Datatype = "FP32"
	FP64   Datatype = "FP64"
	Bytes  Datatype = "BYTES"
)

// family is what elements become: which slice of [Values] holds them.
type family int

const (
	unknown family = iota
	truths
	unsigned
	integers
	floats
	texts
)

// datatypes are all types: the bytes of an element, 0 for those of any length, and what it
// becomes.
var datatypes = map[Datatype]struct {
	size   int
	family family
}{
	Bool: {1, truths}, Uint8: {1, unsigned}, Uint16: {2, unsigned}, Uint32: {4, unsigned}, Uint64: {8, unsigned},
	Int8: {1, integers}, Int16: {2, integers}, Int32: {4, integers}, Int64: {8, integers},
	FP16: {2, floats}, FP32: {4, floats}, FP64: {8, floats}, Bytes: {0, texts},
}

// check returns an error unless the type is one of the protocol's.
func (d Datatype) check(tensor string) error {
	if datatypes[d].family == unknown {
		return Errorf(Invalid, "tensor %s: datatype %s is unknown; take BOOL, UINT8 to UINT64, INT8 to INT64, FP16, FP32, FP64 or BYTES", quoted(tensor), quoted(string(d)))
	}
	return nil
}
