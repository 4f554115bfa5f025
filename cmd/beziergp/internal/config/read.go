package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/internal/printable"
	"beziergp/table"
)

// mostBytes is far more than any settings take.
const mostBytes = 1 << 20

// apply gives the flags that the command line leaves out what the file says, and returns
// the arguments: those of the command line, or else of the file.
func (f *File) apply(flags *pflag.FlagSet, args, arguments []string) ([]string, error) {
	values, lines, err := read(f.Path)
	if err != nil {
		return nil, err
	}
	faulty := func(key, format string, details ...any) error {
		return exit.Usagef("%s:%d: %s", printable.Line(f.Path), lines[key], fmt.Sprintf(format, details...))
	}
	given := make([]string, len(arguments))
	// In the order of the lines, so that the first mistake is told first.
	for _, key := range slices.SortedFunc(maps.Keys(values), func(a, b string) int { return lines[a] - lines[b] }) {
		v := values[key]
		if i := slices.Index(arguments, key); i >= 0 {
			texts, ok := text.values(v)
			if !ok || texts[0] == "" {
				return nil, faulty(key, "%s must be %s", key, text)
			}
			given[i] = texts[0]
			continue
		}
		flag := flags.Lookup(key)
		if flag == nil || !settable(flag) {
			return nil, faulty(key, "there is no setting %s; %s", printable.Quoted(key), hint(key, flags, arguments))
		}
		k := kindOf(flag)
		texts, ok := k.values(v)
		if !ok {
			return nil, faulty(key, "%s must be %s", key, k)
		}
		if flag.Changed {
			continue
		}
		for _, one := range texts {
			if err := flags.Set(key, one); err != nil {
				if inner := errors.Unwrap(err); inner != nil {
					err = inner
				}
				return nil, faulty(key, "%s = %s: %v", key, printable.Quoted(one), err)
			}
		}
	}
	if len(args) > 0 {
		return args, nil
	}
	return slices.DeleteFunc(given, func(s string) bool { return s == "" }), nil
}

// hint tells settings with names like the key, or where all are told of.
func hint(key string, flags *pflag.FlagSet, arguments []string) string {
	names := slices.Clone(arguments)
	flags.VisitAll(func(f *pflag.Flag) {
		if settable(f) {
			names = append(names, f.Name)
		}
	})
	unknown := table.Unknown(key, names)
	if len(unknown.Near) == 0 {
		return "--print-config prints all that there are"
	}
	return unknown.Hint()
}

// read returns the settings of a file and the lines that they are on.
func read(path string) (values map[string]any, lines map[string]int, err error) {
	name := printable.Line(path)
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && info.Size() > mostBytes {
		return nil, nil, exit.Usagef("--config: %s has %s, which are no settings", name, printable.Size(info.Size()))
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, exit.Usagef("--config: %w", err)
	}
	var faulty *toml.DecodeError
	if err := toml.Unmarshal(content, &values); errors.As(err, &faulty) {
		line, column := faulty.Position()
		return nil, nil, exit.Usagef("%s:%d: column %d: it is not TOML: %v", name, line, column, err)
	} else if err != nil {
		return nil, nil, exit.Usagef("--config: %s: %w", name, err)
	}
	// A struct without fields misses all of them, and the error has their places.
	lines = map[string]int{}
	var missing *toml.StrictMissingError
	err = toml.NewDecoder(bytes.NewReader(content)).DisallowUnknownFields().Decode(&struct{}{})
	if errors.As(err, &missing) {
		for _, one := range missing.Errors {
			key, line := one.Key()[0], 0
			if line, _ = one.Position(); lines[key] == 0 || line < lines[key] {
				lines[key] = line
			}
		}
	}
	return values, lines, nil
}
