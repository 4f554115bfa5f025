package tablefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"beziergp/internal/format"
)

// source is the text of a file: decompressed, without its byte order mark, and
// found to be text.
type source struct {
	name    string
	text    *bufio.Reader
	packing string    // how it is compressed; empty if it is not
	read    int64     // bytes of the file, as it is stored
	total   int64     // its size, −1 if unknown
	closer  io.Closer // nil if the reader belongs to someone else
	unpack  func()    // frees what decompressing holds; may be nil
}

// openSource opens a path, "-" being the options' standard input.
func openSource(path string, o Options) (*source, error) {
	if path == stdinPath {
		if o.Stdin == nil {
			return nil, &Error{File: stdinName, Problem: "there is none to read", Remedy: "give a file"}
		}
		stdin := func() (io.ReadCloser, error) { return io.NopCloser(o.Stdin), nil }
		return newOwnSource(openWaiting(o.Context, stdin), stdinName)
	}
	info, err := stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return newOwnSource(openWaiting(o.Context, openFile(path)), path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, openError(path, err)
	}
	s, err := newOwnSource(&steady{file, info}, path)
	if err != nil {
		return nil, err
	}
	s.total = info.Size()
	return s, nil
}

// stat tells what a path is before it is opened, for who opens a pipe waits. It fails on
// a directory.
func stat(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, openError(path, err)
	case info.IsDir():
		return nil, &Error{File: path, Problem: "this is a directory", Remedy: "give a file in it"}
	}
	return info, nil
}

// newOwnSource is newSource of a file that the source closes.
func newOwnSource(file io.ReadCloser, name string) (*source, error) {
	s, err := newSource(file, name)
	if err != nil {
		file.Close()
		return nil, err
	}
	s.closer = file
	return s, nil
}

const (
	stdinPath = "-"
	stdinName = "standard input"
)

func openError(path string, err error) *Error {
	if errors.Is(err, fs.ErrNotExist) {
		remedy := "check the path"
		if strings.Contains(path, "://") {
			remedy = "URLs are not read: download it, or have another program write it to standard input, -"
		}
		return &Error{File: path, Problem: "there is no such file", Remedy: remedy, Err: err}
	}
	cause := err
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		cause = p.Err // the path is said already
	}
	return &Error{File: path, Problem: "cannot be opened: " + cause.Error(), Err: err}
}

func newSource(r io.Reader, name string) (*source, error) {
	s := &source{name: name, total: -1}
	s.text = bufio.NewReaderSize(&counter{r, &s.read}, bufferSize)
	magic, err := s.text.Peek(4)
	if err != nil && err != io.EOF {
		return nil, s.readError(err)
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		s.packing = "gzip"
		z, err := gzip.NewReader(s.text)
		if err != nil {
			return nil, s.readError(err)
		}
		s.text = bufio.NewReaderSize(z, bufferSize)
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		s.packing = "zstd"
		// One processor, so that nothing runs between two reads.
		z, err := zstd.NewReader(s.text, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, s.readError(err)
		}
		s.unpack = z.Close
		s.text = bufio.NewReaderSize(z, bufferSize)
	}
	head, err := s.text.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, s.readError(err)
	}
	head, marked := bytes.CutPrefix(head, []byte("\xef\xbb\xbf"))
	if marked {
		s.text.Discard(3)
	}
	return s, s.checkText(head)
}

const (
	bufferSize = 1 << 16
	headSize   = 1 << 12
	maxWindow  = 1 << 27 // of zstd; its program writes no wider one unless told to
)

// checkText refuses what is no text, by its first bytes.
func (s *source) checkText(head []byte) error {
	header, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), lineEnd) // blank lines may come first
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return &Error{File: s.name, Line: 1, Problem: "this is UTF-32 text", Remedy: "save it as UTF-8"}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return &Error{File: s.name, Line: 1, Problem: "this is UTF-16 text", Remedy: "save it as UTF-8"}
	case bytes.IndexByte(head, 0) >= 0, bytes.IndexFunc(header, isBinary) >= 0:
		return s.noText(head, header)
	case bytes.IndexByte(bytes.TrimRight(header, "\r"), '\r') >= 0:
		return &Error{File: s.name, Line: 1, Problem: "lines end in CR alone", Remedy: "end them in LF or CRLF"}
	}
	return s.checkHeader(bytes.TrimSpace(header))
}

// checkHeader refuses text whose first line names no columns, but tells of another format.
func (s *source) checkHeader(header []byte) error {
	begins := func(with ...string) bool {
		start := strings.ToLower(string(header[:min(len(header), 16)]))
		return slices.ContainsFunc(with, func(w string) bool { return strings.HasPrefix(start, w) })
	}
	line := string(header)
	switch {
	case line == "{", line == "[", begins(`{"`, `[{"`):
		return &Error{File: s.name, Problem: "this is not a CSV file but JSON", Remedy: "convert it to CSV, Parquet or Arrow"}
	case begins("<!doctype", "<html", "<?xml"):
		return &Error{File: s.name, Problem: "this is not a CSV file but a page of HTML or XML",
			Remedy: "give the table itself; where the file was fetched, its address led to a page"}
	case begins("sep=") && len(header) <= len("sep=;"):
		return &Error{File: s.name, Line: 1, Value: line, Problem: "names no columns", Remedy: "remove the line: separators are found without it"}
	}
	return nil
}

// noText is the fault of bytes that are no text.
func (s *source) noText(head, header []byte) *Error {
	what := format.Of(head)
	e := &Error{File: s.name, Problem: "this is not a CSV file but " + string(what), Remedy: "convert it to CSV"}
	at := bytes.IndexFunc(header, isBinary)
	switch {
	case what == format.Model, what == format.Checkpoint:
		e.Problem, e.Remedy = "this is "+string(what)+", not a table", "give the table's file; where a model is given too, it comes before"
	case what == format.SQLite:
		e.Remedy = "read it by --from sqlite:PATH and --query 'SELECT …'"
	case what == format.ZIP:
		e.Remedy = "unpack it, or save the sheet as CSV"
	case typedFormats[what] != nil && s.packing != "":
		e.Remedy = "unpack it"
	case typedFormats[what] != nil && s.name == stdinName:
		e.Problem, e.Remedy = string(what)+" cannot be read from a pipe", "give its file"
	case what == format.Gzip, what == format.Zstd: // packed twice
		e.Remedy = unpackIt
	case bytes.HasPrefix(head, []byte("BZh")) && bytes.HasPrefix(head[min(4, len(head)):], []byte("1AY&SY")):
		e.Problem, e.Remedy = "this is not a CSV file but bzip2 data", unpackIt
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		e.Problem, e.Remedy = "this is not a CSV file but xz data", unpackIt
	case bytes.HasPrefix(head, []byte("\xff\xff\xff\xff")):
		e.Problem, e.Remedy = "this is not a CSV file but binary data, as an Arrow stream is", "write an Arrow file, or Parquet or CSV"
	case what == format.Unknown && at >= 0 && utf8.Valid(header) && isWord(header[0]):
		e.Line, e.Problem = 1, fmt.Sprintf("the header holds the control character %q", header[at:at+1])
		e.Remedy = "the first line names the columns in text; remove the character, or convert the file to CSV"
	}
	return e
}

const unpackIt = "unpack it, or pack it by gzip or zstd alone"

// isWord tells whether a name may begin with a byte.
func isWord(b byte) bool { return b == '"' || b >= utf8.RuneSelf || unicode.IsLetter(rune(b)) }

// isBinary reports whether r is a control character that no header holds. Those
// from U+001C on are separators and some programs use them as such.
func isBinary(r rune) bool {
	return r < '\t' || r > '\r' && r < 0x1c
}

// readError is the fault of a file whose bytes could not be had.
func (s *source) readError(err error) *Error {
	if errors.Is(err, errChanged) {
		return changedError(s.name)
	}
	if p := (*fs.PathError)(nil); s.packing != "" && !errors.As(err, &p) && err != errTooLong {
		return &Error{File: s.name, Problem: "the " + s.packing + " data are damaged or cut short",
			Remedy: "fetch or compress the file again", Err: err}
	}
	return &Error{File: s.name, Problem: "cannot be read: " + err.Error(), Err: err}
}

func (s *source) close() error {
	if s.unpack != nil {
		s.unpack()
	}
	if s.closer == nil {
		return nil
	}
	return s.closer.Close()
}

// counter counts the bytes that go through it.
type counter struct {
	r io.Reader
	n *int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	*c.n += int64(n)
	return n, err
}
