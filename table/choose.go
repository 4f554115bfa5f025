package table

const errMask = "table: the mask's length is not the number of rows"

// Select returns the table of the named columns, in the order of the names. It
// fails when there are no names, when one stands twice, and with an
// [*UnknownError] when there is no such column.
func (t *Table) Select(names ...string) (*Table, error) {
	if err := CheckNames(names); err != nil {
		return nil, err
	}
	columns := make([]Column, len(names))
	for k, name := range names {
		j, ok := t.index[name]
		if !ok {
			return nil, Unknown(name, t.Names())
		}
		columns[k] = t.columns[j]
	}
	return assemble(columns), nil
}

// Drop returns the table without the named columns. It fails with an
// [*UnknownError] when there is no such column, and when no column would remain.
func (t *Table) Drop(names ...string) (*Table, error) {
	drop := make(map[string]bool, len(names))
	for _, name := range names {
		if _, ok := t.index[name]; !ok {
			return nil, Unknown(name, t.Names())
		}
		drop[name] = true
	}
	var columns []Column
	for _, c := range t.columns {
		if !drop[c.Name] {
			columns = append(columns, c)
		}
	}
	if len(columns) == 0 {
		return nil, ErrNoColumns
	}
	return assemble(columns), nil
}

// Filter returns the table of the rows i for which keep[i], [n], is true. It
// panics unless keep has one element a row.
func (t *Table) Filter(keep []bool) *Table { return t.filter(keep, true) }

// Split returns the rows i for which test[i], [n], is false, and those for which
// it is true. It panics unless test has one element a row.
func (t *Table) Split(test []bool) (trainSet, testSet *Table) {
	return t.filter(test, false), t.filter(test, true)
}

// filter copies the rows i whose mask[i] is want.
func (t *Table) filter(mask []bool, want bool) *Table {
	if len(mask) != t.rows {
		panic(errMask)
	}
	rows := 0
	for _, m := range mask {
		if m == want {
			rows++
		}
	}
	columns := make([]Column, len(t.columns))
	for j, c := range t.columns {
		values := make([]float64, 0, rows)
		for i, m := range mask {
			if m == want {
				values = append(values, c.Values[i])
			}
		}
		columns[j] = NewColumn(c.Field(), values)
	}
	return assemble(columns)
}
