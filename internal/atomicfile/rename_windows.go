package atomicfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// errInUse stands for what Windows calls "Access is denied".
var errInUse = errors.New("another program has the file open")

const errorSharingViolation = syscall.Errno(32) // ERROR_SHARING_VIOLATION

// rename gives a file a name that another may have. Windows replaces no file that a
// process has open: a search index or a virus scanner, which are done in a moment, or a
// program that will have it for hours, as a fit has a cache.
func rename(from, to string) error {
	for pause := 20 * time.Millisecond; ; pause *= 2 {
		err := os.Rename(from, to)
		if !inUse(err, to) {
			return err
		}
		if pause > time.Second {
			return errInUse
		}
		time.Sleep(pause)
	}
}

// inUse tells whether a rename failed because the file of the new name is open. That it
// may be written to was found when its successor was created.
func inUse(err error, to string) bool {
	if !errors.Is(err, errorSharingViolation) && !errors.Is(err, syscall.ERROR_ACCESS_DENIED) {
		return false
	}
	info, err := os.Stat(to)
	return err == nil && info.Mode().IsRegular()
}
