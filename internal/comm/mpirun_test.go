//go:build !mpi

package comm

import (
	"path/filepath"
	"strings"
	"testing"

	"beziergp/internal/testkit"
)

func TestWorldUnderMpirun(t *testing.T) {
	testkit.NeedsMPI(t)
	program := filepath.Join(t.TempDir(), "comm.test")
	testkit.BuildMPI(t, "mpi", program, ".", "test", "-c")
	for _, ranks := range []int{2, 4} {
		out, err := testkit.Mpirun(t, ranks, program, "-test.run", "TestWorldConforms", "-test.v").CombinedOutput()
		if err != nil || strings.Count(string(out), "--- PASS: TestWorldConforms") != ranks {
			t.Errorf("%d ranks: %v\n%s", ranks, err, out)
		}
	}
}
