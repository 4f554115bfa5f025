//go:build !lean && !wasm

package tablefile

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"beziergp/table"
)

// NewArrowReader reads the schema of an Arrow IPC stream in memory, under the name that
// errors are to give it. A table is the same as from a file of any format with these
// values. The bytes must not be changed before the reader is closed.
func NewArrowReader(stream []byte, name string, options Options) (*Reader, error) {
	rows, err := openArrowStream(stream, name)
	if err != nil {
		return nil, err
	}
	if err := table.CheckNames(rows.Names()); err != nil {
		rows.Close()
		return nil, &Error{File: name, Problem: err.Error(), Remedy: uniqueNames, Err: err}
	}
	r := &Reader{options: options, files: []string{name}, size: int64(len(stream))}
	r.reopen = func(o Options) (*Reader, error) { return NewArrowReader(stream, name, o) }
	return r.begin(&typedBody{file: rows})
}

// arrowStream is the batches of an Arrow IPC stream.
type arrowStream struct {
	encoded
	messages *messages
	reader   *ipc.Reader
}

func openArrowStream(stream []byte, name string) (*arrowRows, error) {
	a := &arrowStream{encoded: encoded{name, "an Arrow stream", int64(len(stream))}, messages: &messages{stream: stream}}
	err := a.try(func() (err error) {
		if err := checkStream(stream); err != nil {
			return a.damage(err)
		}
		a.reader, err = ipc.NewReaderFromMessageReader(a.messages, ipc.WithAllocator(a.allocator()))
		if err != nil {
			return a.damage(err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newArrowRows(a.encoded, a), nil
}

func (a *arrowStream) schema() *arrow.Schema { return a.reader.Schema() }

func (a *arrowStream) next() (arrow.RecordBatch, error) {
	batch, err := a.reader.Read()
	if err == nil {
		batch.Retain()
	}
	return batch, err
}

func (a *arrowStream) progress() int64 { return int64(a.messages.at) }

func (a *arrowStream) close() error {
	return a.try(func() error { a.reader.Release(); return nil })
}
