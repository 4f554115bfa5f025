package config

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
)

// write prints the settings of a command: those that were given as they are, the others as
// comments with their defaults.
func write(cmd *cobra.Command, sections []option.Section, arguments, given []string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Settings of %s: those in comments have their defaults. Paths are relative to the\n# folder that the program is run in.\n\n", cmd.CommandPath())
	for i, name := range arguments {
		if i < len(given) {
			if err := setting(&b, name, given[i]); err != nil {
				return err
			}
			b.WriteByte('\n')
		} else {
			fmt.Fprintf(&b, "# %s =\n", name)
		}
	}
	told := map[string]bool{}
	part := func(title string, flags *pflag.FlagSet) (err error) {
		first := true
		flags.VisitAll(func(f *pflag.Flag) {
			f = cmd.Flags().Lookup(f.Name) // that of several sections stands for all
			if told[f.Name] || !settable(f) || err != nil {
				return
			}
			if first {
				fmt.Fprintf(&b, "\n# %s\n", title)
				first = false
			}
			told[f.Name], err = true, one(&b, f)
		})
		return err
	}
	for _, s := range sections {
		if err := part(s.Title, s.Flags); err != nil {
			return err
		}
	}
	if err := part("Everywhere", cmd.InheritedFlags()); err != nil {
		return err
	}
	_, err := cmd.OutOrStdout().Write(b.Bytes())
	return err
}

// one writes a flag, and behind it what help says of it.
func one(b *bytes.Buffer, f *pflag.Flag) error {
	_, usage := pflag.UnquoteUsage(f)
	k := kindOf(f)
	if f.Changed {
		if err := setting(b, f.Name, k.value(f)); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(b, "# %s =", f.Name)
		if f.DefValue != "" && f.DefValue != "[]" {
			b.WriteByte(' ')
			if err := value(b, k.parsed(f.DefValue)); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(b, "  # %s\n", strings.ReplaceAll(usage, "\n", " "))
	return nil
}

// setting writes a key with its value.
func setting(b *bytes.Buffer, name string, v any) error {
	fmt.Fprintf(b, "%s = ", name)
	if err := value(b, v); err != nil {
		return fmt.Errorf("--%s: %w", name, err)
	}
	return nil
}

// value writes a value of TOML.
func value(b *bytes.Buffer, v any) error {
	if s, ok := v.(string); ok && !utf8.ValidString(s) {
		return exit.Usagef("%q is not UTF-8, which TOML has to be", s)
	}
	var line bytes.Buffer
	if err := toml.NewEncoder(&line).SetTablesInline(true).Encode(map[string]any{"v": v}); err != nil {
		return err
	}
	b.WriteString(strings.TrimSpace(strings.TrimPrefix(line.String(), "v = ")))
	return nil
}
