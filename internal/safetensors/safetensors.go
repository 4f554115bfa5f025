// Package safetensors reads and writes files of named float32 tensors in the
// safetensors format: eight bytes with the length of a JSON header, the header,
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

// Tensor is a float32 array of any shape, the last index running fastest.
type Tensor struct {
	Shape []int
	Data  []float32
}

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
		if n, ok := elements(t.Shape); !ok || n != int64(len(t.Data)) {
			return fmt.Errorf("tensor %q: shape %v does not hold %d elements", name, t.Shape, len(t.Data))
		}
		end := at + 4*int64(len(t.Data))
		header[name] = entry{"F32", t.Shape, [2]int64{at, end}}
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
		for part := range slices.Chunk(tensors[name].Data, cap(block)/4) {
			block = block[:0]
			for _, v := range part {
				block = binary.LittleEndian.AppendUint32(block, math.Float32bits(v))
			}
			if _, err := w.Write(block); err != nil {
				return err
			}
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
		switch {
		case e.DType != "F32":
			return nil, nil, fmt.Errorf("%w: tensor %.40q has type %.20q, want F32", ErrFormat, name, e.DType)
		case !ok:
			return nil, nil, fmt.Errorf("%w: tensor %.40q has an impossible shape", ErrFormat, name)
		case e.Offsets[0] != at || e.Offsets[1] < at || e.Offsets[1]-at != 4*n:
			return nil, nil, fmt.Errorf("%w: tensor %.40q lies at bytes %d to %d, want %d to %d", ErrFormat, name, e.Offsets[0], e.Offsets[1], at, at+4*n)
		}
		data, err := readFloats(r, n)
		if err != nil {
			return nil, nil, truncated(fmt.Sprintf("tensor %.40q", name), err)
		}
		tensors[name] = Tensor{e.Shape, data}
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

// readFloats reads n numbers, allocating as they arrive.
func readFloats(r io.Reader, n int64) ([]float32, error) {
	const most = 1 << 18 // numbers a block
	block := make([]byte, 4*min(n, most))
	data := make([]float32, 0, min(n, most))
	for int64(len(data)) < n {
		part := block[:4*min(n-int64(len(data)), most)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for i := 0; i < len(part); i += 4 {
			data = append(data, math.Float32frombits(binary.LittleEndian.Uint32(part[i:])))
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
