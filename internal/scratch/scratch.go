// Package scratch gives a process a folder for files that nobody needs after it,
// and takes away those of processes that could not do so themselves.
package scratch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"beziergp/internal/filelock"
)

// A folder is called prefix, the process's number and a random number, and holds a
// file lockName that its process has locked.
const (
	prefix   = "beziergp-"
	lockName = "beziergp.lock"
)

// Dir is a folder of this process. It must end in [Dir.Remove].
type Dir struct {
	Path string
	lock *os.File
}

// Create makes a folder in [os.TempDir].
func Create() (*Dir, error) {
	for {
		path, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", prefix, os.Getpid()))
		if err != nil {
			return nil, err
		}
		lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			os.RemoveAll(path)
			return nil, err
		}
		if filelock.Hold(lock) {
			return &Dir{path, lock}, nil
		}
		lock.Close() // a sweep came before the lock, and takes the folder away
	}
}

// Remove removes the folder with all that is in it.
func (d *Dir) Remove() error {
	d.lock.Close() // Windows removes no open file
	return os.RemoveAll(d.Path)
}

// Left is a folder that was swept.
type Left struct {
	Path  string
	Bytes int64
}

// Sweep removes the folders in [os.TempDir] whose processes live no more, as after a
// kill or a power cut. Folders of living processes, and those of other programs and
// other users, stay.
func Sweep() (swept []Left) {
	temporary, err := os.Open(os.TempDir())
	if err != nil {
		return nil
	}
	defer temporary.Close()
	names, _ := temporary.Readdirnames(-1) // what can be listed
	for _, name := range names {
		path := filepath.Join(os.TempDir(), name)
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		bytes := size(path)
		if filelock.RemoveAbandoned(filepath.Join(path, lockName)) && os.RemoveAll(path) == nil {
			swept = append(swept, Left{path, bytes})
		}
	}
	return swept
}

// size returns the bytes of the files in a folder.
func size(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
