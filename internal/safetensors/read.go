package safetensors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"beziergp/internal/largepages"
)

// Read reads a whole file and checks its digest, if it has one. Its errors wrap
// [ErrFormat], or r's error.
func Read(r io.Reader) (*File, error) { return ReadSized(r, 0) }

// ReadSized is Read of a file that has so many bytes, as many as which are allocated at
// once.
func ReadSized(r io.Reader, size int64) (*File, error) {
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
	f.Digest, f.Sealed = metadata[digestKey]
	if f.Sealed {
		delete(metadata, digestKey)
		at, ok := digestAt(text)
		if !ok {
			return nil, fmt.Errorf("%w: its digest is not where it was written", ErrFormat)
		}
		h := besides(r, newDigest(text, at))
		text = nil // which the tensors may need the memory of
		f.Tensors, err = readTensors(h, size, entries)
		if sum := h.sum(); err == nil {
			err = checkDigest(sum, f.Digest)
		}
	} else {
		f.Tensors, err = readTensors(r, size, entries)
	}
	if err != nil {
		return nil, err
	}
	for _, t := range f.Tensors {
		fromLittleEndian(t.Data)
		fromLittleEndian(t.Wide)
	}
	return f, nil
}

// readTensors reads the tensors to the end of the file.
func readTensors(r io.Reader, size int64, entries []named) (map[string]Tensor, error) {
	tensors := map[string]Tensor{} // which grows as they come
	room := roomFor(entries, size)
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
		t := Tensor{Shape: e.Shape}
		var err error
		if e.DType == double {
			t.Wide, err = readFloats(r, n, []float64{})
		} else {
			own := room[:min(n, int64(len(room)))]
			room = room[len(own):]
			t.Data, err = readFloats(r, n, own)
		}
		if err != nil {
			return nil, truncated(fmt.Sprintf("tensor %.40q", e.name), err)
		}
		tensors[e.name] = t
		at = e.Offsets[1]
	}
	if n, err := io.ReadFull(r, make([]byte, 1)); n != 0 {
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

// mostRoom are the numbers that memory is allocated for before they are there.
const mostRoom = 1 << 28

// roomFor returns memory for the numbers of all tensors of float32, as far as a file of
// so many bytes can hold them.
func roomFor(entries []named, size int64) []float32 {
	var need int64
	for _, e := range entries {
		if e.DType == single {
			need += max(0, min(e.Offsets[1]-e.Offsets[0], size-need))
		}
	}
	return largepages.Floats(int(min(need/widthOf(single), mostRoom)))
}

// mostAtOnce are the numbers that are read at a time, and allocated for where there is
// no room.
const mostAtOnce = 1 << 18

// readFloats reads n numbers into room and, what that does not hold, into memory that
// grows as they arrive, fourfold, which moves a third of them once more. It does not
// return nil, even for none.
func readFloats[T float32 | float64](r io.Reader, n int64, room []T) ([]T, error) {
	data, most := room[:0], len(room)
	for int64(len(data)) < n {
		if len(data) == most {
			data = append(make([]T, 0, min(n, max(mostAtOnce, 4*int64(most)))), data...)
			most = cap(data)
		}
		from := len(data)
		data = data[:from+min(most-from, mostAtOnce)]
		if _, err := io.ReadFull(r, bytesOf(data[from:])); err != nil {
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
