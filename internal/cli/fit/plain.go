package fit

import (
	"fmt"

	"beziergp/internal/cli/source"
	"beziergp/table"
	"beziergp/tablefile"
)

// plain refuses what a model takes for a number though it is none: levels of
// categories, and values that are missing.
func plain(rows *table.Table, t *source.Table, data string) error {
	for _, name := range rows.Names() {
		field, _ := rows.Field(name)
		if field.Kind == table.Category {
			return &tablefile.Error{File: source.Name(data), Column: name,
				Problem: fmt.Sprintf("holds text, a category of %d levels, which a model does not take yet", len(field.Levels)),
				Remedy:  "leave it out with --exclude"}
		}
		values, _ := rows.Column(name)
		for i, v := range values {
			if v != v {
				return &tablefile.Error{File: source.Name(data), Row: t.FileRow(i + 1), Column: name, Problem: "there is no value",
					Remedy: "fill it in, remove the row or exclude the column"}
			}
		}
	}
	return nil
}
