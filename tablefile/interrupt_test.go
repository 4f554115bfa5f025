//go:build !lean

package tablefile

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// soon fails the test unless do ends by itself, with the error of a done context.
func soon(t *testing.T, do func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { failed <- do(ctx) }()
	time.AfterFunc(20*time.Millisecond, cancel)
	select {
	case err := <-failed:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits on")
	}
}

// readAll opens a path and reads it.
func readAll(ctx context.Context, path string, stdin io.Reader) error {
	r, err := Open(path, Options{Stdin: stdin, Context: ctx})
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = r.ReadAll(context.Background()) // the options' is enough
	return err
}

func TestInterruptEndsAReadThatWaits(t *testing.T) {
	for _, written := range []string{"", "a,b\n", "a,b\n1,2\n"} {
		waiting, writer := io.Pipe()
		defer writer.Close()
		go io.WriteString(writer, written)
		soon(t, func(ctx context.Context) error { return readAll(ctx, "-", waiting) })
	}
	if err := readAll(t.Context(), "-", strings.NewReader("a,b\n1,2\n")); err != nil {
		t.Error(err)
	}
}

// A server that takes connections and never says a word.
func TestInterruptEndsWaitingForADatabase(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no network here: ", err)
	}
	defer mute.Close()
	go func() {
		for {
			c, err := mute.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	}()
	soon(t, func(ctx context.Context) error {
		_, err := OpenQuery("postgres://user@"+mute.Addr().String()+"/db?sslmode=disable", "SELECT 1 AS x", Options{Context: ctx})
		return err
	})
}
