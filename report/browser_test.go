//go:build unix

package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"beziergp/internal/testkit"
)

// browser shows reports from their files.
type browser struct {
	*testkit.Browser
	t    *testing.T
	file string
}

func open(t *testing.T) *browser {
	t.Helper()
	return &browser{testkit.OpenBrowser(t), t, filepath.Join(t.TempDir(), "report.html")}
}

// shows loads a page from its file at a width, with the network off.
func (b *browser) shows(page string, width int) {
	b.t.Helper()
	if err := os.WriteFile(b.file, []byte(page), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.Show("file://"+b.file, width, false)
}

// silent fails where the page has said anything, or has asked for anything but itself.
func (b *browser) silent() {
	b.t.Helper()
	if n := b.Silent("file://" + b.file); n != 1 {
		b.t.Errorf("%d requests", n)
	}
}
