package tablefile

import (
	"context"
	"io"
	"os"
)

// openWaiting opens what may have its reader wait: a pipe, a terminal, standard
// input. Opening waits for whoever writes, reading for what is written.
func openWaiting(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
	if ctx == nil {
		ctx = context.Background()
	}
	return &waiting{ctx: ctx, open: open}
}

// waiting reads in a goroutine, so that a done ctx ends a read that waits: nobody
// should have to end a pipe's other side to interrupt this one. The read that waits
// stays behind until the program ends.
type waiting struct {
	ctx    context.Context
	open   func() (io.ReadCloser, error)
	pipe   *io.PipeReader // nil before the first read
	forget func() bool    // the context
}

func (w *waiting) Read(p []byte) (int, error) {
	if w.pipe == nil {
		reader, writer := io.Pipe()
		w.pipe = reader
		w.forget = context.AfterFunc(w.ctx, func() { writer.CloseWithError(w.ctx.Err()) })
		go func() {
			file, err := w.open()
			if err == nil {
				_, err = io.Copy(writer, file)
				file.Close()
			}
			writer.CloseWithError(err)
		}()
	}
	return w.pipe.Read(p)
}

// Close ends reading.
func (w *waiting) Close() error {
	if w.pipe == nil {
		return nil
	}
	w.forget()
	return w.pipe.Close()
}

// openFile opens a file that is not regular.
func openFile(path string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return os.Open(path) }
}
