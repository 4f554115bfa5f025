package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// Whatever records say, the page has the lines and cells that it has for plain names, and
// neither it nor a picture holds marks of their own or control characters.
func TestHostileRecordsStayTexts(t *testing.T) {
	const hostile = "x|y`z`\n# <script>alert(1)</script> **b** [l](u) \x1b[31m\u009b\u202e\x7f\\"
	plain, records := write(t, someRecords()), someRecords()
	for i := range records {
		r := &records[i]
		if r.Suite == "uci" {
			r.Set += hostile
			r.Method += hostile
		}
		if r.Error != "" {
			r.Error = hostile + strings.Repeat("long ", 1<<20)
		}
		r.Version += hostile
		r.Processor += hostile
	}
	dir := write(t, records)
	page, want := string(read(t, dir+".md")), string(read(t, plain+".md"))
	for _, r := range page {
		if !unicode.IsPrint(r) && r != '\n' {
			t.Errorf("the page holds %q", r)
		}
	}
	// The head and the foot are ours.
	body := page[strings.Index(page, "| processor |"):strings.LastIndex(page, "## Records")]
	for _, marks := range []string{"<script", "\n# ", "**b**", "[l](u)"} {
		if strings.Contains(body, marks) {
			t.Errorf("%q has its meaning on the page", marks)
		}
	}
	escaped := regexp.MustCompile(`\\.`)
	if left := escaped.ReplaceAllString(body, ""); strings.ContainsAny(left, "`<") {
		t.Error("a backquote or an angle has its meaning on the page")
	}
	cells := func(page string) (counts []int) {
		for line := range strings.Lines(escaped.ReplaceAllString(page, "")) {
			if strings.HasPrefix(line, "|") {
				counts = append(counts, strings.Count(line, "|"))
			}
		}
		return counts
	}
	got, plainCells := cells(page), cells(want)
	allowed := map[int]bool{}
	for _, n := range plainCells {
		allowed[n] = true
	}
	for _, n := range got {
		if !allowed[n] {
			t.Errorf("a row of %d cells", n)
		}
	}
	if len(page) > 3*len(want)+20_000 {
		t.Errorf("the page has %d bytes, %d with plain names", len(page), len(want))
	}
	decoder := xml.NewDecoder(bytes.NewReader(read(t, filepath.Join(dir, "uci.svg"))))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
	}
}
