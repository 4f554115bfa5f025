//go:build !lean && !wasm

// Package worker is the hidden verb by which a program in another language fits and predicts:
// it asks by frames on standard input, and is answered by frames on standard output.
//
// # Frames
//
// A frame is the length of a header, four bytes, the length of a body, eight bytes, both
// unsigned and little-endian, the header, which is a JSON object, and the body: Arrow IPC
// streams, or a model file.
//
// The worker begins by a frame whose header has the event "hello", the number of the
// protocol and the program's version. A request has an id, a verb and what the verb takes; a
// key that it does not take is an error. The answer has the same id and the event "done" with
// a result, or "error" with a kind and a message. Frames of the event "progress" may come
// before it, and of "oof" one a target. There is one request at a time. A request of the verb cancel, which has no
// answer, ends the one under way: a fit is done with the best model so far, anything else
// with an error of the kind "interrupted". The end of standard input ends the worker.
//
// # Models
//
// The asker names models. A fit and a load put one under a name, and "drop", a list of
// names in any request, forgets some. The body of an answer to a fit is the model file. Of
// several targets it is put under no name: a load of it answers with a file of each.
//
// Tables come as streams, whose columns become what they would become in a file. Where a
// request has two tables, "parts" has their lengths.
package worker

import (
	"io"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
)

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	return &cobra.Command{
		Use: "worker", Hidden: true, Short: "Answer requests of a program in another language",
		Args: option.Arguments(),
		RunE: exit.Run(func(cmd *cobra.Command, _ []string) error {
			if console.IsTerminal(s.Out) {
				return exit.Usagef("worker answers a program, and standard output is a terminal: see docs/guide/python.md, or beziergp --help for what answers a person")
			}
			out := s.Out
			if w, ok := out.(interface{ Unwrap() io.Writer }); ok {
				out = w.Unwrap() // which copies what it writes, and is patient with who reads; here that is who asked
			}
			return Run(cmd.Context(), s.In, out)
		}),
	}
}
