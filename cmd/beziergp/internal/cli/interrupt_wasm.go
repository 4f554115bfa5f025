package cli

import "context"

// interruptible returns a context that nothing ends: there are no signals.
func interruptible(parent context.Context) (ctx context.Context, stop func()) {
	return context.WithCancel(parent)
}
