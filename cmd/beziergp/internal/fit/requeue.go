package fit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"beziergp/cmd/beziergp/internal/exit"
)

// Requeue is a signal by which a fit is told to keep its checkpoint and to be started again; none
// where it has no name.
type Requeue struct {
	Name   string
	signal os.Signal
}

func (r Requeue) String() string { return r.Name }

func parseRequeue(text string) (Requeue, error) {
	name := strings.TrimPrefix(strings.ToUpper(text), "SIG")
	i := slices.IndexFunc(requeueSignals, func(r Requeue) bool { return r.Name == name })
	if i >= 0 {
		return requeueSignals[i], nil
	}
	if len(requeueSignals) == 0 {
		return Requeue{}, errors.New("this system has no such signals")
	}
	return Requeue{}, errors.New("want USR1 or USR2")
}

// errRequeue is the cause of the end of a fit that is told to be started again.
var errRequeue = errors.New("told to be started again")

// requeued runs a fit that a signal tells to be started again, on this rank or on another: it ends
// with [exit.Requeue] then.
func (o *Options) requeued(ctx context.Context, run func(ctx context.Context) error) error {
	if o.Requeue.Name == "" {
		return run(ctx)
	}
	own, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	received := make(chan os.Signal, 1)
	signal.Notify(received, o.Requeue.signal)
	defer signal.Stop(received)
	go func() {
		select {
		case <-received:
			cancel(errRequeue)
		case <-own.Done():
		}
	}()
	err := run(own)
	if exit.Classify(err) != exit.Interrupted || ctx.Err() != nil {
		return err
	}
	return &exit.Error{Code: exit.Requeue, Err: fmt.Errorf("told by SIG%s to be started again: %w", o.Requeue.Name, err)}
}
