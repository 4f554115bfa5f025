package tablewriter

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"

	"beziergp/table/exact"
)

// csvWriter writes delimited text, quoted as RFC 4180 has it.
type csvWriter struct {
	fields []Field
	comma  byte
	buffer *bufio.Writer
	row    []byte
}

func createCSV(w io.Writer, fields []Field) (Writer, error) { return createText(w, fields, ',') }

func createTSV(w io.Writer, fields []Field) (Writer, error) { return createText(w, fields, '\t') }

func createText(w io.Writer, fields []Field, comma byte) (Writer, error) {
	buffer := bufio.NewWriterSize(w, bufferSize)
	header := csv.NewWriter(buffer)
	header.Comma = rune(comma)
	names := make([]string, len(fields))
	for k, f := range fields {
		names[k] = f.Name
	}
	if err := header.Write(names); err != nil {
		return nil, err
	}
	header.Flush()
	return &csvWriter{fields: fields, comma: comma, buffer: buffer}, header.Error()
}

func (w *csvWriter) Write(columns ...*exact.Column) error {
	for i := range check(w.fields, columns) {
		w.row = w.row[:0]
		for k, c := range columns {
			if k > 0 {
				w.row = append(w.row, w.comma)
			}
			begin := len(w.row)
			w.row = c.AppendText(w.row, i)
			if c.Type == exact.Text {
				w.quote(begin)
			}
		}
		if len(w.row) == 0 { // a blank line is no row
			w.row = append(w.row, `""`...)
		}
		w.row = append(w.row, '\n')
		if _, err := w.buffer.Write(w.row); err != nil {
			return err
		}
	}
	return nil
}

// quote puts the text that ends the row in quotation marks where it needs them.
func (w *csvWriter) quote(begin int) {
	text := w.row[begin:]
	if len(text) == 0 || bytes.IndexByte(text, w.comma) < 0 && !bytes.ContainsAny(text, "\"\r\n") && text[0] != ' ' && text[0] != '\t' {
		return
	}
	quoted := append([]byte{'"'}, bytes.ReplaceAll(text, []byte(`"`), []byte(`""`))...)
	w.row = append(append(w.row[:begin], quoted...), '"')
}

func (w *csvWriter) Close() error { return w.buffer.Flush() }
