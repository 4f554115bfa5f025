package option

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Section is flags that help shows together.
type Section struct {
	Title string
	Flags *pflag.FlagSet
}

// NewSection returns a section without flags.
func NewSection(title string) Section {
	flags := pflag.NewFlagSet(title, pflag.ContinueOnError)
	flags.SortFlags = false // as they are declared, the important ones first
	return Section{title, flags}
}

// helpWidth is that of a terminal nobody has widened.
const helpWidth = 100

// Attach gives the flags to the command, and the command a help that shows them by
// section.
func Attach(cmd *cobra.Command, sections ...Section) {
	for _, s := range sections {
		cmd.Flags().AddFlagSet(s.Flags)
	}
	cmd.SetUsageFunc(func(c *cobra.Command) error {
		var b strings.Builder
		fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
		if c.Example != "" {
			fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.Trim(c.Example, "\n"))
		}
		for _, s := range sections {
			fmt.Fprintf(&b, "\n%s:\n%s", s.Title, s.Flags.FlagUsagesWrapped(helpWidth))
		}
		if c.HasAvailableInheritedFlags() {
			fmt.Fprintf(&b, "\nEverywhere:\n%s", c.InheritedFlags().FlagUsagesWrapped(helpWidth))
		}
		_, err := fmt.Fprint(c.OutOrStdout(), b.String())
		return err
	})
}

// Arguments wants one argument a name.
func Arguments(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("missing argument %s", strings.Join(names[len(args):], " and "))
		case len(args) > len(names):
			return fmt.Errorf("unexpected argument %q", args[len(names)])
		}
		return nil
	}
}
