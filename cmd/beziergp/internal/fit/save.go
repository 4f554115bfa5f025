package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
)

// writable is what can be written: a model.
type writable interface{ Write(io.Writer) error }

// save writes the model and returns the bytes of its file. Where that fails, after
// hours perhaps, it puts the model elsewhere and says so.
func save(ctx context.Context, m writable, path string, s streams.Streams) (int64, error) {
	bytes, err := write(ctx, m, path, s)
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, syscall.EPIPE) {
		return bytes, err
	}
	if elsewhere := rescue(m); elsewhere != "" {
		return 0, fmt.Errorf("%w; the model is in %s", err, elsewhere)
	}
	return 0, err
}

func write(ctx context.Context, m writable, path string, s streams.Streams) (int64, error) {
	out, err := sink.Create(ctx, path, s.Out)
	if err != nil {
		return 0, err
	}
	defer out.Abort()
	if err := m.Write(out); err != nil {
		return 0, err
	}
	return out.Bytes(), out.Commit()
}

// rescue writes a model to a new file for temporary files and returns its name, or
// nothing where that cannot be.
func rescue(m writable) string {
	file, err := os.CreateTemp("", "model-*.bgp")
	if err != nil {
		return ""
	}
	if err := errors.Join(m.Write(file), file.Close()); err != nil {
		os.Remove(file.Name())
		return ""
	}
	return file.Name()
}
