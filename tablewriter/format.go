package tablewriter

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"beziergp/table"
	"beziergp/table/exact"
)

// Format is a format of files. Its name is the ending of theirs.
type Format string

// The formats, of which a build may lack some: see [Formats].
const (
	CSV     Format = "csv"
	TSV     Format = "tsv"
	JSONL   Format = "jsonl" // an object a line
	Parquet Format = "parquet"
	Arrow   Format = "arrow" // IPC file, also called Feather
)

// Field is a column to write.
type Field struct {
	Name string
	exact.Kind
}

// Writer writes rows. It is used by one goroutine at a time.
type Writer interface {
	// Write adds a block of rows, one column a field, of its kind and all of one length,
	// which may be 0. It keeps none of them. It fails when the underlying writer does, at
	// once or later, and on a number that the format has no way to write.
	Write(columns ...*exact.Column) error
	// Close hands all rows to the underlying writer, which it leaves open. A file that was
	// not closed is none.
	Close() error
}

// format is how files of one are written.
type format struct {
	binary  bool // and so not for a terminal
	typed   bool // its columns have types
	endings []string
	create  func(w io.Writer, fields []Field) (Writer, error) // nil where a build leaves it out
}

// Formats returns the formats of this build.
func Formats() []Format {
	known := []Format{CSV, TSV, JSONL, Parquet, Arrow}
	return slices.DeleteFunc(known, func(f Format) bool { return formats[f].create == nil })
}

// Check returns an error where this build does not write the format.
func (f Format) Check() error {
	if formats[f].create == nil {
		return fmt.Errorf("this program does not write the format %q; it writes %v", f, Formats())
	}
	return nil
}

// Of returns the format that the ending of a path says, "" where it says none. This build
// may lack it.
func Of(path string) Format {
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	for _, name := range slices.Sorted(maps.Keys(formats)) {
		if string(name) == ending || slices.Contains(formats[name].endings, ending) {
			return name
		}
	}
	return ""
}

// Binary tells whether files of the format are no text.
func (f Format) Binary() bool { return formats[f].binary }

// Typed tells whether the columns of the format have types, which are known before the first
// row is written.
func (f Format) Typed() bool { return formats[f].typed }

// New begins a file of a format. It fails when there are no fields, when a name is empty, is
// not UTF-8, or stands twice, when this build has no such format, and when w does. w belongs
// to the caller.
func New(w io.Writer, f Format, fields ...Field) (Writer, error) {
	names := make([]string, len(fields))
	for k, field := range fields {
		names[k] = field.Name
	}
	if err := table.CheckNames(names); err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return formats[f].create(w, fields)
}

// Write writes a whole table.
func Write(w io.Writer, f Format, names []string, columns []*exact.Column) error {
	fields := make([]Field, len(columns))
	for k, c := range columns {
		fields[k] = Field{names[k], c.Kind}
	}
	out, err := New(w, f, fields...)
	if err != nil {
		return err
	}
	if err := out.Write(columns...); err != nil {
		return err
	}
	return out.Close()
}

// check panics unless a block has a column a field, of its kind and of one length, which it
// returns.
func check(fields []Field, columns []*exact.Column) int {
	if len(columns) != len(fields) {
		panic(errBlock)
	}
	for k, c := range columns {
		if c.Kind != fields[k].Kind || c.Len() != columns[0].Len() {
			panic(errBlock)
		}
	}
	return columns[0].Len()
}

const errBlock = "tablewriter: a block wants one column a field, of its kind and all of one length"

// bufferSize is that of writers of text.
const bufferSize = 1 << 16
