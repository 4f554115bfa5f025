// Package atomicfile writes a file next to where it belongs and puts it in place only
// when it is whole, so that a failure or a power cut leaves the former content.
//
// It exists because the known library for this, github.com/google/renameio, leaves
// Windows out, where no rename over an existing file is promised to be atomic. A
// failure of the program leaves the former content there too; a power cut in the
// middle of the rename itself may not.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"

	"beziergp/internal/filelock"
)

// File is a file being written. It must end in [File.Commit] or [File.Abort]. It
// is used by one goroutine at a time.
type File struct {
	buffer *bufio.Writer
	file   *os.File // nil once committed or aborted
	path   string   // what the caller calls it, for errors
	target string   // where the file belongs; empty when it is written in place
}

// Create begins to write the file path. The bytes go to a file in the same
// directory, named like path with a suffix. It has the permissions of the file
// that it is to replace, or 0644 less the umask. What a symbolic link points to is
// replaced, not the link. A device or a pipe is written to in place. Errors are
// [*fs.PathError]s that name path and not the file beside it.
func Create(path string) (*File, error) {
	target, direct, err := resolve(path)
	if err != nil {
		return nil, named(path, err)
	}
	if direct {
		// Appending keeps what a shell's >> has put into the file behind
		// /dev/stdout, and means nothing to a pipe.
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return nil, named(path, err)
		}
		return &File{file: file, buffer: bufio.NewWriterSize(file, bufferSize), path: path}, nil
	}
	file, err := openBeside(target)
	if err != nil {
		return nil, named(path, err)
	}
	return &File{file: file, buffer: bufio.NewWriterSize(file, bufferSize), path: path, target: target}, nil
}

const bufferSize = 1 << 16

// named gives an error the name that the caller knows.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: "write", Path: path, Err: Cause(err)}
}

// Cause returns what is behind an error of a file, without the name that it gives.
func Cause(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return l.Err
	}
	return err
}

// openBeside creates the file that is to become target.
func openBeside(target string) (*os.File, error) {
	perm := fs.FileMode(0o644)
	info, err := os.Stat(target)
	replaces := err == nil
	if replaces {
		perm = info.Mode().Perm()
		// A rename asks nothing of the file it replaces: a write-protected one
		// is protected here.
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		file.Close()
	}
	for {
		name := fmt.Sprintf("%s.%08x%s", target, rand.Uint32(), ending)
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !filelock.Hold(file) {
			file.Close()
			continue
		}
		if replaces {
			// The umask has been at perm. Not every file system has modes, and
			// the content matters more.
			_ = file.Chmod(perm)
		}
		return file, nil
	}
}

// Write adds to the file.
func (f *File) Write(p []byte) (int, error) {
	if f.file == nil {
		return 0, fs.ErrClosed
	}
	n, err := f.buffer.Write(p)
	return n, named(f.path, err)
}

// Commit writes what is left, waits until the disk has it, and puts the file in
// place. When it fails, or a Write before it has failed, the former content stays
// and nothing else is left behind.
func (f *File) Commit() error {
	if f.file == nil {
		return fs.ErrClosed
	}
	defer f.Abort()
	if err := f.buffer.Flush(); err != nil {
		return named(f.path, err)
	}
	if f.target != "" {
		if err := f.file.Sync(); err != nil {
			return named(f.path, err)
		}
	}
	file, err := f.place()
	if err == nil {
		err = file.Close()
	}
	if err == nil && f.target != "" {
		err = syncDir(filepath.Dir(f.target))
	}
	return named(f.path, err)
}

// Keep puts the file in place as Commit does, but waits for no disk, and returns it
// open for reading: what was written, whatever another process puts in its place
// meanwhile. It is for files that are worth nothing after a power cut.
func (f *File) Keep() (*os.File, error) {
	if f.file == nil {
		return nil, fs.ErrClosed
	}
	defer f.Abort()
	if err := f.buffer.Flush(); err != nil {
		return nil, named(f.path, err)
	}
	file, err := f.place()
	return file, named(f.path, err)
}

// place gives the file its name and returns it open.
func (f *File) place() (*os.File, error) {
	file := f.file
	switch {
	case f.target == "":
	case runtime.GOOS == "windows": // which renames no open file
		if err := file.Close(); err != nil {
			return nil, err
		}
		if err := rename(file.Name(), f.target); err != nil {
			return nil, err
		}
		var err error
		if file, err = os.Open(f.target); err != nil {
			return nil, err
		}
	default: // while it is open, so that no sweep comes between
		if err := rename(file.Name(), f.target); err != nil {
			return nil, err
		}
	}
	f.file = nil
	return file, nil
}

// Abort gives the file up and leaves the former content. After Commit or Abort it
// does nothing, so it can be deferred at once.
func (f *File) Abort() {
	if f.file == nil {
		return
	}
	f.file.Close()
	if f.target != "" {
		os.Remove(f.file.Name())
	}
	f.file = nil
}

// WriteFile puts in place, as the file path, what write writes, unless write
// returns an error or panics.
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}
