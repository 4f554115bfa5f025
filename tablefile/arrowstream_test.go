//go:build !lean

package tablefile

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// streamOf writes batches of a length as a stream.
func streamOf(tb testing.TB, batch arrow.RecordBatch, length int64) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(batch.Schema()))
	for i := int64(0); i < batch.NumRows(); i += length {
		if err := w.Write(batch.NewSlice(i, min(i+length, batch.NumRows()))); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// A stream gives the table that a file of the same batches gives.
func TestStreamsReadAsFiles(t *testing.T) {
	batch := sharedBatch()
	path := t.TempDir() + "/t.arrow"
	writeArrow(t, path, batch, 999)
	want, err := Read(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewArrowReader(streamOf(t, batch, 999), "X", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := r.ReadAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range want.Names() {
		a, _ := want.Column(name)
		b, _ := got.Column(name)
		f, _ := want.Field(name)
		g, _ := got.Field(name)
		if !sameCells([]typedCells{{Numbers: a}}, []typedCells{{Numbers: b}}) || !reflect.DeepEqual(f, g) {
			t.Errorf("column %s differs", name)
		}
	}
}

// A column of Arrow's type null has no values: they were read as 0.
func TestColumnsOfNullsAreMissing(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Float64}, {Name: "n", Type: arrow.Null}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.Float64Builder).AppendValues([]float64{1, 2, 3}, nil)
	b.Field(1).AppendNulls(3)
	batch := b.NewRecordBatch()
	path := t.TempDir() + "/t.arrow"
	writeArrow(t, path, batch, 2)
	for name, open := range map[string]func() (*Reader, error){
		"file":   func() (*Reader, error) { return Open(path, Options{}) },
		"stream": func() (*Reader, error) { return NewArrowReader(streamOf(t, batch, 2), "X", Options{}) },
	} {
		r, err := open()
		if err != nil {
			t.Fatal(err)
		}
		table, err := r.ReadAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n, _ := table.Column("n")
		for i, v := range n {
			if !math.IsNaN(v) {
				t.Errorf("%s: row %d has the value %v", name, i+1, v)
			}
		}
		r.Close()
		if r, err = open(); err != nil {
			t.Fatal(err)
		}
		if err := r.KeepOnly("n"); err != nil {
			t.Fatal(err)
		}
		rows, err := r.NextKept(2)
		if err != nil || rows != 2 {
			t.Fatalf("%s: %d rows, %v", name, rows, err)
		}
		for i := range rows {
			if !r.Kept()[0].IsMissing(i) {
				t.Errorf("%s: row %d is kept as a value", name, i+1)
			}
		}
		r.Close()
	}
}

// A column that turns out to be text after it began with numbers is read once more, and a
// value is found again.
func TestStreamsAreReadTwice(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "k", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.StringBuilder).AppendValues([]string{"1", "2", "x", "y", "z"}, nil)
	r, err := NewArrowReader(streamOf(t, b.NewRecordBatch(), 2), "X", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	table, err := r.ReadAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f, _ := table.Field("k"); !reflect.DeepEqual(f.Levels, []string{"1", "2", "x", "y", "z"}) {
		t.Errorf("levels %q", f.Levels)
	}
	if e := r.Locate(t.Context(), 4, "k"); e.File != "X" || e.Row != 4 || e.Value != "y" {
		t.Errorf("row 4 is located at %+v", e)
	}
}

// A stream that is cut or altered is an *Error or a table, whatever its lengths claim.
func TestDamagedStreams(t *testing.T) {
	stream := streamOf(t, sharedBatch().NewSlice(0, 40), 15)
	for n := 0; n < len(stream)-8; n += 61 { // 8 bytes of the end may be missing
		_, err := drainStream(t, stream[:n])
		wantFault(t, "cut", err, "cannot be decoded as an Arrow stream")
	}
	for at := range stream {
		damaged := bytes.Clone(stream)
		damaged[at] ^= 0x7f
		if _, err := drainStream(t, damaged); err != nil {
			wantFault(t, "altered", err, "")
		}
	}
}

func drainStream(t testing.TB, stream []byte) (rows int, err error) {
	s, err := openArrowStream(stream, "X")
	if err != nil {
		return 0, err
	}
	defer s.Close()
	for {
		_, n, err := s.Next(t.Context())
		if err == io.EOF {
			return rows, nil
		}
		if rows += n; err != nil {
			return rows, err
		}
	}
}

func FuzzArrowStream(f *testing.F) {
	stream := streamOf(f, sharedBatch().NewSlice(0, 40), 15)
	f.Add(stream)
	f.Add(stream[:len(stream)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		var e *Error
		if _, err := drainStream(t, data); err != nil && !errors.As(err, &e) {
			t.Fatalf("%v is no *Error", err)
		}
	})
}
