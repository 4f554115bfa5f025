// Package wait ends waiting for other programs when the user interrupts: for the
// writer of a pipe, or for its reader.
package wait

import (
	"bytes"
	"context"
	"io"
	"time"
)

// For returns what do does, or ctx's error when it is done first. What do does then
// stays behind until the program ends, and must share nothing with what comes next.
func For[T any](ctx context.Context, do func() (T, error)) (T, error) {
	return forGrace(ctx, 0, do)
}

// forGrace is For with some time for do after ctx is done.
func forGrace[T any](ctx context.Context, grace time.Duration, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(grace):
		var none T
		return none, ctx.Err()
	}
}

// patience is how long a write may take that someone interrupts: what is under way
// should reach a reader that is slow, but not one that never reads.
const patience = 2 * time.Second

// Writer is a writer whose reader may never read. A write that waits is given up
// after an interrupt, and so are all that follow. The error that a write failed with
// is kept. It is used by one goroutine at a time.
type Writer struct {
	ctx    context.Context
	w      io.Writer
	grace  time.Duration
	gaveUp bool // a write was given up
	err    error
}

// NewWriter returns a writer to w that ctx interrupts.
func NewWriter(ctx context.Context, w io.Writer) *Writer {
	return &Writer{ctx: ctx, w: w, grace: patience}
}

// Write writes p.
func (w *Writer) Write(p []byte) (int, error) {
	own := bytes.Clone(p) // the caller's is its own again when a write is given up
	return w.do(func() (int, error) { return w.w.Write(own) })
}

// Finish does what writes the rest.
func (w *Writer) Finish(do func() error) error {
	_, err := w.do(func() (int, error) { return 0, do() })
	return err
}

func (w *Writer) do(do func() (int, error)) (int, error) {
	if w.gaveUp {
		return 0, w.err
	}
	n, err := forGrace(w.ctx, w.grace, do)
	if err != nil {
		w.gaveUp, w.err = w.ctx.Err() != nil && err == w.ctx.Err(), err
	}
	return n, err
}

// GaveUp reports whether a write was given up, which may go on still.
func (w *Writer) GaveUp() bool { return w.gaveUp }

// Err returns the error of the last write that failed.
func (w *Writer) Err() error { return w.err }

// Unwrap returns the writer behind.
func (w *Writer) Unwrap() io.Writer { return w.w }
