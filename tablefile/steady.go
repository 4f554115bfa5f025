package tablefile

import (
	"errors"
	"io"
	"os"
)

// errChanged takes the place of the end of a file that is not what it was when it was
// opened.
var errChanged = errors.New("the file changed")

func changedError(file string) *Error {
	return &Error{File: file, Problem: "the file changed while it was read", Remedy: "read it again when it is complete", Err: errChanged}
}

// steady is a file that who reads it to its end finds unchanged: rows of one that is
// written to meanwhile may be half of one table and half of another, or a part of a row.
// One that another is put in the place of goes on as it was.
type steady struct {
	*os.File
	was os.FileInfo
}

func (s *steady) Read(p []byte) (int, error) {
	n, err := s.File.Read(p)
	if err != io.EOF {
		return n, err
	}
	if now, err := s.Stat(); err != nil || !unchanged(now, s.was) {
		return n, errChanged
	}
	return n, io.EOF
}
