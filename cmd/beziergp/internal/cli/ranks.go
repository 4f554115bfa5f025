package cli

import (
	"context"
	"errors"
	"io"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/comm"
)

// alone are the verbs that a launcher of parallel programs may start many times: they do the
// same without harm, or a program of the user's, which is parallel itself, has asked for them.
var alone = map[string]bool{"worker": true, "version": true, "help": true, "completion": true, "beziergp": true}

// join makes this process one of the ranks that a launcher has started, of which the first
// alone speaks. Verbs that have no work for several refuse them.
func join(s *streams.Streams, verb string) error {
	l := comm.Launched()
	if l.Ranks == 1 || alone[verb] {
		return nil
	}
	if l.Rank > 0 {
		*s.Console = *console.New(io.Discard)
	}
	if comm.Built && verb != "fit" {
		return exit.Usagef("%s has started %d ranks, and of the verbs fit alone shares its work: start beziergp %s once, or %s", l.By, l.Ranks, verb, l.Apart())
	}
	ranks, err := comm.World()
	if err != nil {
		return exit.Usagef("%w", err)
	}
	if s.Ranks = ranks; ranks.Rank() > 0 {
		*s.Console = *console.New(io.Discard)
	}
	return nil
}

// part ends the process together with the other ranks, and returns the code of all.
func part(s *streams.Streams, err error, code int, stderr io.Writer) int {
	if s.Ranks == nil {
		return code
	}
	words := ""
	if err != nil && code != exit.Interrupted && code != exit.Requeue && !errors.Is(err, context.Canceled) {
		words = oneLine(err.Error())
	}
	return comm.End(s.Ranks, code, words, func(words string) {
		c := console.New(stderr)
		c.Format = s.Console.Format
		c.Error(words)
	})
}
