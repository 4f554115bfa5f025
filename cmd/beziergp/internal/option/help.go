package option

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Section is flags that help shows together.
type Section struct {
	Title string
	Flags *pflag.FlagSet
	// Topic is the help topic that shows the flags in the place of the verb's help, and
	// About what that one says of it; empty where the verb's help shows them.
	Topic, About string
}

// NewSection returns a section without flags.
func NewSection(title string) Section {
	flags := pflag.NewFlagSet(title, pflag.ContinueOnError)
	flags.SortFlags = false // as they are declared, the important ones first
	return Section{Title: title, Flags: flags}
}

// Names returns the flags of the section as they are declared.
func (s Section) Names() (names []string) {
	s.Flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// Without returns the section without some of its flags.
func (s Section) Without(names ...string) Section {
	rest := NewSection(s.Title)
	rest.Topic, rest.About = s.Topic, s.About
	if s.Flags != nil {
		s.Flags.VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(names, f.Name) {
				rest.Flags.AddFlag(f)
			}
		})
	}
	return rest
}

// Usage returns the lines that tell of the flags.
func (s Section) Usage() string { return s.Flags.FlagUsagesWrapped(helpWidth) }

// helpWidth is that of a terminal nobody has widened.
const helpWidth = 100

// Attach gives the flags to the command, and the command a help that shows them by
// section and tells in which topics the rest is. A flag that several sections have is
// set in all of them.
func Attach(cmd *cobra.Command, sections ...Section) {
	share(cmd.Flags(), sections)
	cmd.SetUsageFunc(func(c *cobra.Command) error {
		var b strings.Builder
		fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
		if c.Example != "" {
			fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.Trim(c.Example, "\n"))
		}
		for _, s := range sections {
			if s.Topic == "" {
				fmt.Fprintf(&b, "\n%s:\n%s", s.Title, s.Usage())
			}
		}
		if c.HasAvailableInheritedFlags() {
			fmt.Fprintf(&b, "\nEverywhere:\n%s", c.InheritedFlags().FlagUsagesWrapped(helpWidth))
		}
		b.WriteString(elsewhere(c.Root().Name(), sections))
		_, err := fmt.Fprint(c.OutOrStdout(), b.String())
		return err
	})
}

// share adds the flags of sections to those of a command.
func share(flags *pflag.FlagSet, sections []Section) {
	var names []string
	all := map[string][]Section{}
	for _, s := range sections {
		for _, name := range s.Names() {
			if all[name] == nil {
				names = append(names, name)
			}
			all[name] = append(all[name], s)
		}
	}
	for _, name := range names {
		first := all[name][0].Flags.Lookup(name)
		if len(all[name]) == 1 {
			flags.AddFlag(first)
			continue
		}
		var value shared
		var usages []string
		for _, s := range all[name] {
			f := s.Flags.Lookup(name)
			value = append(value, f.Value)
			if usage := s.Title + ": " + f.Usage; !slices.Contains(usages, usage) {
				usages = append(usages, usage)
			}
		}
		flags.AddFlag(&pflag.Flag{Name: name, Usage: strings.Join(usages, "; "), Value: value})
	}
}

// shared is a value of several flags of one name, whose defaults differ.
type shared []pflag.Value

func (v shared) Set(text string) error {
	for _, one := range v {
		if err := one.Set(text); err != nil {
			return err
		}
	}
	return nil
}

// String returns the text that all were set by, or that of the first one's default.
func (v shared) String() string { return v[0].String() }

func (v shared) Type() string { return v[0].Type() }

// elsewhere tells which topics have further flags, and which.
func elsewhere(program string, sections []Section) string {
	var b strings.Builder
	var topics []string
	for _, s := range sections {
		if s.Topic == "" || slices.Contains(topics, s.Topic) {
			continue
		}
		var names []string
		for _, other := range sections {
			for _, name := range other.Names() {
				if other.Topic == s.Topic && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if topics = append(topics, s.Topic); len(names) == 0 {
			continue
		}
		command := fmt.Sprintf("%s help %s", program, s.Topic)
		fmt.Fprintf(&b, "  %-24s %s:\n", command, s.About)
		b.WriteString(wrap(names, "    ", helpWidth))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nMore flags:\n" + b.String()
}

// wrap returns the flags of these names in lines of at most so many columns.
func wrap(names []string, indent string, width int) string {
	var b strings.Builder
	line := indent
	for _, name := range names {
		if word := "--" + name; len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = indent + word
		} else {
			line += strings.Repeat(" ", min(1, len(line)-len(indent))) + word
		}
	}
	return b.String() + line + "\n"
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
		if i := slices.Index(args, ""); i >= 0 { // as of a variable that is not set
			return fmt.Errorf("%s is empty", names[i])
		}
		return nil
	}
}
