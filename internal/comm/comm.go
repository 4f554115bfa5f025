// Package comm lets the processes of one run, its ranks, speak with each other: in one
// process ([Alone], [Group]), or by MPI where the program is built with the tag mpi
// ([World]). [HandOut] shares jobs out to ranks, [Agree] holds their set-ups against each
// other, [Proceed] has all take a step or none, [Apart] tells which rank has which rows, and
// [End] ends them together.
//
// All ranks call the collective functions (Broadcast, Gather, AllGather, AllToAll and
// Barrier) in the same order and one at a time, as MPI has it. Send and Receive may be called
// by several goroutines. No function changes or keeps what it is given, and what it returns
// is the caller's. A function whose context is done returns an error that wraps the context's;
// after it a rank can do nothing but [End].
package comm

import (
	"context"
	"fmt"
)

// Comm is a rank's way to the others.
type Comm interface {
	// Rank is the number of this one, from 0 to Size − 1.
	Rank() int
	Size() int
	// Send sends a message to a rank other than this one. Messages of one goroutine to one
	// rank with one tag, from 0 to [MostTag], arrive in their order.
	Send(ctx context.Context, to, tag int, message []byte) error
	// Receive waits for a message with a tag from a rank, or from [Any].
	Receive(ctx context.Context, from, tag int) (sender int, message []byte, err error)
	// Broadcast returns on every rank the message of the root.
	Broadcast(ctx context.Context, root int, message []byte) ([]byte, error)
	// Gather returns on the root the messages of all ranks, and on the others nothing.
	Gather(ctx context.Context, root int, message []byte) ([][]byte, error)
	// AllGather returns on every rank the messages of all.
	AllGather(ctx context.Context, message []byte) ([][]byte, error)
	// AllToAll sends one message to every rank, this one included, and returns those for
	// this one by their senders. It panics unless there are Size messages.
	AllToAll(ctx context.Context, messages [][]byte) ([][]byte, error)
	// Barrier returns when all ranks have called it.
	Barrier(ctx context.Context) error
	// Abort ends all ranks at once, processes included, with a code from 1 to 255.
	Abort(code int)
	// Close leaves the others. It fails, and does nothing, after an operation that was cut off.
	Close() error
}

// Any stands for any sender.
const Any = -1

// MostTag is the largest tag that a message may have: what every MPI grants.
const MostTag = 1<<15 - 1

// Tags that this package has for itself; those of others are below.
const (
	tagAsk   = MostTag - iota // jobs
	tagStop                   // jobs
	tagWords                  // last words
	tagEnd
	// Replies to the workers of a rank have the tags from tagJob down to MostOwnTag + 1.
	tagJob
	// MostOwnTag is the largest tag for others than this package.
	MostOwnTag = tagJob - mostWorkers
)

const mostWorkers = 1024

const errParts = "comm: a message for every rank is needed"

// Alone returns the only rank of a run.
func Alone() Comm { return Group(1)[0] }

// OrAlone returns the rank, or the only one for nil.
func OrAlone(c Comm) Comm {
	if c == nil {
		return Alone()
	}
	return c
}

// AbortError says that a rank has ended all.
type AbortError struct{ Code int }

func (e *AbortError) Error() string {
	return fmt.Sprintf("a rank has ended all with the code %d", e.Code)
}
