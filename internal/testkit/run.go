package testkit

import (
	"os"
	"runtime"
	"testing"
)

// Parallel gives a test all processors, where make test gives its package one.
func Parallel(t testing.TB) {
	before := runtime.GOMAXPROCS(runtime.NumCPU())
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// CI tells whether the variable is set that continuous integration sets.
func CI() bool { return os.Getenv("CI") != "" }

// Long skips a test that takes ten seconds or more, or compiles everything once more, but in [CI]: `make test` is to end in twelve
// minutes, on a slow machine too.
func Long(t testing.TB) {
	t.Helper()
	if !CI() || testing.Short() {
		t.Skip("LONG, SKIPPED: set CI=true, without -short")
	}
}
