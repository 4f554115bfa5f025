//go:build unix

package atomicfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"beziergp/internal/atomicfile"
)

func TestNamedPipeIsWrittenInPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	read := make(chan []byte)
	go func() {
		content, _ := os.ReadFile(path)
		read <- content
	}()
	if err := atomicfile.WriteFile(path, say("through the pipe")); err != nil {
		t.Fatal(err)
	}
	if got := <-read; !bytes.Equal(got, []byte("through the pipe")) {
		t.Errorf("the reader gets %q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		t.Errorf("the pipe is a pipe no more: %v, %v", info, err)
	}
}

// A device aborted is a device still.
func TestDevice(t *testing.T) {
	f, err := atomicfile.Create(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if err := atomicfile.WriteFile(os.DevNull, say("nothing")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s: %v, %v", os.DevNull, info, err)
	}
}

// A file behind a descriptor, as behind /dev/stdout after >>, is added to.
func TestOpenFileOfAProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	put(t, path, "before ")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	descriptor := filepath.Join("/dev/fd", strconv.Itoa(int(file.Fd())))
	if _, err := os.Stat(descriptor); err != nil {
		t.Skip("no descriptors in the file system: ", err)
	}
	if err := atomicfile.WriteFile(descriptor, say("after")); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "before after", "log")
}
