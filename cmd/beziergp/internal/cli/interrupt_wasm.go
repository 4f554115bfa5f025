package cli

import (
	"context"

	"beziergp/cmd/beziergp/internal/streams"
)

// interruptible returns a context that nothing ends: there are no signals.
func interruptible(parent context.Context, _ *streams.Hangup) (ctx context.Context, stop func()) {
	return context.WithCancel(parent)
}
