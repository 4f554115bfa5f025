//go:build lean || wasm

package cli

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
)

// leftOut is a verb of the whole program that this build does not have.
func leftOut(name string) *cobra.Command {
	return &cobra.Command{
		Use: name, Hidden: true, DisableFlagParsing: true,
		RunE: exit.Run(func(*cobra.Command, []string) error {
			return exit.Usagef("this program is a lean build, without the verb %s; take the whole program (go install ./cmd/beziergp)", name)
		}),
	}
}
