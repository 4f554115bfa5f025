package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// syncDir waits until the disk has the names in a directory, where the system can:
// Windows opens no directory for it, some file systems refuse, and a directory may
// be writable yet not readable.
func syncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
