package tablefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"beziergp/internal/printable"
)

// encoded are the bytes of a binary format that a library decodes.
type encoded struct {
	name   string
	format string // for messages
	size   int64
}

// binaryFile is a file of them, or what is read as one.
type binaryFile struct {
	randomAccess
	encoded
}

type randomAccess interface {
	io.ReadSeeker
	io.ReaderAt
	io.Closer
}

func openBinary(path, format string) (*binaryFile, error) {
	info, err := stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{File: path, Problem: format + " cannot be read from a pipe or a device", Remedy: "give a file"}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	return &binaryFile{file, encoded{path, format, info.Size()}}, nil
}

// try runs what calls the library. Damaged bytes may make it fail or panic; both
// are the file's fault and not the program's.
func (f *encoded) try(do func() error) error {
	err, cause := caught(do)
	if cause != nil {
		return f.damage(cause)
	}
	return err
}

// caught runs what calls a library and returns its error, or what it panics with.
func caught(do func() error) (err, cause error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			cause = p
		default:
			cause = fmt.Errorf("%v", p)
		}
	}()
	return do(), nil
}

// words returns what a library has to say of damaged bytes. Where it ran into them
// unawares, it speaks of its own slices and types, which help nobody.
func words(err error) string {
	text := err.Error()
	for _, own := range []string{"runtime error: ", "interface conversion: ", "reflect: ", "goroutine "} {
		if strings.Contains(text, own) {
			return "its lengths, offsets and types contradict each other"
		}
	}
	return printable.Words(text)
}

// damage is the fault of a file that the library cannot decode.
func (f *encoded) damage(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return &Error{File: f.name, Problem: "cannot be read: " + p.Err.Error(), Err: err}
	}
	return &Error{File: f.name, Problem: "this cannot be decoded as " + f.format + " (" + words(err) + ")",
		Remedy: "the file is damaged, cut short or of another format: write or fetch it again", Err: err}
}
