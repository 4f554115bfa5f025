package source

import (
	"context"
	"io"
)

// interruptible returns a reader of r that fails when ctx is done, even while a
// read of r waits: nobody should have to end a pipe's other side to interrupt this
// one. The read that waits stays behind until the program ends.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	if r == nil {
		return nil
	}
	return &lazyPipe{ctx: ctx, r: r}
}

// lazyPipe begins to read when it is read, as a table from a file never does.
type lazyPipe struct {
	ctx  context.Context
	r    io.Reader
	pipe *io.PipeReader
}

func (l *lazyPipe) Read(p []byte) (int, error) {
	if l.pipe == nil {
		reader, writer := io.Pipe()
		l.pipe = reader
		context.AfterFunc(l.ctx, func() { writer.CloseWithError(l.ctx.Err()) })
		go func() {
			_, err := io.Copy(writer, l.r)
			writer.CloseWithError(err)
		}()
	}
	return l.pipe.Read(p)
}
