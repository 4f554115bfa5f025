package cli

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"beziergp/bench/suite"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
)

// help returns what --help of a command, or a topic, prints.
func help(t *testing.T, path ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	if code := Main(append(path, "--help"), nil, &out, &said); code != 0 || said.Len() > 0 {
		t.Fatalf("%v: code %d: %s", path, code, &said)
	}
	return out.String()
}

// eachCommand visits all commands and topics but those that the library makes.
func eachCommand(visit func(cmd *cobra.Command, path []string)) {
	root := newRoot(&streams.Streams{Console: console.New(new(bytes.Buffer))})
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		visit(cmd, strings.Fields(cmd.CommandPath())[1:])
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	walk(root)
}

// entry is what help says of a flag, on one line or several.
var entry = regexp.MustCompile(`(?m)^ +(?:-\w, )?--[a-z-]+(?: .*)?\n(?:^ {16,}.*\n)*`)

func TestHelpStatesOneDefaultAFlag(t *testing.T) {
	eachCommand(func(_ *cobra.Command, path []string) {
		entries := entry.FindAllString(help(t, path...), -1)
		for _, text := range entries {
			if n := strings.Count(text, "(default"); n > 1 {
				t.Errorf("%v: %d defaults:\n%s", path, n, text)
			}
		}
		if len(entries) == 0 && len(path) > 0 && path[0] != "bench" {
			t.Errorf("%v: no flags are found", path)
		}
	})
}

// Every flag is in the help of its verb, or in a topic that this names.
func TestHelpTellsOfEveryFlag(t *testing.T) {
	eachCommand(func(cmd *cobra.Command, path []string) {
		text := help(t, path...)
		topics := ""
		for _, found := range regexp.MustCompile(`(?m)^  beziergp help (\w+) `).FindAllStringSubmatch(text, -1) {
			topics += help(t, found[1])
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !strings.Contains(entries(text)+entries(topics), "--"+f.Name+" ") {
				t.Errorf("%v: --%s is told of nowhere", path, f.Name)
			}
			if strings.Contains(entries(topics), "--"+f.Name+" ") && !regexp.MustCompile(`--`+f.Name+`\b`).MatchString(text) {
				t.Errorf("%v: it does not say where --%s is told of", path, f.Name)
			}
		})
	})
}

func entries(text string) string {
	return strings.ReplaceAll(strings.Join(entry.FindAllString(text, -1), ""), "\n", " \n")
}

// A screen has 30 lines of 100 columns here.
func TestHelpOfFitFitsTwoScreens(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(help(t, "fit"), "\n"), "\n")
	if len(lines) > 60 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 100 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}

// What help gives as an example is a command that the program takes, but for files.
func TestExamplesOfHelpAreTaken(t *testing.T) {
	examples := 0
	eachCommand(func(_ *cobra.Command, path []string) {
		for _, found := range regexp.MustCompile(`(?m)^  (?:zcat \S+ \| )?beziergp ((?:fit|predict|eval|inspect|describe) .*)$`).FindAllStringSubmatch(help(t, path...), -1) {
			line, _, _ := strings.Cut(found[1], " >")
			line, _, _ = strings.Cut(line, " | ")
			if strings.Contains(line, "[flags]") {
				continue
			}
			examples++
			var said bytes.Buffer
			if code := Main(strings.Fields(strings.ReplaceAll(line, "'", "")), strings.NewReader(""), new(bytes.Buffer), &said); code != 3 {
				t.Errorf("%s: code %d: %s", line, code, &said)
			}
		}
	})
	if examples < 10 {
		t.Errorf("%d examples", examples)
	}
}

// The benchmarks ask for flags that belong together.
func TestSuitesAskForFlagsThatFitTakes(t *testing.T) {
	for _, s := range suite.All() {
		for _, set := range s.Sets {
			for _, m := range slices.Concat(s.Methods, s.More) {
				args := slices.Concat([]string{"fit", "absent.csv", "--target", "y"}, m.Options, set.Options)
				if m.Order > 0 {
					args = append(args, set.Paper...)
				}
				var said bytes.Buffer
				if code := Main(args, nil, new(bytes.Buffer), &said); code != 3 {
					t.Errorf("%s, %s, %v: code %d: %s", s.Name, set.Name, args, code, &said)
				}
			}
		}
	}
}
