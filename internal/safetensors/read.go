package safetensors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// Read reads a whole file and checks its digest, if it has one. Its errors wrap
// [ErrFormat], or r's error.
func Read(r io.Reader) (*File, error) {
	var length uint64
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return nil, truncated("header length", err)
	}
	if length < 2 || length > MaxHeader {
		return nil, fmt.Errorf("%w: its header would have %d bytes", ErrFormat, length)
	}
	text, err := readN(r, int64(length))
	if err != nil {
		return nil, truncated("header", err)
	}
	entries, metadata, err := parseHeader(text)
	if err != nil {
		return nil, err
	}
	f := &File{Metadata: metadata}
	digest, sealed := metadata[digestKey]
	if !sealed {
		f.Tensors, err = readTensors(r, entries)
		return f, err
	}
	delete(metadata, digestKey)
	at, ok := digestAt(text)
	if !ok {
		return nil, fmt.Errorf("%w: its digest is not where it was written", ErrFormat)
	}
	h := newDigest(text, at)
	text = nil // which the tensors may need the memory of
	if f.Tensors, err = readTensors(io.TeeReader(r, h), entries); err != nil {
		return nil, err
	}
	f.Sealed, f.Digest = true, digest
	return f, checkDigest(h, digest)
}

// readTensors reads the tensors to the end of the file.
func readTensors(r io.Reader, entries []named) (map[string]Tensor, error) {
	tensors := map[string]Tensor{} // which grows as they come
	var block []byte
	var at int64
	for _, e := range entries {
		n, ok := elements(e.Shape)
		width := widthOf(e.DType)
		_, twice := tensors[e.name]
		switch {
		case twice:
			return nil, fmt.Errorf("%w: tensor %.40q stands twice", ErrFormat, e.name)
		case width == 0:
			return nil, fmt.Errorf("%w: tensor %.40q has type %.20q, want F32 or F64", ErrFormat, e.name, e.DType)
		case !ok:
			return nil, fmt.Errorf("%w: tensor %.40q has an impossible shape", ErrFormat, e.name)
		case e.Offsets[0] != at || e.Offsets[1] < at || e.Offsets[1]-at != width*n:
			return nil, fmt.Errorf("%w: tensor %.40q lies at bytes %d to %d, want %d to %d", ErrFormat, e.name, e.Offsets[0], e.Offsets[1], at, at+width*n)
		}
		if need := width * min(n, mostAtOnce); int64(len(block)) < need {
			block = make([]byte, need)
		}
		t := Tensor{Shape: e.Shape}
		var err error
		if e.DType == double {
			t.Wide, err = readFloats[float64](r, block, n, width)
		} else {
			t.Data, err = readFloats[float32](r, block, n, width)
		}
		if err != nil {
			return nil, truncated(fmt.Sprintf("tensor %.40q", e.name), err)
		}
		tensors[e.name] = t
		at = e.Offsets[1]
	}
	if n, err := io.CopyN(io.Discard, r, 1); n != 0 {
		return nil, fmt.Errorf("%w: bytes follow the last tensor", ErrFormat)
	} else if err != io.EOF {
		return nil, err
	}
	return tensors, nil
}

// readN reads n bytes, allocating as they arrive.
func readN(r io.Reader, n int64) ([]byte, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, n); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// mostAtOnce are the numbers that are read, and allocated for, at a time.
const mostAtOnce = 1 << 18

// readFloats reads n numbers of so many bytes each through the memory of block. It does
// not return nil, even for none. Memory grows as the numbers arrive, fourfold, which
// moves a third of them once more.
func readFloats[T float32 | float64](r io.Reader, block []byte, n, width int64) ([]T, error) {
	data := make([]T, 0, min(n, mostAtOnce))
	for int64(len(data)) < n {
		if len(data) == cap(data) {
			data = append(make([]T, 0, min(n, 4*int64(len(data)))), data...)
		}
		more := min(int64(cap(data)-len(data)), mostAtOnce)
		if _, err := io.ReadFull(r, block[:width*more]); err != nil {
			return nil, err
		}
		data = data[:int64(len(data))+more]
		if _, err := binary.Decode(block[:width*more], binary.LittleEndian, data[int64(len(data))-more:]); err != nil {
			return nil, err
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
