package report_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"beziergp"
	"beziergp/report"
)

// parsed is a page as a browser has it: its elements and texts.
type parsed struct {
	elements []*html.Node
}

func parse(t *testing.T, page string) *parsed {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	p := &parsed{}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			p.elements = append(p.elements, n)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return p
}

// of returns the elements of a name.
func (p *parsed) of(name string) (all []*html.Node) {
	for _, n := range p.elements {
		if n.Data == name {
			all = append(all, n)
		}
	}
	return all
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var all strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		all.WriteString(textOf(c))
	}
	return all.String()
}

// cells returns the rows of the table with an id.
func (p *parsed) cells(id string) (rows [][]string) {
	var collect func(n *html.Node)
	collect = func(n *html.Node) {
		if n.Type == html.ElementNode && n.Data == "tr" && n.Parent.Data == "tbody" {
			var row []string
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				row = append(row, textOf(c))
			}
			rows = append(rows, row)
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			collect(c)
		}
	}
	for _, n := range p.of("table") {
		if attribute(n, "id") == id {
			collect(n)
		}
	}
	return rows
}

// Names and levels are text: the page has the elements of one whose names are plain, two scripts
// of which one is data, and nothing that loads or runs.
func TestNamesAreText(t *testing.T) {
	m := must[*beziergp.Model](t)(fitted())
	page := rendered(t, reported(t, m, rows(120, 8), 120, report.Options{Title: "</title><script>alert(3)</script>"}))
	p := parse(t, page)
	scripts := p.of("script")
	if len(scripts) != 2 || len(p.of("style")) != 1 || len(p.of("img")) != 0 || len(p.of("b")) != 0 || len(p.of("link")) != 0 || len(p.of("iframe")) != 0 {
		t.Fatalf("%d scripts, %d styles, %d images", len(scripts), len(p.of("style")), len(p.of("img")))
	}
	if got := textOf(p.of("title")[0]); got != "</title><script>alert(3)</script>" {
		t.Errorf("title %q", got)
	}
	names := ""
	for _, row := range p.cells("importance-table") {
		names += row[0] + "\n"
	}
	for _, name := range []string{scriptName, closeName, "when", "flat"} {
		if !strings.Contains(names, name+"\n") {
			t.Errorf("no %q among the columns %q", name, names)
		}
	}
	var data struct {
		Target  string
		Effects []struct {
			Input  string
			Levels []string
		}
	}
	if err := json.Unmarshal([]byte(textOf(scripts[0])), &data); err != nil || attribute(scripts[0], "type") != "application/json" {
		t.Fatal(err)
	}
	levels := ""
	for _, e := range data.Effects {
		levels += strings.Join(e.Levels, "\n")
	}
	if data.Target != target || !strings.Contains(levels, imageLevel) {
		t.Errorf("target %q, levels %q", data.Target, levels)
	}
	// What a browser may run and apply is what there is, by its digest.
	var policy string
	for _, n := range p.of("meta") {
		if attribute(n, "http-equiv") == "Content-Security-Policy" {
			policy = attribute(n, "content")
		}
	}
	digest := func(n string, k int) string {
		sum := sha256.Sum256([]byte(textOf(p.of(n)[k])))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := "default-src 'none'; script-src " + digest("script", 1) + "; style-src " + digest("style", 0) + "; base-uri 'none'; form-action 'none'"
	if policy != want {
		t.Errorf("policy %q, want %q", policy, want)
	}
	for _, n := range p.elements {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "style" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	if found := regexp.MustCompile(`@import|url\(`).FindString(textOf(p.of("style")[0])); found != "" {
		t.Errorf("the style loads: %s", found)
	}
}

// The pages of very many inputs and of one are of bounded size, and short at first.
func TestWideAndNarrow(t *testing.T) {
	for _, d := range []int{1, 500} {
		m, tab := wide(t, d, 60)
		r := reported(t, m, tab, 60, report.Options{})
		page := rendered(t, r)
		p := parse(t, page)
		if len(r.Importance) != d || len(r.Effects) != d || len(r.Indices) != d || len(p.cells("importance-table")) != d || len(page) > 1_200_000 {
			t.Errorf("%d inputs: %d columns, %d effects, %d indices, %d bytes", d, len(r.Importance), len(r.Effects), len(r.Indices), len(page))
		}
		if !slices.IsSortedFunc(r.Importance, func(a, b report.Importance) int { return cmp.Compare(b.MeanAbs, a.MeanAbs) }) || r.Importance[0].MeanAbs == 0 {
			t.Errorf("%d inputs: they are not in the order of what they add", d)
		}
		for _, row := range r.Rows {
			if len(row.Parts) != min(d, 20) {
				t.Fatalf("row %d tells of %d columns", row.Row, len(row.Parts))
			}
		}
		left := ""
		for _, w := range r.Without {
			left += w.Section
		}
		if strings.Contains(left, "Interactions") != (d > 100) {
			t.Errorf("%d inputs: left out is %q", d, left)
		}
	}
}
