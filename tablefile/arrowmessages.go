//go:build !lean && !wasm

package tablefile

import (
	"encoding/binary"
	"fmt"
	"io"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// messages are those of an Arrow IPC stream in memory. Their bodies are parts of the stream, which
// the library's own reader would copy.
type messages struct {
	stream []byte
	at     int
	last   *ipc.Message
}

// Message returns the next message, valid until the one after it, or io.EOF.
func (m *messages) Message() (message *ipc.Message, err error) {
	defer func() {
		if r := recover(); r != nil { // of metadata that are no flatbuffer
			message, err = nil, fmt.Errorf("the metadata of a message are damaged: %v", r)
		}
	}()
	m.Release()
	length, err := m.length()
	if err != nil {
		return nil, err
	}
	meta, err := m.take(length)
	if err != nil {
		return nil, err
	}
	none := memory.NewBufferBytes(nil)
	size := ipc.NewMessage(memory.NewBufferBytes(meta), none).BodyLen()
	body, err := m.take(size)
	if err != nil {
		return nil, err
	}
	m.last = ipc.NewMessage(memory.NewBufferBytes(meta), memory.NewBufferBytes(aligned(body)))
	return m.last, nil
}

// length reads that of the metadata. An end is marked by a length of 0, or by nothing.
func (m *messages) length() (int64, error) {
	if m.at == len(m.stream) {
		return 0, io.EOF
	}
	word, err := m.take(4)
	if err == nil && binary.LittleEndian.Uint32(word) == continuation {
		word, err = m.take(4)
	}
	if err != nil {
		return 0, err
	}
	length := int64(int32(binary.LittleEndian.Uint32(word)))
	if length == 0 {
		return 0, io.EOF
	}
	if length < 4 {
		return 0, fmt.Errorf("a message claims metadata of %d bytes", length)
	}
	return length, nil
}

func (m *messages) take(n int64) ([]byte, error) {
	if n < 0 || n > int64(len(m.stream)-m.at) {
		return nil, fmt.Errorf("a message claims %d bytes where %d are left: %w", n, len(m.stream)-m.at, io.ErrUnexpectedEOF)
	}
	part := m.stream[m.at : m.at+int(n) : m.at+int(n)]
	m.at += int(n)
	return part, nil
}

// aligned returns the bytes where a number of 8 bytes may begin, a copy of them if need be.
func aligned(b []byte) []byte {
	if len(b) == 0 || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%8 == 0 {
		return b
	}
	words := make([]uint64, (len(b)+7)/8)
	to := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(b))
	copy(to, b)
	return to
}

// Retain and Release are the library's: it holds one reference from the first to the last message.
func (m *messages) Retain() {}

// Release gives back the message at hand.
func (m *messages) Release() {
	if m.last != nil {
		m.last.Release()
		m.last = nil
	}
}
