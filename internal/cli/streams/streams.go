// Package streams is what a verb has of the world around it.
package streams

import (
	"io"

	"beziergp/internal/cli/console"
)

// Streams are a command's ways in and out. Data go to Out; all else is said by the
// console.
type Streams struct {
	In      io.Reader
	Out     io.Writer
	Console *console.Console
	Args    []string // the command line, without the program
}
