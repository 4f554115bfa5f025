package table

import "slices"

// FindJoined returns the fields that columns among these names make: a date-time ([Table.FindDate]), and categories of the
// other columns ([Table.FindOneHot]). Further names are those of columns that stay as they are.
func (t *Table) FindJoined(names, further []string) (fields []Field) {
	if date, ok := t.FindDate(names); ok {
		fields = append(fields, date)
		names = slices.DeleteFunc(slices.Clone(names), date.HasPart)
	}
	return append(fields, t.FindOneHot(names, further)...)
}

// PartKind returns the kind of the columns that a field in parts is made of: numbers of a
// date-time ([Date]), and truth values of a category ([OneHot]).
func (f Field) PartKind() Kind {
	if f.Kind == Category {
		return Boolean
	}
	return Numeric
}

// HasPart tells whether a column is one of the parts of the field.
func (f Field) HasPart(name string) bool { return slices.Contains(f.Parts, name) }

// Fails tells whether a value of the field, in parts, is one of parts that make none: no date, or no level.
func (f Field) Fails(v float64) bool { return v != v || f.Kind == Category && int(v) >= len(f.Levels) }

// Joiner makes values of a field that has parts of the values of these.
type Joiner struct {
	parts int
	codes []float64 // of a category: of every part, of none of them, and of what is no level the level's number
}

// NewJoiner returns the joiner of a field with parts. The levels of a category are names of parts, and [NoLevel] may be one.
func NewJoiner(f Field) Joiner {
	j := Joiner{parts: len(f.Parts)}
	if f.Kind == Category {
		j.codes = Field{Levels: append(slices.Clone(f.Parts), NoLevel)}.Codes(f)
	}
	return j
}

// Join returns the field's value of a row: the [Date] of its parts, or the level that is its [OneHot].
func (j Joiner) Join(parts ...float64) float64 {
	if j.codes == nil {
		return Date(parts...)
	}
	level := OneHot(parts...)
	if level == level {
		level = j.codes[int(level)]
	}
	return level
}

// JoinAll writes the field's value of every row to dst, [n], given those of the parts, [parts][n].
func (j Joiner) JoinAll(dst []float64, parts [][]float64) {
	j.each(len(dst), parts, func(i int, v float64) bool {
		dst[i] = v
		return true
	})
}

// each visits the field's values of n rows in order for as long as that is true, and tells whether it was of all.
func (j Joiner) each(n int, parts [][]float64, visit func(i int, v float64) bool) bool {
	row := make([]float64, j.parts)
	for i := range n {
		for k, values := range parts {
			row[k] = values[i]
		}
		if !visit(i, j.Join(row...)) {
			return false
		}
	}
	return true
}

// columnOf returns the column that a field is read from: where the table has its parts, that which
// they make, and else the column of its name.
func (t *Table) columnOf(f Field) (Column, error) {
	if f.Parts == nil || t.has(f.Name) && !slices.ContainsFunc(f.Parts, t.has) {
		j, ok := t.index[f.Name]
		if !ok {
			return Column{}, Unknown(f.Name, t.Names())
		}
		return t.columns[j], nil
	}
	parts := make([][]float64, len(f.Parts))
	for k, name := range f.Parts {
		j, ok := t.index[name]
		if !ok {
			return Column{}, Unknown(name, t.Names())
		}
		var err error
		if parts[k], err = t.columns[j].As(Field{Name: name, Kind: f.PartKind()}); err != nil {
			return Column{}, err
		}
	}
	values := make([]float64, t.rows)
	NewJoiner(f).JoinAll(values, parts)
	return NewColumn(f, values), nil
}

func (t *Table) has(name string) bool {
	_, ok := t.index[name]
	return ok
}

// WithJoined returns the table with fields that have parts behind its columns. It fails where
// the parts are not there, or are of another kind.
func (t *Table) WithJoined(fields ...Field) (*Table, error) {
	columns := slices.Clone(t.columns)
	for _, f := range fields {
		c, err := t.columnOf(f)
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return assemble(columns), nil
}

// ValuesAs returns the values of a field of a model as it has them: of one in parts those that the
// parts make, and of a category the numbers of its own levels. It fails with an
// [*UnknownError] where the table has no such column, and with a [*KindError] where it is
// another kind.
func (t *Table) ValuesAs(f Field) ([]float64, error) {
	c, err := t.columnOf(f)
	if err != nil {
		return nil, err
	}
	return c.As(f)
}
