package infer

import (
	"math"
	"slices"

	"beziergp/internal/printable"
	"beziergp/server/oip"
	"beziergp/server/repository"
	"beziergp/table"
)

// Rows returns the columns of a model, [columns] of n values each, from tensors: one a column,
// of shape [n] or [n, 1], or a single one of shape [n, columns].
func (s *Service) Rows(m *repository.Loaded, inputs []oip.Tensor) ([][]float64, error) {
	fields := m.Columns()
	for i := range inputs {
		if v, ok := inputs[i].Parameters["content_type"]; ok {
			if err := contentType(v); err != nil {
				return nil, err
			}
		}
	}
	columns := make([][]float64, len(fields))
	if whole, err := s.matrix(m, inputs); whole != nil || err != nil {
		return whole, err
	}
	rows := 0
	for i := range inputs {
		t := &inputs[i]
		k := slices.IndexFunc(fields, func(f table.Field) bool { return f.Name == t.Name })
		if k < 0 {
			return nil, unknownName("input", t.Name, names(fields))
		}
		if columns[k] != nil {
			return nil, oip.Errorf(oip.Invalid, "input %s stands twice", printable.Quoted(t.Name))
		}
		n, width, err := t.Rows(s.options.Elements)
		if err != nil {
			return nil, err
		}
		if width != 1 || len(t.Shape) > 2 {
			return nil, oip.Errorf(oip.Invalid, "input %s: shape %v; a column has [rows] or [rows, 1]", printable.Quoted(t.Name), t.Shape)
		}
		if i > 0 && n != rows {
			return nil, oip.Errorf(oip.Invalid, "input %s has %d rows, and %s has %d", printable.Quoted(t.Name), n, printable.Quoted(inputs[0].Name), rows)
		}
		rows = n
		if n*len(fields) > s.options.Elements {
			return nil, oip.Errorf(oip.TooLarge, "%d rows of %d columns are more than %d values; send fewer rows at a time", n, len(fields), s.options.Elements)
		}
		if columns[k], err = column(m, k, t, 0, 1, n); err != nil {
			return nil, s.told(err)
		}
	}
	for k := range columns {
		if columns[k] == nil {
			return nil, oip.Errorf(oip.Invalid, "input %s is missing; send one for every column, with NaN or an empty text for values that are not known", printable.Quoted(fields[k].Name))
		}
	}
	return columns, nil
}

// matrix returns the columns of a single tensor of all of them; nil where it is none.
func (s *Service) matrix(m *repository.Loaded, inputs []oip.Tensor) ([][]float64, error) {
	fields := m.Columns()
	if len(inputs) != 1 || len(inputs[0].Shape) != 2 || inputs[0].Shape[1] == 1 {
		return nil, nil
	}
	t := &inputs[0]
	n, width, err := t.Rows(s.options.Elements)
	if err != nil {
		return nil, err
	}
	if width != len(fields) {
		return nil, oip.Errorf(oip.Invalid, "input %s: shape %v, and the model has %d columns", printable.Quoted(t.Name), t.Shape, len(fields))
	}
	columns := make([][]float64, width)
	for k := range columns {
		if columns[k], err = column(m, k, t, k, width, n); err != nil {
			return nil, s.told(err)
		}
	}
	return columns, nil
}

// column returns n values of column k: elements of a tensor from one on, every so many.
func column(m *repository.Loaded, k int, t *oip.Tensor, from, step, n int) ([]float64, error) {
	fields, out := m.Columns(), make([]float64, n)
	for i := range out {
		at := from + i*step
		var err error
		switch {
		case t.IsMissing(at):
			out[i] = math.NaN()
		case t.Floats != nil:
			out[i], err = m.Schema.Number(k, t.Floats[at])
		case t.Integers != nil:
			out[i], err = m.Schema.Value(k, t.Integers[at])
		case t.Unsigned != nil:
			out[i], err = m.Schema.Value(k, t.Unsigned[at])
		case t.Truths != nil:
			out[i], err = m.Schema.Value(k, truthOf(fields[k].Kind, t.Truths[at]))
		default:
			out[i], err = m.Schema.Value(k, t.Texts[at])
		}
		if err != nil {
			return nil, &RowError{i + 1, err}
		}
	}
	return out, nil
}

// truthOf returns an element of a tensor of truth values. In a column of numbers it is 1 or 0, as
// in a column of truth values of a file with types: the type of the tensor says that it is meant,
// where a lone true in a row of JSON is more likely a mistake.
func truthOf(kind table.Kind, v bool) any {
	switch {
	case kind != table.Numeric:
		return v
	case v:
		return 1
	}
	return 0
}

func names(fields []table.Field) []string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.Name
	}
	return all
}
