package tablecache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"syscall"

	"beziergp/internal/atomicfile"
	"beziergp/table"
)

// A block has so many values, and so at least so many rows.
const (
	blockValues  = 1 << 16
	leastRows    = 64
	float64Bytes = 8
)

// checksums are CRC-32C, which processors compute.
var checksums = crc32.MakeTable(crc32.Castagnoli)

// Writer writes a cache. It must end in [Writer.Finish] or [Writer.Abort].
type Writer struct {
	path      string
	file      *atomicfile.File
	block     [][]float64 // [columns][blockRows], the block being filled
	filled    int
	coded     []bool
	bytes     []byte
	summaries []Summary
	sample    *Reservoir
	footer    footer
}

// Create begins a cache in the file path, which is there, in place of another, when
// it is finished; any number of writers may be at work on one path. coded tells which
// of its columns hold indices, whether of levels or of values told at the end.
func Create(path string, coded []bool) (*Writer, error) {
	file, err := atomicfile.Create(path)
	if err != nil {
		return nil, diskError(path, err)
	}
	columns := len(coded)
	rows := BlockRows(columns)
	w := &Writer{
		path: path, file: file,
		block: make([][]float64, columns), coded: coded,
		bytes:     make([]byte, float64Bytes*rows*columns),
		summaries: make([]Summary, columns), sample: NewReservoir(columns),
		footer: footer{BlockRows: rows},
	}
	for j := range w.block {
		w.block[j] = make([]float64, rows)
		w.summaries[j] = NewSummary()
	}
	return w, nil
}

// Drop counts rows that were left out of the cache.
func (w *Writer) Drop(rows int) { w.footer.Dropped += rows }

// Append adds n rows, columns[j][:n]. It fails before it adds any where columns are not as many as [Create] was told of, or one of them is shorter.
func (w *Writer) Append(columns [][]float64, n int) error {
	if len(columns) != len(w.coded) {
		return fmt.Errorf("tablecache: %d columns of rows for a cache of %d", len(columns), len(w.coded))
	}
	for j, c := range columns {
		if len(c) < n {
			return fmt.Errorf("tablecache: %d values in column %d of %d rows", len(c), j+1, n)
		}
	}
	for j, c := range columns {
		w.summaries[j].Add(c[:n], w.coded[j])
	}
	w.sample.Add(columns, n)
	w.footer.Rows += n
	for from := 0; from < n; {
		to := min(n, from+w.footer.BlockRows-w.filled)
		for j, c := range columns {
			copy(w.block[j][w.filled:], c[from:to])
		}
		w.filled += to - from
		from = to
		if w.filled == w.footer.BlockRows {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the block.
func (w *Writer) flush() error {
	bytes := w.bytes[:0]
	for _, c := range w.block {
		for _, v := range c[:w.filled] {
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
		}
	}
	w.filled = 0
	w.footer.Checksums = append(w.footer.Checksums, crc32.Checksum(bytes, checksums))
	if _, err := w.file.Write(bytes); err != nil {
		return diskError(w.path, err)
	}
	return nil
}

// Finish completes the cache and opens it. fields describes the columns; meaning gives,
// for a column of indices that are not the field's values, the value that each
// stands for, or is nil. source identifies what the rows came from.
func (w *Writer) Finish(fields []table.Field, meaning [][]float64, source string) (*Cache, error) {
	if w.filled > 0 {
		if err := w.flush(); err != nil {
			w.Abort()
			return nil, err
		}
	}
	f := &w.footer
	f.Fields, f.Source, f.Meaning = fields, source, make([][]uint64, len(fields))
	for j, values := range meaning {
		f.Meaning[j] = bits(values)
	}
	for j, s := range w.summaries {
		f.Summaries = append(f.Summaries, summaryJSON{s.Missing, math.Float64bits(s.Lo), math.Float64bits(s.Hi), s.Counts})
		f.Sample = append(f.Sample, bits(w.sample.columns[j]))
	}
	text, err := f.bytes()
	if err != nil {
		w.Abort()
		return nil, err
	}
	if _, err := w.file.Write(text); err != nil {
		w.Abort()
		return nil, diskError(w.path, err)
	}
	file, err := w.file.Keep()
	if err != nil {
		return nil, diskError(w.path, err)
	}
	return open(w.path, file)
}

// bits returns the bits of values, which JSON keeps as they are; nil of nil.
func bits(values []float64) []uint64 {
	var out []uint64
	for _, v := range values {
		out = append(out, math.Float64bits(v))
	}
	return out
}

func unbits(bits []uint64) []float64 {
	var out []float64
	for _, b := range bits {
		out = append(out, math.Float64frombits(b))
	}
	return out
}

// Abort gives up and leaves what the file path was.
func (w *Writer) Abort() { w.file.Abort() }

// DiskError reports a cache that could not be written or read.
type DiskError struct {
	Path string
	Err  error
}

func (e *DiskError) Error() string {
	if errors.Is(e.Err, syscall.ENOSPC) {
		return fmt.Sprintf("%s: the disk is full", filepath.Dir(e.Path))
	}
	return fmt.Sprintf("cache %s: %v", e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *DiskError) Unwrap() error { return e.Err }

func diskError(path string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err // the path is said already
	}
	return &DiskError{path, err}
}
