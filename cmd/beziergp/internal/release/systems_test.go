package main

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"

	"beziergp/internal/testkit"
)

// All packages, their tests and all modules that they link pass the type check for the
// systems that CI does not run on. It takes a tenth of the time of compiling them; `make
// cross` vets the assembly of other processors.
func TestEverySystemPassesTheTypeCheck(t *testing.T) {
	testkit.Long(t)
	for _, on := range systems {
		if on.OS == "linux" || on.OS == "darwin" && on.Arch == "amd64" || on.OS == "windows" && on.Arch == "arm64" {
			continue // what is linked differs by the system, hardly by the processor
		}
		t.Run(on.OS, func(t *testing.T) {
			c := &packages.Config{
				Mode: packages.LoadAllSyntax, Tests: true, Dir: "../../../..",
				Env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+on.OS, "GOARCH="+on.Arch),
			}
			roots, err := packages.Load(c, "./...")
			if err != nil {
				t.Fatal(err)
			}
			if len(roots) < 100 {
				t.Errorf("%d packages", len(roots))
			}
			packages.Visit(roots, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					t.Errorf("%s: %v", p.PkgPath, err)
				}
			})
		})
	}
}
