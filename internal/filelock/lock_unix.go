//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"os"
	"syscall"
)

// lock takes the lock of the open file, which no other process has then.
func lock(file *os.File) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) })
	if err != nil {
		return err
	}
	return failed
}

func hold(file *os.File) bool {
	// Of errors only this one is another's lock; a file system without locks has
	// none for a sweep either.
	if lock(file) == syscall.EWOULDBLOCK {
		return false
	}
	return names(file.Name(), file)
}

func removeAbandoned(path string) bool {
	// What lies in a shared folder may be a link to anything, or a pipe.
	file, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	return lock(file) == nil && names(path, file) && os.Remove(path) == nil
}
