// Package streams is what a verb has of the world around it.
package streams

import (
	"fmt"
	"io"
	"log/slog"
	"sync"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/internal/comm"
	"beziergp/internal/printable"
	"beziergp/internal/scratch"
)

// Streams are a command's ways in and out. Data go to Out; all else is said by the
// console.
type Streams struct {
	In      io.Reader
	Out     io.Writer
	Console *console.Console
	Args    []string // the command line, without the program
	Hangup  *Hangup  // nil where nobody listens to signals
	// Ranks is this process among those that do the work of the command; nil for the only one.
	Ranks comm.Comm
}

// IsFirst tells whether this process is the one that speaks and writes files.
func (s Streams) IsFirst() bool { return comm.OrAlone(s.Ranks).Rank() == 0 }

// Hangup is what becomes of SIGHUP: the program ends by it, unless a verb takes it.
type Hangup struct {
	mu sync.Mutex
	do func()
}

// Take has do done at every SIGHUP from now on; nil ends that.
func (h *Hangup) Take(do func()) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.do = do
}

// Taken does what a verb wants done, and tells whether there is such.
func (h *Hangup) Taken() bool {
	h.mu.Lock()
	do := h.do
	h.mu.Unlock()
	if do != nil {
		do()
	}
	return do != nil
}

// Sweep removes what killed runs have left in the folder for temporary files, and
// says so.
func (s Streams) Sweep() {
	for _, left := range scratch.Sweep() {
		s.Console.Note(fmt.Sprintf("removed %s, which a killed run has left: %s", left.Path, printable.Size(left.Bytes)),
			slog.String("event", "swept"), slog.String("folder", left.Path), slog.Int64("bytes", left.Bytes))
	}
}
