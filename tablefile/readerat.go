package tablefile

import (
	"io"

	"beziergp/internal/format"
)

// NewReaderAt reads a file of any format that is open already, or in memory, and has so many
// bytes, under the name that errors are to give it. r belongs to the caller, and its bytes
// must not change before the reader is closed.
func NewReaderAt(r io.ReaderAt, size int64, name string, options Options) (*Reader, error) {
	head := make([]byte, min(size, format.Head))
	if n, err := r.ReadAt(head, 0); n < len(head) {
		return nil, &Error{File: name, Problem: "cannot be read: " + err.Error(), Err: err}
	}
	section := io.NewSectionReader(r, 0, size)
	var b body
	var err error
	if what := format.Of(head); typedFormats[what] != nil {
		b, err = openTyped(&binaryFile{openAlready{section}, encoded{name, string(what), size}}, what)
	} else {
		b, err = openText(section, name, options)
	}
	if err != nil {
		return nil, err
	}
	own := &Reader{options: options, files: []string{name}, size: size}
	own.reopen = func(o Options) (*Reader, error) { return NewReaderAt(r, size, name, o) }
	return own.begin(b)
}

// openAlready is what is read as a file and not closed.
type openAlready struct{ *io.SectionReader }

func (openAlready) Close() error { return nil }

// openText reads text that who has opened it closes.
func openText(r io.Reader, name string, o Options) (body, error) {
	s, err := newSource(r, name)
	if err != nil {
		return nil, err
	}
	b, err := openCSV(s, o.Comma)
	if err != nil {
		s.close()
		return nil, err
	}
	return b, nil
}
