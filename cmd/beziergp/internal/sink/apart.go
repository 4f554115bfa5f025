package sink

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/wait"
	"beziergp/internal/atomicfile"
)

// File is a file that a command is given.
type File struct {
	What    string // what gives it: a flag, or DATA
	Path    string
	Written bool
	Pattern bool // Path is all files of a pattern, those that there will be included
}

// Reads are files that something gives to read. An empty path is none.
func Reads(what string, paths ...string) (files []File) {
	for _, path := range paths {
		files = append(files, File{What: what, Path: path})
	}
	return files
}

// Writes is a file that something gives to write.
func Writes(what, path string) File { return File{What: what, Path: path, Written: true} }

// Apart refuses the files of a command if one that is written is another of them,
// whatever it is called: by another spelling, a link, or a pattern, and if two that are
// read are one pipe, of which the second would have nothing. stdin and stdout
// are what the path - stands for; standard output counts as written.
func Apart(stdin, stdout any, files ...File) error {
	files = append(files, File{What: Name(Stdout), Path: Stdout, Written: true})
	var known []identity
	for _, f := range files {
		if f.Path == "" {
			continue
		}
		one := identify(f, stdin, stdout)
		for _, other := range known {
			if (one.Written || other.Written) && !(one.isStdout() && other.isStdout()) && one.same(other) {
				return conflict(other.File, one.File)
			}
			if !one.Written && !other.Written && one.samePipe(other) {
				return drained(other.File, one.File)
			}
		}
		known = append(known, one)
	}
	return nil
}

// Same reports whether two paths lead to one file, which need not be there.
func Same(a, b string) bool {
	return identify(File{Path: a}, nil, nil).same(identify(File{Path: b}, nil, nil))
}

func conflict(a, b File) error {
	switch {
	case a.Written && b.Written && b.Path == Stdout:
		return exit.Usagef("%s and %s, %s, are one file; name two", Name(Stdout), a.What, a.Path)
	case a.Written && b.Written:
		return exit.Usagef("%s and %s are one file, %s; name two", b.What, a.What, b.Path)
	case a.Written:
		a, b = b, a
	}
	switch {
	case b.Path == Stdout:
		return exit.Usagef("standard output would add to %s, which is read; name another file", a.Path)
	case a.Pattern:
		return exit.Usagef("%s %s would be one of the files %s, which are read; name a file elsewhere", b.What, b.Path, a.Path)
	}
	return exit.Usagef("%s %s would replace %s, which is read; name another file", b.What, b.Path, a.Path)
}

// drained is the error of two that read one pipe.
func drained(a, b File) error {
	switch {
	case a.Path == Stdout && b.Path == Stdout:
		return exit.Usagef("%s and %s are both standard input; write one to a file", a.What, b.What)
	case a.Path == Stdout:
		a, b = b, a
	}
	return exit.Usagef("%s %s and %s %s are one pipe, which can be read once; write it to a file", a.What, a.Path, b.What, b.Path)
}

// identity is what tells a file from others.
type identity struct {
	File
	info fs.FileInfo // nil where there is no file
	path string      // where links lead
	dir  fs.FileInfo // of the folder that this is in; nil where there is none

	direct bool // it is written in place, as /dev/stdout

	pipe fs.FileInfo // of a pipe that is read; nil of others
}

// isStdout reports whether a file is standard output by its name.
func (a identity) isStdout() bool { return a.Written && (a.Path == Stdout || a.direct) }

func identify(f File, stdin, stdout any) identity {
	one := identity{File: f}
	switch {
	case f.Path == Stdout && f.Written:
		one.info = behind(stdout)
	case f.Path == Stdout:
		one.info = behind(stdin)
		if file, ok := stdin.(*os.File); ok {
			one.pipe, _ = file.Stat()
		}
	case f.Pattern:
	default:
		one.info, _ = os.Stat(f.Path)
		one.pipe = one.info
		var err error
		if one.path, one.direct, err = atomicfile.Target(f.Path); err == nil && !one.direct {
			one.dir, _ = os.Stat(filepath.Dir(one.path))
		}
	}
	if one.pipe != nil && one.pipe.Mode()&fs.ModeNamedPipe == 0 {
		one.pipe = nil
	}
	// Of a terminal or of /dev/null nothing is lost.
	if one.info != nil && one.info.Mode()&fs.ModeDevice != 0 {
		one.info, one.dir = nil, nil
	}
	return one
}

// behind returns what a standard stream is, nil where nobody knows.
func behind(stream any) fs.FileInfo {
	if w, ok := stream.(*wait.Writer); ok {
		stream = w.Unwrap()
	}
	file, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

func (a identity) same(b identity) bool {
	switch {
	case a.Pattern:
		return b.matches(a.Path)
	case b.Pattern:
		return a.matches(b.Path)
	case a.info != nil && b.info != nil:
		return os.SameFile(a.info, b.info)
	case a.dir == nil || b.dir == nil || !os.SameFile(a.dir, b.dir):
		return false
	}
	name, other := filepath.Base(a.path), filepath.Base(b.path)
	return name == other || strings.EqualFold(name, other) && a.info == nil && b.info == nil && foldsCase(filepath.Dir(a.path))
}

// samePipe reports whether two that are read share what can be read once.
func (a identity) samePipe(b identity) bool {
	return a.Path == Stdout && b.Path == Stdout || a.pipe != nil && b.pipe != nil && os.SameFile(a.pipe, b.pipe)
}

// matches reports whether the file is one of a pattern's, or will be when it is there.
func (a identity) matches(pattern string) bool {
	if fits, err := filepath.Match(filepath.Base(pattern), filepath.Base(a.path)); a.dir == nil || !fits || err != nil {
		return false
	}
	dirs, _ := filepath.Glob(filepath.Dir(pattern)) // a bad pattern is told elsewhere
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, a.dir) {
			return true
		}
	}
	return false
}

// foldsCase reports whether names that differ in case alone are one in a folder.
func foldsCase(dir string) bool {
	probe, err := os.CreateTemp(dir, ".beziergp-case-")
	if err != nil {
		return false
	}
	defer os.Remove(probe.Name())
	defer probe.Close()
	own, err := probe.Stat()
	upper, upperErr := os.Stat(filepath.Join(dir, strings.ToUpper(filepath.Base(probe.Name()))))
	return errors.Join(err, upperErr) == nil && os.SameFile(own, upper)
}
