package tablefile

import (
	"context"
	"io"
	"maps"
	"os"
	"slices"

	"beziergp/table"
	"beziergp/table/cell"
	"beziergp/table/exact"
)

// Options of reading. The zero value finds the separator of text in the header,
// infers what columns hold, has no standard input and tells nobody.
type Options struct {
	// Comma separates the values of text; 0 is that of comma, tab, semicolon and
	// bar which the header holds most often. It is one ASCII character, and no blank,
	// quotation mark or line end.
	Comma rune
	// Stdin is what the path "-" reads. It is not closed.
	Stdin io.Reader
	// Context, if not nil, ends waiting for a pipe or for a database, from opening
	// until closing: the error is its then.
	Context context.Context
	// Kinds are those of columns for which they are not to be inferred.
	Kinds map[string]table.Kind
	// Schema is how columns are encoded, whatever they hold: as those that a model
	// was fitted to. It goes before Kinds.
	Schema []table.Field
	// Needed are columns that cannot be left out, as a target: no error advises it.
	Needed []string
	// Missing are the texts that stand for a missing value; nil for the default ones.
	Missing *cell.Words
	// Rows is how many rows [Reader.ReadAll] reads at most; 0 is all.
	Rows int
	// Progress, if not nil, is told time and again how many bytes of the files, as
	// they are stored, have been read, and how many there are: −1 if nobody knows. It
	// is called by the goroutine that reads.
	Progress func(read, total int64)
}

// Reader reads the rows of a table from first to last, in memory that does not grow
// with their number. It is used by one goroutine at a time, and employs others
// while a call lasts.
type Reader struct {
	options   Options
	files     []string
	reopen    func(Options) (*Reader, error) // in the place of the files, where there are none
	file      int                            // that is read
	before    int64                          // bytes of the files before it
	size      int64                          // of all files; −1 if unknown
	stats     []os.FileInfo                  // of the files, when they were opened
	body      body
	names     []string
	known     map[string]bool // names
	selected  []string
	keeps     []string       // columns to keep as they stand
	kept      []exact.Column // of the rows that Next returned
	plans     []plan         // of the selected, then of those to keep; nil before the first row is read
	queue     []*block
	at        int      // rows of queue[0] handed out
	row       int      // rows of the file before queue[0]
	rows      int      // of all files, before queue[0]
	words     []string // columns that turned out to be text
	part      *Part    // nil for all rows
	starts    []int    // of a part, the first row of every file, and the number of all
	collapses []Collapse
	codes     []Codes
	err       error
}

// Open opens a file, or all files of a pattern as [path/filepath.Match] has it, and
// reads the header. Who opens it must close it. The error is an [*Error]; errors.Is
// finds [io/fs.ErrNotExist] in that of a missing file.
func Open(path string, options Options) (*Reader, error) {
	files, err := Files(path)
	if err != nil {
		return nil, err
	}
	return OpenFiles(files, options)
}

// OpenFiles opens files that are one table, in this order: they have the same
// columns, which may stand in another order. It panics without files.
func OpenFiles(files []string, options Options) (*Reader, error) {
	r := &Reader{options: options, files: files, size: sizeOf(files)}
	for _, file := range files {
		info, _ := os.Stat(file)
		r.stats = append(r.stats, info)
	}
	for _, other := range files[1:] { // before hours are spent on the first
		b, err := openBody(other, options)
		if err != nil {
			return nil, err
		}
		names := b.names()
		b.close()
		if r.names == nil {
			r.names = names
		} else if err := agree(other, names, r.names, files[1]); err != nil {
			return nil, err
		}
	}
	b, err := openBody(files[0], options)
	if err != nil {
		return nil, err
	}
	if r.names != nil {
		if err := agree(files[1], r.names, b.names(), files[0]); err != nil {
			b.close()
			return nil, err
		}
	}
	return r.begin(b)
}

// openAgain opens the files once more.
func (r *Reader) openAgain(o Options) (*Reader, error) {
	if r.reopen != nil {
		return r.reopen(o)
	}
	return OpenFiles(r.files, o)
}

// NewReader reads the header of a file of text that is open already, under the name
// that errors are to give it. r belongs to the caller; it may be read beyond the
// last row.
func NewReader(r io.Reader, name string, options Options) (*Reader, error) {
	b, err := openText(r, name, options)
	if err != nil {
		return nil, err
	}
	return (&Reader{options: options, files: []string{name}, size: -1}).begin(b)
}

func (r *Reader) begin(b body) (*Reader, error) {
	r.body, r.names = b, b.names()
	r.selected, r.known = r.names, setOf(r.names)
	r.body = withJoined(b, r.options.Schema)
	for _, name := range slices.Sorted(maps.Keys(r.options.Kinds)) {
		if err := r.has(name); err != nil {
			b.close()
			return nil, err
		}
	}
	return r, nil
}

// sizeOf returns the bytes of files, −1 if one is no file that has a size.
func sizeOf(files []string) (size int64) {
	for _, file := range files {
		info, err := os.Stat(file)
		if file == stdinPath || err != nil || !info.Mode().IsRegular() {
			return -1
		}
		size += info.Size()
	}
	return size
}

// Names returns the names of all columns, in the order of the first file, in a slice
// of the caller's.
func (r *Reader) Names() []string { return slices.Clone(r.names) }

// Selected returns the names of the columns that are read, in order, in a slice of
// the caller's.
func (r *Reader) Selected() []string { return slices.Clone(r.selected) }

// Select has only the named columns read, in the order of the names. The others are
// not parsed and may hold anything. Without Select all columns are read. It fails,
// and changes nothing, when there are no names, when one stands twice, and when
// there is no such column: [*table.UnknownError]. It panics once rows were read. A field of the
// schema that is made of parts is a column, too, where the file has these.
func (r *Reader) Select(names ...string) error {
	if r.plans != nil {
		panic(errBegun)
	}
	if err := table.CheckNames(names); err != nil {
		return &Error{File: r.fileName(), Problem: "wrong choice of columns: " + err.Error(), Err: err}
	}
	for _, name := range names {
		if r.isJoined(name) {
			continue
		}
		if part := r.lacks(name); part != "" {
			name = part
		}
		if err := r.has(name); err != nil {
			return err
		}
	}
	r.selected = slices.Clone(names)
	return nil
}

func (r *Reader) has(name string) error {
	if r.known[name] {
		return nil
	}
	unknown := table.Unknown(name, r.names)
	return &Error{File: r.fileName(), Column: name, Problem: "there is no such column",
		Remedy: unknown.Hint(), Err: unknown}
}

func (r *Reader) fileName() string {
	if r.files[r.file] == stdinPath {
		return stdinName
	}
	return r.files[r.file]
}

// Close closes the file, unless it was open before.
func (r *Reader) Close() error { return r.body.close() }
