package wait

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

func TestFor(t *testing.T) {
	if v, err := For(t.Context(), func() (int, error) { return 3, io.EOF }); v != 3 || err != io.EOF {
		t.Errorf("%d, %v", v, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	never := make(chan int)
	if _, err := For(ctx, func() (int, error) { return <-never, nil }); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(t.Context(), &b)
	if n, err := w.Write([]byte("whole")); n != 5 || err != nil || b.String() != "whole" || w.Err() != nil || w.Unwrap() != &b {
		t.Errorf("%d, %v, %q", n, err, &b)
	}
	// After an interrupt, a reader that reads gets what is left.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w = NewWriter(ctx, &b)
	if _, err := w.Write([]byte(" rest")); err != nil || b.String() != "whole rest" || w.GaveUp() {
		t.Errorf("%v, %q", err, &b)
	}
	reader, stuck := io.Pipe()
	defer reader.Close()
	w = NewWriter(ctx, stuck)
	w.grace = 10 * time.Millisecond
	if _, err := w.Write([]byte("x")); !errors.Is(err, context.Canceled) || !w.GaveUp() {
		t.Errorf("error %v", err)
	}
	if _, err := w.Write([]byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	reader, failing := io.Pipe()
	reader.CloseWithError(io.ErrShortWrite)
	w = NewWriter(t.Context(), failing)
	if _, err := w.Write([]byte("x")); err != io.ErrShortWrite || w.Err() != err || w.GaveUp() {
		t.Errorf("error %v", err)
	}
}
