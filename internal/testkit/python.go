package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Python returns an interpreter that has these modules: that of the environment's
// BEZIERGP_PYTHON, or python3. It skips the test where there is none.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	python, why := FindPython(modules...)
	if python == "" {
		t.Skip(why)
	}
	return python
}

// FindPython is Python for a test of which only a part needs it: where there is none it
// returns nothing, and why.
func FindPython(modules ...string) (python, why string) {
	if python = os.Getenv("BEZIERGP_PYTHON"); python == "" {
		python = "python3"
	}
	program := "pass"
	for _, m := range modules {
		program += "\nimport " + m
	}
	if out, err := exec.Command(python, "-c", program).CombinedOutput(); err != nil {
		return "", fmt.Sprintf("%s has no %v: set BEZIERGP_PYTHON to an interpreter that has them (%v)\n%s", python, modules, err, out)
	}
	return python, ""
}
