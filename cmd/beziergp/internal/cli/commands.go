package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
)

// Commands returns the commands for those who document them: what they read is
// empty, and what they write is lost.
func Commands() *cobra.Command {
	return newRoot(&streams.Streams{In: strings.NewReader(""), Out: io.Discard, Console: console.New(io.Discard)})
}
