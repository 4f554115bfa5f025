package cli_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// figures PAGE PRINTED NAMES… wants of a page that its tables have the figures that stand behind
// names in what another verb has printed, to the digits of the page.
func figures(ts *testscript.TestScript, neg bool, args []string) {
	page, printed := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	for _, name := range args[2:] {
		line := regexp.MustCompile(`(?m)^` + name + ` +(\S+)`).FindStringSubmatch(printed)
		row := regexp.MustCompile(`<th scope="row">(<bdi>)?` + name + `\b.*`).FindString(page)
		if line == nil || row == "" {
			ts.Fatalf("%s: printed %q, in the page %q", name, line, row)
		}
		want, err := strconv.ParseFloat(line[1], 64)
		ts.Check(err)
		found := false
		for _, cell := range regexp.MustCompile(`<td class="n">([^<]*)</td>`).FindAllStringSubmatch(row, -1) {
			got, err := strconv.ParseFloat(strings.TrimSpace(cell[1]), 64)
			found = found || err == nil && math.Abs(got-want) <= 1e-3*math.Abs(want)
		}
		if found == neg {
			ts.Fatalf("%s is %g, in the page %s", name, want, row)
		}
	}
}
