// Package sink is where a verb's result goes: to standard output, or to a file
// that appears only when it is whole.
package sink

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"beziergp/internal/aside"
	"beziergp/internal/cli/exit"
)

// Stdout is the path that stands for standard output.
const Stdout = "-"

// Name returns what a path is called in messages.
func Name(path string) string {
	if path == Stdout {
		return "standard output"
	}
	return path
}

// Sink takes bytes. It must end in Commit or Abort, after Commit Abort does
// nothing.
type Sink struct {
	path  string
	out   io.Writer
	file  *aside.File // nil for standard output
	bytes int64
}

// Create begins to write to path.
func Create(path string, stdout io.Writer) (*Sink, error) {
	if path == Stdout {
		return &Sink{path: path, out: stdout}, nil
	}
	file, err := aside.Create(path)
	if err != nil {
		return nil, explain(path, err)
	}
	return &Sink{path: path, out: file, file: file}, nil
}

func (s *Sink) Write(p []byte) (int, error) {
	n, err := s.out.Write(p)
	s.bytes += int64(n)
	return n, explain(s.path, err)
}

// Bytes returns how many bytes were written.
func (s *Sink) Bytes() int64 { return s.bytes }

// Commit puts the file in place.
func (s *Sink) Commit() error {
	if s.file == nil {
		return nil
	}
	return explain(s.path, s.file.Commit())
}

// Abort leaves a file as it was.
func (s *Sink) Abort() {
	if s.file != nil {
		s.file.Abort()
	}
}

// IsStream tells whether path is standard output, a pipe or a device.
func IsStream(path string) bool {
	info, err := os.Stat(path)
	return path == Stdout || err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// Check fails where a file could not be written: nobody should learn this after
// the work is done. Streams are let be, for opening them does something.
func Check(path string) error {
	if IsStream(path) {
		return nil
	}
	file, err := aside.Create(path)
	if err != nil {
		return explain(path, err)
	}
	file.Abort()
	return nil
}

// CheckApart fails when the file to write, which is called what, is one of those
// that are read.
func CheckApart(what, path string, read ...string) error {
	info, err := os.Stat(path)
	if path == Stdout || err != nil {
		return nil
	}
	for _, other := range read {
		if o, err := os.Stat(other); err == nil && os.SameFile(info, o) {
			return exit.Usagef("%s %s would replace %s, which is read; name another file", what, path, other)
		}
	}
	return nil
}

// explain names the file that the user knows, not the one beside it that becomes
// it.
func explain(path string, err error) error {
	if err == nil {
		return nil
	}
	cause := err
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		cause = p.Err
	} else if l := (*os.LinkError)(nil); errors.As(err, &l) {
		cause = l.Err
	}
	return fmt.Errorf("cannot write %s: %w; choose another place or make room", Name(path), cause)
}
