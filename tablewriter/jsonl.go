package tablewriter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"beziergp/table/exact"
)

// jsonWriter writes an object a line.
type jsonWriter struct {
	fields []Field
	keys   [][]byte // with what comes before and the colon
	buffer *bufio.Writer
	row    []byte
	text   []byte
}

func createJSONL(w io.Writer, fields []Field) (Writer, error) {
	out := &jsonWriter{fields: fields, buffer: bufio.NewWriterSize(w, bufferSize)}
	for k, f := range fields {
		key := append(out.appendString(nil, []byte(f.Name)), ':')
		out.keys = append(out.keys, append([]byte(map[bool]string{true: "{", false: ","}[k == 0]), key...))
	}
	return out, nil
}

func (w *jsonWriter) Write(columns ...*exact.Column) error {
	for i := range check(w.fields, columns) {
		w.row = w.row[:0]
		for k, c := range columns {
			w.row = append(w.row, w.keys[k]...)
			switch {
			case c.IsMissing(i):
				w.row = append(w.row, "null"...)
			case c.Type == exact.Number && math.IsInf(c.Numbers[i], 0):
				return fmt.Errorf("column %q holds %g, for which JSON has no word", w.fields[k].Name, c.Numbers[i])
			case c.Type == exact.Text, c.Type == exact.Date, c.Type == exact.Time:
				w.text = c.AppendText(w.text[:0], i)
				w.row = w.appendString(w.row, w.text)
			default:
				w.row = c.AppendText(w.row, i)
			}
		}
		w.row = append(w.row, '}', '\n')
		if _, err := w.buffer.Write(w.row); err != nil {
			return err
		}
	}
	return nil
}

// appendString appends a text as JSON has it. Few need more than quotation marks.
func (w *jsonWriter) appendString(dst, text []byte) []byte {
	for _, b := range text {
		if b < ' ' || b == '"' || b == '\\' || b >= 0x7f {
			var escaped bytes.Buffer
			e := json.NewEncoder(&escaped)
			e.SetEscapeHTML(false)
			_ = e.Encode(string(text)) // a text is encoded without fail
			return append(dst, bytes.TrimSuffix(escaped.Bytes(), []byte("\n"))...)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}

func (w *jsonWriter) Close() error { return w.buffer.Flush() }
