//go:build !lean && !wasm

package worker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

const (
	prefix     = 12
	mostHeader = 1 << 26
	mostBody   = 1 << 40
	// ahead is how many bytes are made room for before they are there.
	ahead = 1 << 26
)

// readFrame reads a frame. It returns io.EOF at the end, between two frames. Whatever the
// lengths claim, the memory it takes is at most ahead and a multiple of the bytes that come.
func readFrame(r io.Reader) (header, body []byte, err error) {
	var lengths [prefix]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		return nil, nil, cut(err, io.EOF)
	}
	h, b := uint64(binary.LittleEndian.Uint32(lengths[:])), binary.LittleEndian.Uint64(lengths[4:])
	if h > mostHeader || b > mostBody {
		return nil, nil, fmt.Errorf("a frame claims a header of %d bytes and a body of %d: the asker speaks another protocol", h, b)
	}
	if header, err = readBytes(r, int(h)); err == nil {
		body, err = readBytes(r, int(b))
	}
	return header, body, err
}

func readBytes(r io.Reader, n int) (b []byte, err error) {
	for len(b) < n {
		more := min(n-len(b), max(ahead, len(b)))
		b = slices.Grow(b, more)
		at := len(b)
		b = b[:at+more]
		if _, err := io.ReadFull(r, b[at:]); err != nil {
			return nil, cut(err, nil)
		}
	}
	return b, nil
}

// cut returns the error of a frame that ends early, or atEnd of one that has not begun.
func cut(err, atEnd error) error {
	if err == io.EOF && atEnd != nil {
		return atEnd
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the asker ended in the middle of a frame")
	}
	return err
}

// answers writes frames. Several goroutines may.
type answers struct {
	mu sync.Mutex
	w  io.Writer
}

func (a *answers) write(header any, body []byte) error {
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	frame := make([]byte, prefix, prefix+len(text))
	binary.LittleEndian.PutUint32(frame, uint32(len(text)))
	binary.LittleEndian.PutUint64(frame[4:], uint64(len(body)))
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, err := a.w.Write(append(frame, text...)); err != nil || len(body) == 0 {
		return err
	}
	_, err = a.w.Write(body)
	return err
}
