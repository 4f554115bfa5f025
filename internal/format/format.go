// Package format tells what a file is by how it begins, for messages about files that
// were given in the place of others.
package format

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Format is a format of files.
type Format string

// The formats.
const (
	Unknown    Format = "binary data"
	Empty      Format = "an empty file"
	Text       Format = "text, as a table is"
	Model      Format = "a model of this program"
	Checkpoint Format = "a checkpoint of this program"
	Tensors    Format = "a safetensors file"
	Parquet    Format = "Parquet"
	Arrow      Format = "Arrow"
	SQLite     Format = "an SQLite database"
	ZIP        Format = "a ZIP archive, as workbooks of Excel are"
	Gzip       Format = "gzip data"
	Zstd       Format = "zstd data"
)

// Head is how many bytes tell.
const Head = 512

// Of returns the format of a file that begins with these bytes, or is no longer.
func Of(head []byte) Format {
	if len(head) == 0 {
		return Empty
	}
	for _, f := range []struct {
		at     int
		begins string
		format Format
	}{
		{8, `{"__metadata__":{"beziergp.checkpoint":`, Checkpoint},
		{8, `{"__metadata__":{"beziergp.`, Model},
		{8, `{"__metadata__":{`, Tensors},
		{0, "PAR1", Parquet}, {0, "ARROW1", Arrow}, {0, "SQLite format 3\x00", SQLite},
		{0, "PK\x03\x04", ZIP}, {0, "\x1f\x8b", Gzip}, {0, "\x28\xb5\x2f\xfd", Zstd},
	} {
		if len(head) > f.at && bytes.HasPrefix(head[f.at:], []byte(f.begins)) {
			return f.format
		}
	}
	if isText(head) {
		return Text
	}
	return Unknown
}

// isText tells whether bytes are UTF-8, the last character of which may be cut.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		if r == utf8.RuneError && size == 1 && utf8.FullRune(head) || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
		head = head[size:]
	}
	return true
}
