//go:build !lean && !wasm

package worker

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// stream is columns of numbers that become the body of an answer.
type stream struct {
	fields []arrow.Field
	data   []arrow.Array
	rows   int
}

// numbers adds a column, [n], which is kept; NaN is a value like others.
func (s *stream) numbers(name string, v []float64) {
	s.add(name, arrow.PrimitiveTypes.Float64, arrow.Float64Traits.CastToBytes(v), len(v))
}

// integers adds a column of whole numbers.
func (s *stream) integers(name string, v []int64) {
	s.add(name, arrow.PrimitiveTypes.Int64, arrow.Int64Traits.CastToBytes(v), len(v))
}

// truths adds a column of 0 and 1, a byte each.
func (s *stream) truths(name string, v []bool) {
	b := make([]byte, len(v))
	for i, yes := range v {
		if yes {
			b[i] = 1
		}
	}
	s.add(name, arrow.PrimitiveTypes.Uint8, b, len(v))
}

func (s *stream) add(name string, t arrow.DataType, bytes []byte, n int) {
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}
	s.fields = append(s.fields, arrow.Field{Name: name, Type: t})
	s.data = append(s.data, array.MakeFromData(array.NewData(t, n, buffers, nil, 0, 0)))
	s.rows = n
}

// bytes returns the stream of the columns, all of one length.
func (s *stream) bytes() ([]byte, error) {
	schema := arrow.NewSchema(s.fields, nil)
	var b bytes.Buffer
	b.Grow(1<<12 + 9*len(s.data)*s.rows)
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	if err := w.Write(array.NewRecordBatch(schema, s.data, int64(s.rows))); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// number is one that JSON may have no way to write, and is null then.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func numbersOf(v []float64) []number {
	out := make([]number, len(v))
	for i := range v {
		out[i] = number(v[i])
	}
	return out
}
