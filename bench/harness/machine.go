package harness

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Machine is what times depend on besides the fit.
type Machine struct {
	Version   string // of the program, and the instruction set that it uses
	Processor string
	Workers   int
}

// Look asks the program for its version and this machine for its processor.
func Look(ctx context.Context, p Program, workers int) (Machine, error) {
	m := Machine{Processor: Processor(), Workers: workers}
	if m.Workers == 0 {
		m.Workers = runtime.GOMAXPROCS(0)
	}
	out, err := p.Call(ctx, "version", "--json")
	if err != nil {
		return m, err
	}
	var build struct {
		Version, Revision, Kernels string
		Modified                   bool
	}
	if err := json.Unmarshal(out.Stdout, &build); err != nil {
		return m, fmt.Errorf("beziergp version --json: %w", err)
	}
	parts := []string{"beziergp", build.Version}
	if build.Revision != "" && !strings.Contains(build.Version, build.Revision[:min(12, len(build.Revision))]) {
		revision := build.Revision[:min(12, len(build.Revision))]
		if build.Modified {
			revision += "+changes"
		}
		parts = append(parts, revision)
	}
	m.Version = strings.Join(append(parts, build.Kernels), " ")
	return m, nil
}

// Processor returns what this machine's processor is called, or its architecture.
func Processor() string { return cmp.Or(cpuid.CPU.BrandName, runtime.GOARCH) }

// System names this machine's system and how many processors it has, as pages do.
func System() string {
	return fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}
