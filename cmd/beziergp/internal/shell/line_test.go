package shell_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"beziergp/cmd/beziergp/internal/shell"
)

// The shell itself says what words a line is.
func TestLineIsSplitIntoTheWords(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	words := []string{"a", "", "two words", "it's", `"quoted"`, "$HOME", "`id`", "*.csv", "a;b", "~", "a\nb", `\`, "é", "--bounds", "x=0:1", "#", "!"}
	out, err := exec.Command(sh, "-c", "printf '%s\\0' "+shell.Line(words)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
		t.Errorf("%q, want %q", got, words)
	}
}

func TestLineLeavesPlainWordsAlone(t *testing.T) {
	if got := shell.Line([]string{"beziergp", "fit", "a/b.csv", "--out=m.bgp"}); got != "beziergp fit a/b.csv --out=m.bgp" {
		t.Error(got)
	}
}
