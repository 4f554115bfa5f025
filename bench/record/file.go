package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beziergp/internal/printable"
)

// AgainDir is the folder, beside files of records, of those of fits that were made again for comparison.
const AgainDir = "again"

// FileError says what is wrong with a file of records, and where.
type FileError struct {
	File string
	Line int
	Err  error
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s, line %d: %v; mend or remove the line", e.File, e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// Read returns the records of a file, in order, none where there is no file. torn is
// the number of a last line that whoever wrote it was killed in the middle of, which
// is no record, and 0 where there is none. Any other line that is not a record is a
// [*FileError].
func Read(path string) (records []Record, torn int, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	records, whole, err := parse(path, text)
	if err == nil && whole < len(text) {
		torn = bytes.Count(text, []byte{'\n'}) + 1
	}
	return records, torn, err
}

// parse returns the records and how many bytes of the text they are.
func parse(path string, text []byte) (records []Record, whole int, err error) {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		var r Record
		err := decode(line, &r)
		if err != nil && line[len(line)-1] != '\n' {
			return records, whole, nil
		}
		if err != nil {
			return records, whole, &FileError{path, number, err}
		}
		records, whole = append(records, r), whole+len(line)
	}
	return records, whole, nil
}

func decode(line []byte, r *Record) error {
	if err := json.Unmarshal(line, r); err != nil {
		return err
	}
	if r.Suite == "" || r.Set == "" || r.Method == "" {
		return errors.New(`"suite", "set" or "method" is missing`)
	}
	if strings.ContainsAny(r.Suite, `/\`) || !filepath.IsLocal(r.Suite) || r.Suite == "." { // files are named after it
		return fmt.Errorf("the suite %s cannot name a file", printable.Quoted(r.Suite))
	}
	return nil
}

// Log is a file that records are appended to. It must be closed.
type Log struct{ file *os.File }

// Append opens a file of records to append to, made where there is none. A torn last
// line is cut off, so that the next record has a line of its own.
func Append(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := endLine(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Log{file}, nil
}

func endLine(file *os.File) error {
	text, err := os.ReadFile(file.Name())
	if err != nil {
		return err
	}
	_, whole, err := parse(file.Name(), text)
	if err != nil {
		return err
	}
	if whole < len(text) {
		return file.Truncate(int64(whole))
	}
	if whole > 0 && text[whole-1] != '\n' {
		_, err = file.Write([]byte{'\n'})
	}
	return err
}

// Add writes a record in one piece and waits until the disk has it.
func (l *Log) Add(r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return l.file.Sync()
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
