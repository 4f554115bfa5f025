package markdown

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var b strings.Builder
	Head(&b, "method", []string{"a", "b"})
	Row(&b, Text("k|nn"), 3, "")
	want := "| method | a | b |\n|---|---|---|\n| k\\|nn | 3 |  |\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
