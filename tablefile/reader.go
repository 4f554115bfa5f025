package tablefile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"beziergp/table"
)

// Options of reading. The zero value reads comma-separated values, has no
// standard input and tells nobody.
type Options struct {
	// Comma separates the values; 0 is a comma. It is no quotation mark or line
	// end.
	Comma rune
	// Stdin is what the path "-" reads. It is not closed.
	Stdin io.Reader
	// Progress, if not nil, is told after every block how many bytes of the file,
	// as it is stored, have been read, and how many there are: −1 if nobody knows.
	// It is called by the goroutine that reads.
	Progress func(read, total int64)
}

// Reader reads the rows of a table from first to last, in blocks, in memory that
// does not grow with their number. It is used by one goroutine at a time.
type Reader struct {
	source   *source
	csv      *csv.Reader
	names    []string
	selected []int
	parse    parser
	progress func(read, total int64)
	rows     int
	err      error // what ended the reading
}

// Open opens a file and reads its header. Who opens it must close it. The error is
// an [*Error]; errors.Is finds [io/fs.ErrNotExist] in that of a missing file.
func Open(path string, options Options) (*Reader, error) {
	s, err := openSource(path, options.Stdin)
	if err != nil {
		return nil, err
	}
	r, err := newReader(s, options)
	if err != nil {
		s.close()
		return nil, err
	}
	return r, nil
}

// NewReader reads the header of a file that is open already, under the name that
// errors are to give it. r belongs to the caller; it may be read beyond the last
// row.
func NewReader(r io.Reader, name string, options Options) (*Reader, error) {
	s, err := newSource(r, name)
	if err != nil {
		return nil, err
	}
	return newReader(s, options)
}

func newReader(s *source, options Options) (*Reader, error) {
	r := &Reader{source: s, csv: csv.NewReader(s.text), parse: parseNumber, progress: options.Progress}
	if options.Comma != 0 {
		r.csv.Comma = options.Comma
	}
	if strings.ContainsRune("\"\r\n\uFFFD", r.csv.Comma) || !utf8.ValidRune(r.csv.Comma) {
		return nil, &Error{File: s.name, Problem: fmt.Sprintf("values cannot be separated by %q", r.csv.Comma)}
	}
	// So that a quotation may follow a blank. Where blanks separate, trimming them
	// would swallow empty values.
	r.csv.TrimLeadingSpace = !unicode.IsSpace(r.csv.Comma)
	r.csv.ReuseRecord = true
	header, err := r.csv.Read()
	if err == io.EOF {
		return nil, &Error{File: s.name, Problem: "empty: there is not even a header",
			Remedy: "the first line names the columns, the others hold the rows"}
	}
	if err != nil {
		return nil, r.rowError(header, err)
	}
	for j, name := range header {
		r.names = append(r.names, strings.TrimFunc(name, isBlank))
		r.selected = append(r.selected, j)
	}
	if err := table.CheckNames(r.names); err != nil {
		line, _ := r.csv.FieldPos(0)
		return nil, &Error{File: s.name, Line: line, Problem: err.Error(),
			Remedy: "the first line gives every column a name of its own, in UTF-8", Err: err}
	}
	return r, nil
}

// isBlank counts a byte order mark as the blank that it once was: joined files have
// two.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// Names returns the names of all columns of the file, in order, in a slice of the
// caller's.
func (r *Reader) Names() []string { return append([]string(nil), r.names...) }

// Selected returns the names of the columns that are read, in order, in a slice of
// the caller's.
func (r *Reader) Selected() []string {
	names := make([]string, len(r.selected))
	for k, j := range r.selected {
		names[k] = r.names[j]
	}
	return names
}

// Select has only the named columns read, from the next row on, in the order of
// the names. The others are not parsed and may hold anything. Without Select all
// columns are read. It fails, and changes nothing, when there are no names, when
// one stands twice, and when there is no such column: [*table.UnknownError].
func (r *Reader) Select(names ...string) error {
	if err := table.CheckNames(names); err != nil {
		return &Error{File: r.source.name, Problem: "wrong choice of columns: " + err.Error(), Err: err}
	}
	index := make(map[string]int, len(r.names))
	for j, name := range r.names {
		index[name] = j
	}
	selected := make([]int, len(names))
	for k, name := range names {
		j, ok := index[name]
		if !ok {
			unknown := table.Unknown(name, r.names)
			return &Error{File: r.source.name, Column: name, Problem: "there is no such column",
				Remedy: unknown.Hint(), Err: unknown}
		}
		selected[k] = j
	}
	r.selected = selected
	return nil
}

// Next reads up to B rows into dst, [selected columns, B], row i of the block into
// dst[k][i], and returns their number. At the end it returns 0 and [io.EOF]. On any
// other error, an [*Error], the rows before it are in dst and counted, and all
// later calls return the error again. A file without rows is in error. Next panics
// unless dst has a slice a column, all of one length above 0.
func (r *Reader) Next(dst [][]float64) (int, error) {
	if len(dst) != len(r.selected) {
		panic(errShape)
	}
	block := len(dst[0])
	for _, d := range dst {
		if len(d) != block || block == 0 {
			panic(errShape)
		}
	}
	n := 0
	for n < block && r.err == nil {
		if r.err = r.next(dst, n); r.err == nil {
			n++
		}
	}
	if r.progress != nil {
		r.progress(r.source.read, r.source.total)
	}
	if r.err == io.EOF && n > 0 {
		return n, nil
	}
	return n, r.err
}

const errShape = "tablefile: a block wants one slice a selected column, all of one length above 0"

// next reads one row into dst[·][i].
func (r *Reader) next(dst [][]float64, i int) error {
	record, err := r.csv.Read()
	if err == io.EOF && r.rows > 0 {
		return io.EOF
	}
	if err == io.EOF {
		return &Error{File: r.source.name, Problem: "no rows under the header", Remedy: "give at least one row"}
	}
	if err != nil {
		return r.rowError(record, err)
	}
	r.rows++
	for k, j := range r.selected {
		text := strings.TrimSpace(record[j])
		value, problem, remedy := r.parse(text)
		if problem != "" {
			line, _ := r.csv.FieldPos(j)
			return &Error{File: r.source.name, Row: r.rows, Line: line, Column: r.names[j],
				Value: text, Problem: problem, Remedy: remedy}
		}
		dst[k][i] = value
	}
	return nil
}

// rowError is the fault of the header or of the row after the last one, when it
// did not make a record of as many values as there are columns.
func (r *Reader) rowError(record []string, err error) *Error {
	row := 0
	if r.names != nil { // the header is read
		row = r.rows + 1
	}
	var p *csv.ParseError
	if !errors.As(err, &p) {
		e := r.source.readError(err)
		e.Row = row
		return e
	}
	e := &Error{File: r.source.name, Row: row, Line: p.StartLine, Err: err}
	if errors.Is(err, csv.ErrFieldCount) {
		e.Problem = fmt.Sprintf("the row has length %d, the header %d", len(record), len(r.names))
		e.Remedy = "complete the row or remove it"
		if len(record) > len(r.names) {
			e.Remedy = "remove what is too much, or quote values that hold a separator"
		}
		return e
	}
	e.Problem = "a quotation mark is out of place or has no partner"
	if p.Line != p.StartLine {
		e.Problem += fmt.Sprintf(", noticed on line %d", p.Line)
	}
	e.Remedy = "double the quotation marks in a quoted value"
	return e
}

// Close closes the file, unless it was open before.
func (r *Reader) Close() error { return r.source.close() }
