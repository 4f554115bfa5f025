package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Target returns the file that writing to path replaces, which need not be there: what
// its symbolic links lead to. direct says that nothing is replaced: path is written
// in place.
func Target(path string) (target string, direct bool, err error) {
	target, direct, err = resolve(path)
	return target, direct, named(path, err)
}

// resolve follows the symbolic links of path to the file to be replaced, which
// need not exist. direct says that it must be written in place: it is a device or
// a pipe, or stands for a file that some process has open.
func resolve(path string) (target string, direct bool, err error) {
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return "", false, &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
		}
		if !info.Mode().IsRegular() {
			return "", true, nil
		}
	}
	target = path
	for range 40 { // Linux's limit of links in a path
		if isDescriptor(target) {
			return "", true, nil
		}
		link, err := os.Readlink(target)
		if err != nil {
			return target, false, nil // not a link
		}
		if filepath.IsAbs(link) {
			target = link
		} else {
			// Not Join: it would take a/.. away, and a may be a link too.
			target = filepath.Dir(target) + string(filepath.Separator) + link
		}
	}
	return "", false, &fs.PathError{Op: "write", Path: path, Err: syscall.ELOOP}
}

// isDescriptor reports whether path names an open file of a process, as what
// /dev/stdout points to: a file put there by a rename would not be the open one.
func isDescriptor(path string) bool {
	dir := filepath.ToSlash(filepath.Dir(path))
	return dir == "/dev/fd" || strings.HasPrefix(dir, "/proc/") && strings.HasSuffix(dir, "/fd")
}
