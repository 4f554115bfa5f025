// Package config keeps the flags and the arguments of a command in a TOML file, so that a
// run is one file. A flag on the command line takes the place of what the file says of it.
package config

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"beziergp/cmd/beziergp/internal/option"
)

// File is the file of a command.
type File struct {
	Path  string // empty for none
	Print bool   // print the settings and do nothing else
}

const (
	flagFile  = "config"
	flagPrint = "print-config"
)

// AddTo declares the flags.
func (f *File) AddTo(s option.Section) {
	s.Flags.StringVar(&f.Path, flagFile, "", "take flags and DATA from the TOML `FILE`; those given here come before")
	s.Flags.BoolVar(&f.Print, flagPrint, false, "print flags and DATA as --config takes them, and do nothing else")
}

// Attach lets a command take its flags and the arguments of these names from the file, and
// print them by section. The command checks its arguments and runs as if they were typed.
func (f *File) Attach(cmd *cobra.Command, sections []option.Section, arguments ...string) {
	check, run := cmd.Args, cmd.RunE
	var given []string
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		given = args
		if f.Path != "" {
			var err error
			if given, err = f.apply(cmd.Flags(), args, arguments); err != nil {
				return err
			}
		}
		if f.Print && len(given) == 0 { // a file to be filled in
			return nil
		}
		return check(cmd, given)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if f.Print {
			return write(cmd, sections, arguments, given)
		}
		return run(cmd, given)
	}
}

// settable tells whether a file can have the flag.
func settable(f *pflag.Flag) bool {
	return f.Name != flagFile && f.Name != flagPrint && f.Name != "help"
}
