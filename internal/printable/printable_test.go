package printable

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostile are texts that no terminal should get, and what is shown of them.
var hostile = map[string]string{
	"plain name":             "plain name",
	"größe, 価格 €/m²":         "größe, 価格 €/m²",
	`C:\data\"x".csv`:        `C:\data\"x".csv`,
	"\x1b[2J\x1b]0;title\a":  `\x1b[2J\x1b]0;title\a`,
	"\u009b31m":              `\u009b31m`,
	"del\x7f":                `del\x7f`,
	"\u202egnp.exe\u2066":    `\u202egnp.exe\u2066`,
	"one\nerror: forged\r\n": `one\nerror: forged\r\n`,
	"tab\tnul\x00":           `tab\tnul\x00`,
	"broken \xff\xc3":        `broken \xff\xc3`,
	"honest \ufffd":          "honest \ufffd",
	"\u2028\ufeff\U000e0041": `\u2028\ufeff\U000e0041`,
}

func TestName(t *testing.T) {
	for text, want := range hostile {
		if got := Name(text); got != want {
			t.Errorf("Name(%q) = %s, want %s", text, got, want)
		}
		if got := Line(text); got != want {
			t.Errorf("Line(%q) = %s, want %s", text, got, want)
		}
		if got := Message(text); got != strings.ReplaceAll(want, `\n`, "\n") {
			t.Errorf("Message(%q) = %s", text, got)
		}
	}
}

func TestWords(t *testing.T) {
	if got := Words(" two\n\tlines\x1b[m\r\n"); got != `two lines\x1b[m` {
		t.Errorf("%q", got)
	}
}

func TestLongTextsAreCutInTheMiddle(t *testing.T) {
	text := "begin" + strings.Repeat("ä", 1_000_000) + "end\x1b"
	for what, got := range map[string]string{"Name": Name(text), "Quoted": Quoted(text), "Words": Words(text), "Line": Line(text), "Message": Message(text)} {
		if utf8.RuneCountInString(got) > mostMessage+100 || !strings.Contains(got, "…(1000009 characters)…") ||
			!strings.Contains(got, "begin") || !strings.Contains(got, `end\x1b`) {
			t.Errorf("%s: %d characters, %.300q", what, utf8.RuneCountInString(got), got)
		}
	}
	if text := strings.Repeat("ä", mostName); Name(text) != text {
		t.Error("a name that may be as long is cut")
	}
}

// JSON means the same and has printable characters alone.
func TestJSON(t *testing.T) {
	for text := range hostile {
		var b strings.Builder
		if err := Encoder(&b).Encode(map[string]string{text: text}); err != nil {
			t.Fatal(err)
		}
		for _, r := range strings.TrimSuffix(b.String(), "\n") {
			if !unicode.IsPrint(r) {
				t.Errorf("%q: %q is in %q", text, r, b.String())
			}
		}
		var back, want map[string]string
		plain, _ := json.Marshal(map[string]string{text: text})
		if err := json.Unmarshal([]byte(b.String()), &back); err != nil {
			t.Fatal(err)
		}
		_ = json.Unmarshal(plain, &want)
		for k, v := range want {
			if back[k] != v {
				t.Errorf("%q came back as %q", want, back)
			}
		}
	}
}
