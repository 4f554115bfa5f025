package apply

import (
	"context"

	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/wait"
	"beziergp/serve"
)

// Load reads a model of any kind from a file, and notes that a file of an older version
// has no digest. Errors about its content are [model.FileError]s. A done ctx ends waiting
// for a pipe.
func Load(ctx context.Context, s streams.Streams, path string) (serve.Model, error) {
	m, err := wait.For(ctx, func() (serve.Model, error) { return serve.Load(path) })
	if err == nil && !m.Origin().Sealed {
		s.Console.NoteUnsealed(path)
	}
	return m, err
}
