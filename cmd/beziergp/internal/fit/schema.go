package fit

import (
	"fmt"
	"strings"

	"beziergp/internal/printable"
	"beziergp/table"
)

// schema says what columns hold: how many of each kind, and the
// categories by name.
func schema(columns []table.Field) string {
	counts := map[table.Kind]int{}
	var categories []string
	for _, c := range columns {
		kind := c.Kind
		if kind == "" {
			kind = table.Numeric
		}
		counts[kind]++
		if kind == table.Category {
			made := ""
			if c.Parts != nil {
				made = fmt.Sprintf(", made of %s to %s", printable.Words(c.Parts[0]), printable.Words(c.Parts[len(c.Parts)-1]))
			}
			categories = append(categories, fmt.Sprintf("%s (%d levels%s)", printable.Name(c.Name), len(c.Levels)+c.Pooled.Len(), made))
		}
	}
	var parts []string
	for _, kind := range []table.Kind{table.Numeric, table.Boolean, table.DateTime} {
		if n := counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind)+madeOf(columns, kind))
		}
	}
	if len(categories) > 0 {
		const most = 10
		text := fmt.Sprintf("%d category: %s", len(categories), strings.Join(categories[:min(most, len(categories))], ", "))
		if more := len(categories) - most; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// madeOf says which column of a kind is made of others, if one is.
func madeOf(columns []table.Field, kind table.Kind) string {
	for _, c := range columns {
		if c.Kind == kind && c.Parts != nil {
			return fmt.Sprintf(" (%s, made of %s)", printable.Name(c.Name), printable.Words(strings.Join(c.Parts, ", ")))
		}
	}
	return ""
}
