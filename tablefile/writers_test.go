//go:build !lean

package tablefile

import (
	"os"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"beziergp/internal/format"
)

// writers write a table in the formats whose cells have types, in batches of a length.
var writers = map[format.Format]func(tb testing.TB, path string, batch arrow.RecordBatch, length int64){
	format.Parquet: func(tb testing.TB, path string, batch arrow.RecordBatch, length int64) {
		writeParquet(tb, path, batch, length)
	},
	format.Arrow: func(tb testing.TB, path string, batch arrow.RecordBatch, length int64) {
		writeArrow(tb, path, batch, length)
	},
}

// openFormat reads a file as one of a format.
func openFormat(of format.Format, path string) (typed, error) {
	f, err := openBinary(path, string(of))
	if err != nil {
		return nil, err
	}
	return typedFormats[of](f)
}

// Every format is held to what the tests of all formats ask for.
func TestEveryFormatHasAWriter(t *testing.T) {
	for f := range typedFormats {
		if writers[f] == nil {
			t.Errorf("the tests write no %s", f)
		}
	}
}

// writeArrow writes batches of a length.
func writeArrow(tb testing.TB, path string, batch arrow.RecordBatch, length int64, options ...ipc.Option) {
	tb.Helper()
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	options = append(options, ipc.WithSchema(batch.Schema()))
	w, err := ipc.NewFileWriter(f, options...)
	if err != nil {
		tb.Fatal(err)
	}
	for i := int64(0); i < batch.NumRows(); i += length {
		if err := w.Write(batch.NewSlice(i, min(i+length, batch.NumRows()))); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

// writeParquet writes a batch in row groups of a length.
func writeParquet(tb testing.TB, path string, batch arrow.RecordBatch, group int64, options ...parquet.WriterProperty) {
	tb.Helper()
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	options = append(options, parquet.WithMaxRowGroupLength(group))
	w, err := pqarrow.NewFileWriter(batch.Schema(), f, parquet.NewWriterProperties(options...),
		pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		tb.Fatal(err)
	}
	if err := w.WriteBuffered(batch); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}
