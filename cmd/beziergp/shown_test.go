package main_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shows tells why what a document shows is not a part of what a command printed, or
// nothing. Shown lines follow one another but where a line "…" leaves some out, and a
// line may end in " …". Spaces are alike, and blank lines none; times may be any, whole numbers are equal,
// others agree to 5 % or a unit of the last digit shown, for training differs in
// last digits between instruction sets.
func shows(shown, printed string) string {
	isBlank := func(line string) bool { return strings.TrimSpace(line) == "" }
	lines := slices.DeleteFunc(strings.Split(printed, "\n"), isBlank)
	at, skip, why := 0, true, ""
	for want := range strings.Lines(shown) {
		if want = strings.TrimSpace(want); isBlank(want) {
			continue
		}
		if want == "…" {
			skip = true
			continue
		}
		for found := false; !found; at++ {
			if at == len(lines) {
				return fmt.Sprintf("no line like %q%s", want, why)
			}
			reason := differs(want, lines[at])
			if found = reason == ""; !found && !skip {
				return fmt.Sprintf("%q follows, not %q: %s", lines[at], want, reason)
			}
			if strings.HasPrefix(reason, "number") {
				why = ": " + reason
			}
		}
		skip, why = false, ""
	}
	return ""
}

var (
	figure   = regexp.MustCompile(`[-−+]?\d+(\.\d+)?(e[-+]?\d+)?`)
	duration = regexp.MustCompile(`\d+(\.\d+)?\s?(ms|µs|s|min|h)\b`)
)

// renewPage writes the figures that were printed into a page, where BEZIERGP_RENEW is set.
func renewPage(t *testing.T, page, shown, printed string) {
	t.Helper()
	renewed := renew(shown, printed)
	if renewed == shown || os.Getenv("BEZIERGP_RENEW") == "" {
		return
	}
	if err := os.WriteFile(page, []byte(strings.Replace(read(t, page), shown, renewed, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// renew returns what a document shows with the figures that were printed. Lines are those of the
// same words, in order; a line that no printed one is like stays.
func renew(shown, printed string) string {
	words := func(line string) string {
		line = duration.ReplaceAllString(line, "TIME")
		return figure.ReplaceAllString(strings.Join(strings.Fields(line), " "), "0")
	}
	lines, out := strings.Split(printed, "\n"), ""
	for line := range strings.Lines(shown) {
		text, cut := strings.CutSuffix(strings.TrimRight(line, "\n"), "…")
		wanted := words(text)
		at := slices.IndexFunc(lines, func(l string) bool {
			return wanted != "" && (words(l) == wanted || cut && strings.HasPrefix(words(l), wanted+" "))
		})
		if at < 0 || cut && !strings.HasSuffix(text, " ") { // none, or cut within a word
			out += line
			continue
		}
		fresh := lines[at]
		if cut { // as many words of it
			ends := regexp.MustCompile(`\S+`).FindAllStringIndex(fresh, len(strings.Fields(text)))
			fresh = fresh[:ends[len(ends)-1][1]] + " …"
		}
		out += strings.TrimRight(fresh, " ") + "\n"
		lines = lines[at+1:]
	}
	return out
}

// differs tells in what a shown line differs from a printed one.
func differs(want, got string) string {
	want, got = duration.ReplaceAllString(want, "TIME"), duration.ReplaceAllString(got, "TIME")
	want, got = strings.Join(strings.Fields(want), " "), strings.Join(strings.Fields(got), " ")
	text := func(s string) string { return figure.ReplaceAllString(s, "0") }
	if cut, ok := strings.CutSuffix(want, "…"); ok {
		if !strings.HasPrefix(text(got), text(strings.TrimSpace(cut))) {
			return "text"
		}
	} else if text(want) != text(got) {
		return "text"
	}
	printed := figure.FindAllString(got, -1)
	for i, w := range figure.FindAllString(want, -1) {
		a, errA := number(w)
		b, errB := number(printed[i])
		if errA != nil || errB != nil {
			return fmt.Sprintf("number %s or %s", w, printed[i])
		}
		tolerance := 0.0
		if _, decimals, ok := strings.Cut(w, "."); ok {
			tolerance = max(0.05*math.Abs(a), 1.001*math.Pow10(-len(decimals)))
		}
		if math.Abs(a-b) > tolerance {
			return fmt.Sprintf("number %s, printed is %s", w, printed[i])
		}
	}
	return ""
}

func number(s string) (float64, error) {
	return strconv.ParseFloat(strings.Replace(s, "−", "-", 1), 64)
}

func TestShows(t *testing.T) {
	const printed = "learned 100 rows in 5.5 s\nRMSE  1.063\nwrote m.bgp, 1.1 MB\n"
	for _, c := range []struct {
		shown string
		want  bool
	}{
		{"learned 100 rows in 21.5 s\n", true},
		{"RMSE 1.07\n", true},
		{"RMSE 1.2\n", false},
		{"learned 101 rows in 5.5 s\n", false},
		{"learned 100 rows in 5.5 s\nwrote m.bgp, 1.1 MB\n", false},
		{"learned 100 rows in 5.5 s\n…\nwrote m.bgp, 1.1 MB\n", true},
		{"wrote m.bgp, 1.1 MB\n…\nRMSE 1.063", false},
		{"learned 100 …\n", true},
		{"learnt 100 …\n", false},
		{"RMSE\n", false},
	} {
		if why := shows(c.shown, printed); (why == "") != c.want {
			t.Errorf("%q: %q", c.shown, why)
		}
	}
}

func TestRenew(t *testing.T) {
	const printed = "learned 120 rows in 5.5 s\nfold  rmse  nlpd\n1  1.5  2.25\n2  1.75  2.5\n"
	for _, c := range []struct{ shown, want string }{
		{"learned 100 rows in 21.5 s\n", "learned 120 rows in 5.5 s\n"},
		{"fold  rmse …\n1  1.1 …\n2  1.2 …\n", "fold  rmse …\n1  1.5 …\n2  1.75 …\n"},
		{"…\n2  9  9\n", "…\n1  1.5  2.25\n"}, // of the first that has its words
		{"other\n\n", "other\n\n"},
		{"2  1.9…\n", "2  1.9…\n"}, // cut within a number
	} {
		if got := renew(c.shown, printed); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.shown, got, c.want)
		}
	}
}
