// Package version is the verb that tells which program this is.
package version

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/simd"
	"beziergp/tablefile"
)

// Options are the flags of version.
type Options struct {
	JSON bool
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Tell which program this is",
		Long: `Tell the version of this program, what it was built from and for, the formats of
tables that it reads, and the instruction set that it uses on this machine, of those
that it has. The environment variable BEZIERGP_KERNEL picks another of them. --json
prints one object with the keys version, revision, modified, go, os, arch, formats,
kernels and available_kernels.`,
		Args: option.Arguments(),
		RunE: exit.Run(func(*cobra.Command, []string) error { return Run(*s, o) }),
	}
	printing := option.NewSection("Printing")
	printing.Flags.BoolVar(&o.JSON, "json", false, "print one line of JSON")
	option.Attach(cmd, printing)
	return cmd
}

// release and revision are stamped by the linker into what is released, which is
// built without a look at the history.
var release, revision string

// build tells where a program comes from.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // empty if not built from a repository
	Modified bool   `json:"modified"` // after that revision
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	// Formats are those of tables; a lean build reads fewer.
	Formats []string `json:"formats"`
	Kernels string   `json:"kernels"` // the instruction set in use
	// Available are the instruction sets of this machine, the best first.
	Available []string `json:"available_kernels"`
}

// Short returns the version alone.
func Short() string { return newBuild().Version }

// newBuild returns all but the kernels.
func newBuild() build {
	b := build{Version: "unknown", Revision: revision, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Formats: tablefile.Formats()}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	if release != "" {
		b.Version = release
	}
	return b
}

// Run prints the version.
func Run(s streams.Streams, o *Options) error {
	b := newBuild()
	b.Kernels, b.Available = simd.Tier(), simd.Tiers()
	if o.JSON {
		return json.NewEncoder(s.Out).Encode(b)
	}
	return b.print(s.Out)
}

func (b *build) read(info *debug.BuildInfo) {
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Revision = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
}

func (b build) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "beziergp\t%s\n", b.Version)
	if b.Revision != "" {
		changed := ""
		if b.Modified {
			changed = " with changes"
		}
		fmt.Fprintf(t, "revision\t%s%s\n", b.Revision, changed)
	}
	fmt.Fprintf(t, "built with\t%s for %s/%s\n", b.Go, b.OS, b.Arch)
	fmt.Fprintf(t, "reads\t%s\n", strings.Join(b.Formats, ", "))
	fmt.Fprintf(t, "kernels\t%s (this machine has %s)\n", b.Kernels, strings.Join(b.Available, ", "))
	return t.Flush()
}
