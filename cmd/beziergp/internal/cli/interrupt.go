//go:build !wasm

package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"beziergp/cmd/beziergp/internal/streams"
)

// interruptible returns a context that the first signal ends: ctrl-C, what a service
// manager sends, or the loss of the terminal, unless a verb has taken it. A second ctrl-C or SIGTERM ends the
// program at once; a second SIGHUP does not, for one that loses its terminal gets it
// from the shell and from the kernel. SIGHUP or ctrl-C that was ignored when the program
// began, as nohup and shells in the background have it, stays ignored.
func interruptible(parent context.Context, hangup *streams.Hangup) (ctx context.Context, stop func()) {
	// Without this, a reader of the output that has enough, as head does, would kill
	// the program before it takes its unfinished files away.
	signal.Ignore(syscall.SIGPIPE)
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	ctx, cancel := context.WithCancel(parent)
	if len(signals) == 0 { // Notify would take all that there are
		return ctx, cancel
	}
	received := make(chan os.Signal, 1)
	signal.Notify(received, signals...)
	go func() {
		for {
			select {
			case got := <-received:
				if got == syscall.SIGHUP && hangup.Taken() {
					continue
				}
				for _, s := range signals {
					if s != syscall.SIGHUP {
						signal.Reset(s)
					}
				}
				cancel()
			case <-ctx.Done():
			}
			return
		}
	}()
	return ctx, func() {
		signal.Stop(received)
		cancel()
	}
}
