package beziergp

import (
	"io"

	"beziergp/serve"
)

// Fitted is a fitted model of any kind: a [*Model] or a [*Rival].
type Fitted = serve.Model

// Load reads a model of any kind from a file; [LoadBundle] those of several targets.
func Load(path string) (Fitted, error) { return serve.Load(path) }

// Read reads a model of any kind from a stream.
func Read(r io.Reader) (Fitted, error) { return serve.Read(r) }
