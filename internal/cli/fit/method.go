package fit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"beziergp/box"
	"beziergp/internal/cli/exit"
	"beziergp/rival"
)

// methodBezier is this program's own method; the others are [rival.Methods].
const methodBezier = "bezier"

// bezierFlags are those that a rival has only if its options name them.
var bezierFlags = slices.Concat([]string{"recipe", "weights", "cache", "no-checkpoint"}, autoFlags, paperFlags)

// parseMethod takes the methods that there are.
func parseMethod(text string) (string, error) {
	if _, ok := rival.Find(text); ok || text == methodBezier {
		return text, nil
	}
	names := []string{methodBezier}
	for _, m := range rival.Methods() {
		names = append(names, m.Name)
	}
	return "", errors.New("there is no such method; there are " + strings.Join(names, ", "))
}

// methodsWith returns the methods that have a flag.
func methodsWith(flag string) (names []string) {
	if slices.Contains(bezierFlags, flag) {
		names = append(names, methodBezier)
	}
	for _, m := range rival.Methods() {
		if slices.Contains(m.Options, rival.Option(flag)) {
			names = append(names, m.Name)
		}
	}
	return names
}

// pickMethod settles what the flags mean for the method, and refuses those that it has
// not.
func (o *Options) pickMethod(changed func(flag string) bool) error {
	flags := slices.Clone(bezierFlags)
	for _, m := range rival.Methods() {
		for _, option := range m.Options {
			flags = append(flags, string(option))
		}
	}
	for _, flag := range flags {
		if with := methodsWith(flag); changed(flag) && !slices.Contains(with, o.Method) {
			return exit.Usagef("--%s is none of the method %s; leave it out, or take --method %s", flag, o.Method, strings.Join(with, " or "))
		}
	}
	if o.Method == methodBezier {
		if _, err := box.ParsePolicy(string(o.Policy)); err != nil {
			return exit.Usagef("--out-of-box: %w", err)
		}
		return o.pickRecipe(changed)
	}
	if !changed("out-of-box") {
		o.Policy = box.Extrapolate
	}
	// Flags that it shares with the recipe paper hold that one's defaults.
	if changed(string(rival.Steps)) {
		o.Settings.Steps = o.Paper.Steps
	}
	if changed(string(rival.Batch)) {
		o.Settings.Batch = o.Paper.Batch
	}
	if changed(string(rival.Rate)) {
		o.Settings.Rate = o.Paper.LearningRate
	}
	return nil
}

// methodHelp lists the rivals with their flags.
func methodHelp() string {
	var b strings.Builder
	for _, m := range rival.Methods() {
		fmt.Fprintf(&b, "  %-10s %s", m.Name, m.About)
		if m.KeepsRows {
			b.WriteString("; its file holds the training rows")
		}
		b.WriteString("\n")
		for i, option := range m.Options {
			if i == 0 {
				fmt.Fprintf(&b, "  %-10s", "")
			}
			fmt.Fprintf(&b, " --%s", option)
		}
		if len(m.Options) > 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}
