package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/shell"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/internal/near"
)

// synonyms are what other programs call the verbs.
var synonyms = map[string]string{
	"train": "fit", "learn": "fit", "apply": "predict", "infer": "predict", "test": "eval", "evaluate": "eval", "score": "eval",
	"summary": "describe", "summarize": "describe", "profile": "describe", "info": "inspect", "show": "inspect", "benchmark": "bench",
}

// suggestVerb adds to the error of an unknown verb which may have been meant.
func suggestVerb(root *cobra.Command, err error) error {
	var name string
	if n, _ := fmt.Sscanf(err.Error(), "unknown command %q for", &name); n != 1 {
		return err
	}
	var verbs []string
	for _, c := range root.Commands() {
		verbs = append(verbs, c.Name())
	}
	found := near.Names(name, verbs)
	if verb := synonyms[strings.ToLower(name)]; verb != "" {
		found = []string{verb}
	}
	if len(found) > 0 {
		return fmt.Errorf("%w; did you mean %s?", err, strings.Join(found, " or "))
	}
	if _, missing := os.Stat(name); missing == nil {
		return &exit.Error{Code: exit.Usage, Err: fmt.Errorf("%w; a verb comes before the data", err), Try: shell.Line([]string{"beziergp", "describe", name})}
	}
	return err
}

// suggestFlag adds to the error of an unknown flag which may have been meant, or whose it is.
func suggestFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	if word := unknown.GetSpecifiedShortnames(); len(word) > 1 { // -target, of one dash
		name = word
	}
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	if found := near.Names(name, flags); len(found) > 0 {
		return fmt.Errorf("%w; did you mean --%s?", err, strings.Join(found, " or --"))
	}
	var others []string
	for _, c := range cmd.Root().Commands() {
		if c != cmd && c.Flags().Lookup(name) != nil {
			others = append(others, c.Name())
		}
	}
	if len(others) > 0 {
		return fmt.Errorf("%w; it is a flag of %s", err, strings.Join(others, ", "))
	}
	return err
}

// suggestPattern gives the error of several files in the place of one the line to type.
func suggestPattern(args []string, err error) error {
	var several *source.SeveralError
	if !errors.As(err, &several) {
		return err
	}
	line := []string{"beziergp"}
	for _, word := range args {
		switch at := slices.Index(several.Files, word); {
		case at == 0 && several.Pattern != "":
			line = append(line, several.Pattern)
		case at < 0:
			line = append(line, word)
		}
	}
	suggested := &exit.Error{Code: exit.Usage, Err: err}
	if several.Pattern != "" {
		suggested.Try = shell.Line(line)
	}
	return suggested
}
