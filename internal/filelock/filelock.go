// Package filelock tells files that a living process works on from those that a
// killed one has left: the system lets go of a process's locks however it ends.
package filelock

import "os"

// Hold marks a file that was just created as worked on, until it is closed. It
// reports false where a sweep was faster: the file is gone then, and another is to be
// created. Where the system has no locks, Hold does nothing, and nothing is swept.
func Hold(file *os.File) bool { return hold(file) }

// RemoveAbandoned removes a file that no living process holds, and reports whether
// it did. A file that may be in use stays.
func RemoveAbandoned(path string) bool { return removeAbandoned(path) }

// names reports whether path is the name of an open file still.
func names(path string, file *os.File) bool {
	open, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && named.Mode().IsRegular() && os.SameFile(open, named)
}
