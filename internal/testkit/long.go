package testkit

import (
	"os"
	"testing"
)

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
