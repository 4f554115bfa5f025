// Package sink is where a verb's result goes: to standard output, or to a file
// that appears only when it is whole.
package sink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"beziergp/cmd/beziergp/internal/wait"
	"beziergp/internal/atomicfile"
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
	path   string
	out    io.Writer
	file   *atomicfile.File // nil for standard output
	stream *wait.Writer     // to a pipe or a device; else nil
	bytes  int64
}

// Create begins to write to path. A done ctx ends waiting for the reader of a pipe.
func Create(ctx context.Context, path string, stdout io.Writer) (*Sink, error) {
	if path == Stdout {
		return &Sink{path: path, out: stdout}, nil
	}
	if !IsStream(path) {
		atomicfile.Sweep(path)
	}
	file, err := wait.For(ctx, func() (*atomicfile.File, error) { return atomicfile.Create(path) })
	if err != nil {
		return nil, explain(path, err)
	}
	s := &Sink{path: path, out: file, file: file}
	if IsStream(path) {
		s.stream = wait.NewWriter(ctx, file)
		s.out = s.stream
	}
	return s, nil
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
	if s.stream != nil {
		return explain(s.path, s.stream.Finish(s.file.Commit))
	}
	return explain(s.path, s.file.Commit())
}

// Abort leaves a file as it was.
func (s *Sink) Abort() {
	if s.file != nil && (s.stream == nil || !s.stream.GaveUp()) {
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
	atomicfile.Sweep(path)
	file, err := atomicfile.Create(path)
	if err != nil {
		return explain(path, err)
	}
	file.Abort()
	return nil
}

// Failed is the error of standard output, in words.
func Failed(err error) error { return explain(Stdout, err) }

// explain says what to do.
func explain(path string, err error) error {
	if err == nil {
		return nil
	}
	remedy := "choose another place or make room"
	if errors.Is(err, fs.ErrNotExist) {
		remedy = "make the folder, or choose another place"
	}
	return fmt.Errorf("cannot write %s: %w; %s", Name(path), atomicfile.Cause(err), remedy)
}
