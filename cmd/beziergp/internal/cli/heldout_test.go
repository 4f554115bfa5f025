package cli_test

import (
	"os"
	"strings"
	"testing"
)

// A score of rows held out is of the table that was learned from: of another, of the same
// size and time even, there is none.
func TestHoldoutOfAChangedTable(t *testing.T) {
	p := newPlace(t)
	cmd, said := p.fit("m.bgp", "--holdout", "0.3")
	var out strings.Builder
	cmd.Stdout = &out
	p.startAndAwait(cmd, "m.bgp.ckpt")
	info, err := os.Stat(p.path("t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(p.read("t.csv"), "\n")
	lines[1], lines[len(lines)-2] = lines[len(lines)-2], lines[1]
	p.write("t.csv", strings.Join(lines, ""))
	if err := os.Chtimes(p.path("t.csv"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if p.exists("m.bgp") {
		t.Skip("the model was trained before the table could change")
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(said.String(), "the table changed while the model was trained") || out.Len() > 0 {
		t.Errorf("code %d, %q: %s", code, out.String(), said)
	}
	if !p.exists("m.bgp") {
		t.Error("the model is lost")
	}
}

// A query that gives its rows in another order every time has no rows that are held out.
func TestHoldoutOfAQueryWithoutOrder(t *testing.T) {
	p := newPlace(t)
	p.database("t.db")
	for order, want := range map[string]int{"random()": 3, "a": 0} {
		code, stdout, said := p.run("fit", "--from", "sqlite:t.db", "--query", "SELECT * FROM t ORDER BY "+order, "--target", "y",
			"--method", "linear", "--holdout", "0.3", "--out", "m.bgp", "--quiet")
		if code != want || (want == 0) != strings.Contains(stdout, "rmse") || (want == 0) == strings.Contains(said, "rows in another order") {
			t.Errorf("order by %s: code %d, %q: %s", order, code, stdout, said)
		}
	}
}
