// Package markdown writes the tables and the texts of pages about benchmarks.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"beziergp/internal/printable"
)

// Head writes the first row of a table and the rule under it.
func Head(w io.Writer, names ...any) {
	all := cells(names)
	line(w, all)
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(all)))
}

// Row writes a row of a table. A cell is Markdown or a number; a []string is as many
// cells.
func Row(w io.Writer, values ...any) { line(w, cells(values)) }

func line(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

func cells(values []any) (texts []string) {
	for _, v := range values {
		if several, ok := v.([]string); ok {
			texts = append(texts, several...)
		} else {
			texts = append(texts, fmt.Sprint(v))
		}
	}
	return texts
}

// Text returns a text that may hold anything as Markdown that shows it: on one line,
// and no mark of Markdown or HTML means anything in it.
func Text(text string) string { return marks.Replace(printable.Words(text)) }

var marks = func() *strings.Replacer {
	pairs := []string{"&", "&amp;", "<", "&lt;", ">", "&gt;"}
	for _, mark := range []string{`\`, "`", "*", "[", "]", "|", "~", "#", "!", "_"} {
		pairs = append(pairs, mark, `\`+mark)
	}
	return strings.NewReplacer(pairs...)
}()

// Texts returns the [Text] of each.
func Texts(texts []string) []string {
	var shown []string
	for _, text := range texts {
		shown = append(shown, Text(text))
	}
	return shown
}
