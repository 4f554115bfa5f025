package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"beziergp/cmd/beziergp/internal/release/licence"
)

// program is the package that is built.
const program = "./cmd/beziergp"

// systems are what a release is for.
var systems = []licence.System{
	{OS: "linux", Arch: "amd64"}, {OS: "linux", Arch: "arm64"},
	{OS: "darwin", Arch: "amd64"}, {OS: "darwin", Arch: "arm64"},
	{OS: "windows", Arch: "amd64"}, {OS: "windows", Arch: "arm64"},
}

// build builds a package of the module in a folder, so that equal sources make an
// equal program: no path of the machine, no state of the history, and nothing of
// the user's settings of Go goes into it. stamps are values of variables.
func build(ctx context.Context, dir, pkg, out string, on licence.System, stamps map[string]string) error {
	link := []string{"-s", "-w"}
	for name, value := range stamps {
		link = append(link, "-X "+name+"="+value)
	}
	slices.Sort(link[2:])
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", strings.Join(link, " "), "-o", out, pkg)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0",
		"GOOS="+on.OS, "GOARCH="+on.Arch)
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building for %s/%s: %w: %s", on.OS, on.Arch, err, said)
	}
	return nil
}
