// Package harness is what the programs that measure have in common: how they begin and
// end, the page that they write, the program and the machine that they measure.
package harness

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"beziergp/internal/atomicfile"
)

// Main is the main function of a program of that name, which an interrupt ends. run
// declares its flags and parses them from args.
func Main(name string, run func(ctx context.Context, flags *flag.FlagSet, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, flag.NewFlagSet(name, flag.ContinueOnError), os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Page is where a program's page goes.
type Page struct{ path string }

// PageFlag declares the flag -out, which names it.
func PageFlag(flags *flag.FlagSet) *Page {
	p := &Page{}
	flags.StringVar(&p.path, "out", "", "write the page to this file instead of standard output")
	return p
}

// Write writes the page to its file, whole or not at all, or to standard output.
func (p *Page) Write(write func(io.Writer) error) error {
	if p.path == "" {
		return write(os.Stdout)
	}
	return atomicfile.WriteFile(p.path, write)
}

// Build builds beziergp from the checkout that is the working directory. The program
// and its temporary files lie in dir. It has build tags if there are some.
func Build(ctx context.Context, dir string, tags ...string) (Program, error) {
	path := filepath.Join(dir, "beziergp")
	if text, err := exec.CommandContext(ctx, "go", "build", "-tags", strings.Join(tags, ","), "-o", path, "./cmd/beziergp").CombinedOutput(); err != nil {
		return Program{}, fmt.Errorf("%w: %s", err, text)
	}
	return Program{Path: path, Name: path, Dir: dir}, nil
}

// Score returns a score as the commands fit and eval have printed it, or - where they
// have not.
func (o Outcome) Score(name string) string {
	for line := range strings.Lines(string(o.Stdout)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == name {
			return fields[1]
		}
	}
	return "-"
}
