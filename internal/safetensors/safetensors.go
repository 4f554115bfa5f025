// Package safetensors reads and writes files of named float32 and float64 tensors in
// the safetensors format: eight bytes with the length of a JSON header, the header,
// then the tensors' bytes, little endian.
//
// It is ours because a model file may come from anywhere: reading allocates no
// more than a small multiple of the bytes that are really there, whatever the
// header claims, and anything out of order is an error.
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// MaxHeader is the largest header that is read, the format's own limit.
const MaxHeader = 100_000_000

// metadataKey is the header's entry that is not a tensor.
const metadataKey = "__metadata__"

// ErrFormat is wrapped by every error about the content of a file.
var ErrFormat = errors.New("not a valid safetensors file")

// Tensor is an array of any shape, the last index running fastest: of float64, type
// F64, where Wide is not nil, else of float32, type F32.
type Tensor struct {
	Shape []int
	Data  []float32
	Wide  []float64
}

// dtype returns the format's name of the tensor's type and its number of elements.
func (t Tensor) dtype() (string, int) {
	if t.Wide != nil {
		return "F64", len(t.Wide)
	}
	return "F32", len(t.Data)
}

// widths are the bytes of an element by type.
var widths = map[string]int64{"F32": 4, "F64": 8}

// entry is a tensor's description in the header.
type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Write writes tensors, ordered by name, and metadata. Equal content makes equal
// bytes.
func Write(w io.Writer, tensors map[string]Tensor, metadata map[string]string) error {
	header := map[string]any{metadataKey: metadata}
	names := slices.Sorted(maps.Keys(tensors))
	var at int64
	for _, name := range names {
		t := tensors[name]
		dtype, size := t.dtype()
		if n, ok := elements(t.Shape); !ok || n != int64(size) {
			return fmt.Errorf("tensor %q: shape %v does not hold %d elements", name, t.Shape, size)
		}
		end := at + widths[dtype]*int64(size)
		header[name] = entry{dtype, t.Shape, [2]int64{at, end}}
		at = end
	}
	text, err := json.Marshal(header) // sorts the keys
	if err != nil {
		return err
	}
	for len(text)%8 != 0 { // the tensors begin aligned
		text = append(text, ' ')
	}
	if len(text) > MaxHeader {
		return fmt.Errorf("header of %d bytes; the format allows %d", len(text), MaxHeader)
	}
	if err := binary.Write(w, binary.LittleEndian, uint64(len(text))); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	block := make([]byte, 0, 1<<16)
	for _, name := range names {
		t := tensors[name]
		err := errors.Join(
			writeFloats(w, block, t.Data, func(b []byte, v float32) []byte {
				return binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}),
			writeFloats(w, block, t.Wide, func(b []byte, v float64) []byte {
				return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}))
		if err != nil {
			return err
		}
	}
	return nil
}

// writeFloats writes numbers through the memory of block.
func writeFloats[T any](w io.Writer, block []byte, data []T, add func([]byte, T) []byte) error {
	for part := range slices.Chunk(data, cap(block)/8) {
		block = block[:0]
		for _, v := range part {
			block = add(block, v)
		}
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a whole file. Its errors wrap [ErrFormat], or r's error.
func Read(r io.Reader) (map[string]Tensor, map[string]string, error) {
	var length uint64
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return nil, nil, truncated("header length", err)
	}
	if length < 2 || length > MaxHeader {
		return nil, nil, fmt.Errorf("%w: its header would have %d bytes", ErrFormat, length)
	}
	text, err := readN(r, int64(length))
	if err != nil {
		return nil, nil, truncated("header", err)
	}
	entries, metadata, err := parseHeader(text)
	if err != nil {
		return nil, nil, err
	}
	names := slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		x, y := entries[a].Offsets, entries[b].Offsets
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	tensors := make(map[string]Tensor, len(entries))
	var at int64
	for _, name := range names {
		e := entries[name]
		n, ok := elements(e.Shape)
		width, known := widths[e.DType]
		switch {
		case !known:
			return nil, nil, fmt.Errorf("%w: tensor %.40q has type %.20q, want F32 or F64", ErrFormat, name, e.DType)
		case !ok:
			return nil, nil, fmt.Errorf("%w: tensor %.40q has an impossible shape", ErrFormat, name)
		case e.Offsets[0] != at || e.Offsets[1] < at || e.Offsets[1]-at != width*n:
			return nil, nil, fmt.Errorf("%w: tensor %.40q lies at bytes %d to %d, want %d to %d", ErrFormat, name, e.Offsets[0], e.Offsets[1], at, at+width*n)
		}
		t := Tensor{Shape: e.Shape}
		if e.DType == "F64" {
			t.Wide, err = readFloats(r, n, 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })
		} else {
			t.Data, err = readFloats(r, n, 4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) })
		}
		if err != nil {
			return nil, nil, truncated(fmt.Sprintf("tensor %.40q", name), err)
		}
		tensors[name] = t
		at = e.Offsets[1]
	}
	if n, err := io.CopyN(io.Discard, r, 1); n != 0 {
		return nil, nil, fmt.Errorf("%w: bytes follow the last tensor", ErrFormat)
	} else if err != io.EOF {
		return nil, nil, err
	}
	return tensors, metadata, nil
}

func parseHeader(text []byte) (map[string]entry, map[string]string, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, nil, fmt.Errorf("%w: header: %v", ErrFormat, err)
	}
	metadata := map[string]string{}
	entries := make(map[string]entry, len(raw))
	for name, value := range raw {
		if name == metadataKey {
			if err := json.Unmarshal(value, &metadata); err != nil {
				return nil, nil, fmt.Errorf("%w: metadata: %v", ErrFormat, err)
			}
			continue
		}
		var e entry
		if err := json.Unmarshal(value, &e); err != nil {
			return nil, nil, fmt.Errorf("%w: tensor %.40q: %v", ErrFormat, name, err)
		}
		entries[name] = e
	}
	return entries, metadata, nil
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

// readN reads n bytes, allocating as they arrive.
func readN(r io.Reader, n int64) ([]byte, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, n); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// readFloats reads n numbers of so many bytes each, allocating as they arrive. It does
// not return nil, even for none.
func readFloats[T any](r io.Reader, n, width int64, number func([]byte) T) ([]T, error) {
	const most = 1 << 18 // numbers a block
	block := make([]byte, width*min(n, most))
	data := make([]T, 0, min(n, most))
	for int64(len(data)) < n {
		part := block[:width*min(n-int64(len(data)), most)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for ; len(part) > 0; part = part[width:] {
			data = append(data, number(part))
		}
	}
	return data, nil
}

func truncated(what string, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: it ends within its %s", ErrFormat, what)
	}
	return err
}
