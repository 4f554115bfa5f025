//go:build !lean && !wasm

package tablefile

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// arrowFile is the batches of an Arrow IPC file, also called Feather.
type arrowFile struct {
	*binaryFile
	reader *ipc.FileReader
	number int // of the next batch
}

func openArrow(f *binaryFile) (typed, error) {
	a := &arrowFile{binaryFile: f}
	if err := a.try(a.open); err != nil {
		f.Close()
		return nil, err
	}
	return newArrowRows(f.encoded, a), nil
}

func (a *arrowFile) open() (err error) {
	if err := a.checkSchema(); err != nil {
		return a.damage(err)
	}
	a.reader, err = ipc.NewFileReader(a.randomAccess, ipc.WithAllocator(a.allocator()), ipc.WithMetadataSizeLimit(a.size), ipc.WithBodySizeLimit(a.size))
	if err != nil {
		return a.damage(err)
	}
	return nil
}

func (a *arrowFile) schema() *arrow.Schema { return a.reader.Schema() }

func (a *arrowFile) next() (arrow.RecordBatch, error) {
	if a.number == a.reader.NumRecords() {
		return nil, io.EOF
	}
	a.number++
	return a.reader.RecordBatchAt(a.number - 1)
}

// progress leaves out the dictionaries and the footer, which are read first.
func (a *arrowFile) progress() int64 {
	done, err := a.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return done
}

func (a *arrowFile) close() error {
	_ = a.try(a.reader.Close)
	return a.Close()
}
