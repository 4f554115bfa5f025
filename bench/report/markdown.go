package report

import (
	"strings"

	"beziergp/internal/printable"
)

// markdown returns a text of a record, or of a table of published figures, as Markdown
// that shows it: on one line, and no mark of Markdown or HTML means anything in it.
func markdown(text string) string { return marks.Replace(printable.Words(text)) }

var marks = func() *strings.Replacer {
	pairs := []string{"&", "&amp;", "<", "&lt;", ">", "&gt;"}
	for _, mark := range []string{`\`, "`", "*", "[", "]", "|", "~", "#", "!", "_"} {
		pairs = append(pairs, mark, `\`+mark)
	}
	return strings.NewReplacer(pairs...)
}()

// markdowns returns the texts as Markdown.
func markdowns(texts []string) []string {
	var shown []string
	for _, text := range texts {
		shown = append(shown, markdown(text))
	}
	return shown
}
