//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelock

import (
	"os"
	"runtime"
	"time"
)

func hold(*os.File) bool { return true }

// removeAbandoned relies on Windows, which removes no file that a process has open.
// Between closing a file and renaming it, a process has it not: young files stay.
func removeAbandoned(path string) bool {
	const young = time.Hour
	info, err := os.Lstat(path)
	if runtime.GOOS != "windows" || err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < young {
		return false
	}
	return os.Remove(path) == nil
}
