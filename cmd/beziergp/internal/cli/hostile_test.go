package cli_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"beziergp/cmd/beziergp/internal/cli"
)

// hostileNames are names that a file may give its columns.
var hostileNames = []string{
	"escape\n\x1b[2J\x1b]0;title\a", "C1 \u009b31m", "delete\x7f", "turned \u202egnp.exe\u2066", "unit\x1f",
	"forged\nerror: forged\nwarning: forged", "zero\u200bwidth\ufeffs", `mark|down <b> ` + "`", "tab\tand\rreturn",
	"long" + strings.Repeat("ö", 200_000) + "gnol",
}

const hostileTarget = "y\u009b\n\x1b[1merror: forged"

// hostileTable returns a table with these names, levels that are not better, and an
// input that depends on the target's.
func hostileTable(t *testing.T, change func(rows [][]string) [][]string) string {
	t.Helper()
	rows := [][]string{append(append([]string{}, hostileNames...), "levels\x7f", hostileTarget)}
	for i := range 24 {
		row := make([]string, 0, len(rows[0]))
		for j := range hostileNames {
			row = append(row, fmt.Sprint((i*(j+3)+j)%17))
		}
		rows = append(rows, append(row, "level "+hostileNames[i%3], fmt.Sprint((i*3)%17)))
	}
	if change != nil {
		rows = change(rows)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t\x1b[31m\u202e\nerror: forged.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// fit, describe, inspect, predict and eval, what they warn of and why they fail: nothing
// that a terminal would obey, no forged line, no line of a megabyte comes out, and JSON
// holds the names as they are.
func TestHostileNamesThroughEveryVerb(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files cannot have such names")
	}
	table := hostileTable(t, nil)
	far := hostileTable(t, func(rows [][]string) [][]string {
		for j := range hostileNames {
			rows[1][j] = "1000"
		}
		return rows
	})
	broken := hostileTable(t, func(rows [][]string) [][]string {
		rows[7][0] = "not \x1b[31m a number \u202e" + strings.Repeat("x", 1<<20)
		return rows
	})
	twice := hostileTable(t, func(rows [][]string) [][]string { rows[0][1] = rows[0][0]; return rows })
	dir := filepath.Join(t.TempDir(), "out\x1b[32m\u009b")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	linear, own := filepath.Join(dir, "linear.bgp"), filepath.Join(dir, "own.bgp")
	long := hostileNames[len(hostileNames)-1]
	for _, c := range []struct {
		args []string
		code int
		json bool // standard output is JSON that holds the names
	}{
		{[]string{"describe", table}, 0, false},
		{[]string{"describe", table, "--target", hostileTarget}, 0, false},
		{[]string{"describe", table, "--json"}, 0, true},
		{[]string{"fit", table, "--target", hostileTarget, "--method", "linear", "--out", linear}, 0, false},
		{[]string{"fit", table, "--target", hostileTarget, "--recipe", "paper", "--order", "1", "--orderings", "1", "--steps", "2", "--out", own}, 0, false},
		{[]string{"fit", table, "--target", hostileTarget, "--recipe", "paper", "--order", "1", "--orderings", "1", "--steps", "2", "--out", own, "--log-format", "json"}, 0, false},
		{[]string{"inspect", linear}, 0, false},
		{[]string{"inspect", linear, "--json"}, 0, true},
		{[]string{"inspect", own}, 0, false},
		{[]string{"inspect", own, "--json"}, 0, true},
		{[]string{"inspect", own, "--detail"}, 0, false},
		{[]string{"drift", linear, far}, 0, false},
		{[]string{"drift", own, far, "--json"}, 0, true},
		{[]string{"drift", own, far, "--fail-if", "beyond>=0", "--log-format", "json"}, 1, false},
		{[]string{"predict", linear, far, "--out", filepath.Join(dir, "p.csv")}, 0, false},
		{[]string{"predict", own, far}, 0, false},
		{[]string{"predict", own, far, "--log-format", "json"}, 0, false},
		{[]string{"predict", own, far, "--out-of-box", "error"}, 3, false},
		{[]string{"eval", own, far}, 0, false},
		{[]string{"eval", own, far, "--json"}, 0, false},
		{[]string{"eval", own, table, "--target", "nothing\x1b[31m"}, 3, false},
		{[]string{"eval", own, table, "--target", hostileNames[0]}, 2, false},
		{[]string{"fit", broken, "--target", hostileTarget, "--out", own}, 3, false},
		{[]string{"fit", table, "--target", hostileTarget, "--column", hostileNames[0] + "=datetime", "--out", own}, 3, false},
		{[]string{"predict", own, broken}, 3, false},
		{[]string{"fit", twice, "--target", hostileTarget, "--out", own}, 3, false},
		{[]string{"fit", table, "--target", "levels\x7f", "--likelihood", "gaussian", "--out", own}, 3, false},
		{[]string{"fit", table, "--target", "escape\n\x1b[2J", "--out", own}, 3, false},
		{[]string{"fit", table, "--target", long[:100_000], "--out", own}, 3, false},
		{[]string{"fit", table, "--target", hostileTarget, "--exclude", "\x1b[31mnone", "--out", own}, 3, false},
		{[]string{"fit", table, "--target", hostileTarget, "--bounds", hostileNames[1] + "=3:4", "--out", own}, 3, false},
		{[]string{"fit", table, "--target", hostileTarget, "--weights", hostileTarget}, 2, false},
		{[]string{"fit", table, "--target", hostileTarget, "--out", filepath.Join(dir, "none\x1b[31m", "m.bgp")}, 1, false},
		{[]string{"fit", table, "--target", hostileTarget, "--out", table}, 2, false},
		{[]string{"fit", table, "--target", hostileTarget, "--test-mask", table + ":" + hostileNames[2]}, 3, false},
		{[]string{"fit", "none\x1b[31m\u202e.csv", "--target", "y"}, 3, false},
		{[]string{"fit", "none\x1b[31m[*.csv", "--target", "y"}, 3, false},
		{[]string{"predict", table, own}, 3, false},
		{[]string{"predict", own, own}, 3, false},
		{[]string{"inspect", "none\x1b[31m.bgp"}, 3, false},
		{[]string{"describe", "--from", "sqlite:none\x1b[31m.db", "--query", "SELECT 1"}, 3, false},
		{[]string{"describe", "--from", "oracle\x1b[31m://x", "--query", "SELECT 1"}, 3, false},
		{[]string{"bench", "report", "--out", dir}, 3, false},
		{[]string{"bench", "none\x1b[31m"}, 2, false},
		{[]string{"none\x1b[31m\u202e"}, 2, false},
		{[]string{"fit", table, "--none\x1b[31m"}, 2, false},
		{[]string{"fit", table, "extra\x1b[31m\u009b"}, 2, false},
		{[]string{"fit", table, "--target", "y", "--steps", "\x1b[31m"}, 2, false},
		{[]string{"fit", table, "--target", "y", "--method", "\x1b[31m"}, 2, false},
		{[]string{"fit", table, "--target", "y", "--log-format", "\x1b[31m"}, 2, false},
	} {
		var out, said bytes.Buffer
		code := cli.Main(append(c.args, "--progress", "never"), strings.NewReader(""), &out, &said)
		what := fmt.Sprintf("%.60q", c.args)
		if code != c.code {
			t.Errorf("%s: code %d, want %d: %.500s", what, code, c.code, said.String())
		}
		for stream, text := range map[string]string{"standard output": out.String(), "standard error": said.String()} {
			checkPrintable(t, what+", "+stream, text)
		}
		if c.json {
			checkNames(t, what, out.Bytes())
		}
	}
}

func checkPrintable(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8", what)
	}
	for _, r := range text {
		if !unicode.IsPrint(r) && r != '\n' {
			t.Errorf("%s holds %q", what, r)
			break
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "error: forged") || strings.HasPrefix(line, "warning: forged") {
			t.Errorf("%s has a forged line", what)
		}
		if n := utf8.RuneCountInString(line); n > 10_000 && !strings.Contains(line, strings.Repeat("ö", 200_000)) {
			t.Errorf("%s has a line of %d characters: %.200q", what, n, line)
		}
	}
}

// checkNames wants the names of a description as they were.
func checkNames(t *testing.T, what string, text []byte) {
	t.Helper()
	type named struct {
		Name string `json:"name"`
	}
	var d struct{ Columns, Inputs []named }
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	seen := map[string]bool{}
	for _, c := range append(d.Columns, d.Inputs...) {
		seen[c.Name] = true
	}
	for _, name := range hostileNames {
		if name = strings.TrimSpace(name); !seen[name] {
			t.Errorf("%s has no column %.40q", what, name)
		}
	}
}
