package testkit

import (
	"os"
	"testing"
)

// Long skips a test that takes a good part of a minute or more, unless CI is set as continuous integration sets it: `make test` is to
// end in twelve minutes.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("CI") == "" || testing.Short() {
		t.Skip("LONG, SKIPPED: set CI=true, without -short")
	}
}
