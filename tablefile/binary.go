package tablefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// binaryFile is a file of a binary format that a library decodes.
type binaryFile struct {
	*os.File
	name   string
	format string // for messages
	size   int64
}

func openBinary(path, format string) (*binaryFile, error) {
	info, err := os.Stat(path) // before it is opened, for who opens a pipe waits
	switch {
	case err != nil:
		return nil, openError(path, err)
	case info.IsDir():
		return nil, &Error{File: path, Problem: "this is a directory", Remedy: "give a file in it"}
	case !info.Mode().IsRegular():
		return nil, &Error{File: path, Problem: format + " cannot be read from a pipe or a device", Remedy: "give a file"}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	return &binaryFile{file, path, format, info.Size()}, nil
}

// try runs what calls the library. Damaged bytes may make it fail or panic; both
// are the file's fault and not the program's.
func (f *binaryFile) try(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = f.damage(fmt.Errorf("%v", p))
		}
	}()
	return do()
}

// damage is the fault of a file that the library cannot decode.
func (f *binaryFile) damage(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return &Error{File: f.name, Problem: "cannot be read: " + p.Err.Error(), Err: err}
	}
	return &Error{File: f.name, Problem: "this cannot be decoded as " + f.format + " (" + oneLine(err.Error()) + ")",
		Remedy: "the file is damaged, cut short or of another format: write or fetch it again", Err: err}
}

// oneLine makes a library's words fit for a message: no control characters, no
// more than a line or two.
func oneLine(text string) string {
	const most = 200
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// allocator gives the library memory in pieces that a file of this size can have
// use for, so that a damaged length does not ask for all that there is.
func (f *binaryFile) allocator() memory.Allocator {
	return bounded{memory.NewGoAllocator(), int(min(1<<28+64*f.size, 1<<40))}
}

// bounded panics, as allocators do, when it is asked for too much at once.
type bounded struct {
	memory.Allocator
	most int
}

func (b bounded) Allocate(size int) []byte {
	b.check(size)
	return b.Allocator.Allocate(size)
}

func (b bounded) Reallocate(size int, old []byte) []byte {
	b.check(size)
	return b.Allocator.Reallocate(size, old)
}

func (b bounded) check(size int) {
	if size < 0 || size > b.most {
		panic(fmt.Sprintf("%d bytes asked for at once", size))
	}
}
