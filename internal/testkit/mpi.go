package testkit

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// NeedsMPI skips a test where programs for MPI cannot be built or run; in CI it fails.
func NeedsMPI(t testing.TB) {
	t.Helper()
	missing := ""
	for _, program := range []string{"mpirun", "gcc", "pkg-config"} {
		if _, err := exec.LookPath(program); err != nil {
			missing = program + " is not installed"
		}
	}
	if missing == "" && exec.Command("pkg-config", "--exists", "ompi").Run() != nil {
		missing = "pkg-config knows no ompi"
	}
	switch {
	case missing == "":
	case CI():
		t.Fatal("MPI:", missing)
	default:
		t.Skip("MPI SKIPPED:", missing, "(Debian: apt-get install pkg-config libopenmpi-dev openmpi-bin)")
	}
}

// BuildMPI runs a command that builds, as "go build", with tags of which mpi is one.
func BuildMPI(t testing.TB, tags, path, pkg string, build ...string) {
	t.Helper()
	cmd := exec.Command("go", append(build, "-tags", tags, "-o", path, pkg)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// Mpirun returns the command that starts so many ranks of a program on this machine. It is
// killed after three minutes, which is long where ranks share two busy cores.
func Mpirun(t testing.TB, ranks int, program ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	args := []string{"--oversubscribe", "--mca", "btl", "self,vader,tcp", "-n", strconv.Itoa(ranks)}
	cmd := exec.CommandContext(ctx, "mpirun", append(args, program...)...)
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	cmd.WaitDelay = 5 * time.Second
	return cmd
}
