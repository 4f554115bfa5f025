package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"beziergp/internal/testkit"
)

// appliedModel is of the default recipe: categories, dates, missing values, a range, and
// surfaces of the noise and of what it does not know. appliedTable has its columns.
const appliedModel = "model/testdata/format4.bgp"

func appliedTable() string {
	var b strings.Builder
	b.WriteString("x,z,c,when,y\n")
	for i := range 64 {
		z, level, day := fmt.Sprint(float64(i%11)/2), []string{"ant", "bee", "cow", "", "new"}[i%5], fmt.Sprintf("2024-%02d-%02d", 1+i%6, 1+i%28)
		if i%13 == 0 {
			z = ""
		}
		fmt.Fprintf(&b, "%g,%s,%s,%s,%g\n", float64(i)/60, z, level, day, float64(i%7)/3)
	}
	return b.String()
}

// The programs for WebAssembly predict, score and inspect, in Node, as the program for
// this machine does, to the bit. On amd64 package math has an exponential and a
// logarithm in assembly, which round otherwise; on 386 it has none, as on wasm, so the
// native program is one for 386.
func TestWebAssembly(t *testing.T) {
	testkit.Long(t)
	node, err := exec.LookPath("node")
	if err != nil {
		if testkit.CI() {
			t.Fatal("Node is not installed")
		}
		t.Skip("Node is not installed (Debian: apt-get install nodejs)")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the program to compare with runs on linux/amd64 alone")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	model, table, parquet := filepath.Join(tests, appliedModel), filepath.Join(t.TempDir(), "t.csv"), filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(table, []byte(appliedTable()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(parquet, []byte("PAR1\x15\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	const quick = "-gcflags=all=-N -l" // half the time to build, and the same numbers
	native := runs(t, build(t, "linux", "386", quick))
	lines := [][]string{
		{"predict", model, table, "--std-f", "--held", "--quantiles", "0.1,0.9", "--quiet"},
		{"predict", model, table, "--interval", "conformal", "--point", "median", "--quiet"},
		{"eval", model, table, "--json", "--quiet"},
		{"inspect", model},
		{"predict", model, parquet},
	}
	for system, start := range map[string][]string{
		"js":     {filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js")},
		"wasip1": {"--experimental-wasi-unstable-preview1", "--no-warnings", "cmd/beziergp/testdata/wasi.mjs"},
	} {
		// The optimising compiler of Node takes longer than these runs do without it.
		start = append([]string{node, "--liftoff-only"}, start...)
		var flags []string
		if system == "wasip1" { // what js needs the test of js/wasm compiles as well
			flags = []string{quick}
		}
		run := runs(t, append(start, build(t, system, "wasm", flags...))...)
		for i, args := range lines {
			got, want := run(args...), native(args...)
			if got != want {
				t.Errorf("%s: %q comes to\n%+v, not\n%+v", system, args, got, want)
			}
			if code := []int{0, 0, 0, 0, 3}[i]; got.code != code || (code == 0) != (got.stdout != "") {
				t.Errorf("%s: %q ends with code %d: %s", system, args, got.code, got.said)
			}
		}
		if got := run("fit", table, "--target", "y"); got.code != 2 || !strings.Contains(got.said, "without the verb fit") {
			t.Errorf("%s: fit comes to %+v", system, got)
		}
	}
}
