package tablefile

import (
	"slices"

	"beziergp/table"
)

// OutOfCore is where rows go of which there are too many for memory.
type OutOfCore struct {
	// Bytes is the memory that the values of the rows may take.
	Bytes int64
	// Create makes the sink when it is needed. coded tells which columns hold indices
	// whose meaning is not known before the last row; number returns what a cell of one of
	// them is if the column turns out to hold numbers or truth values, NaN if it is missing,
	// and whether it is any of these.
	// Create is called once more where all rows are to come once more.
	Create func(coded []bool, number func(column int, index float64) (float64, bool)) (Sink, error)
	sink   Sink
}

// Sink takes rows.
type Sink interface {
	// Append takes n rows, columns[j][:n], in order. They are not kept.
	Append(columns [][]float64, n int) error
}

// Stored tells what the values of rows out of core stand for.
type Stored struct {
	Fields []table.Field // of the columns, in order
	// Meaning holds, for a coded column, the value that each index stands for; nil for
	// the others.
	Meaning [][]float64
}

func (s *OutOfCore) begun() bool { return s != nil && s.sink != nil }

// take hands over what the columns hold, once that is too much.
func (s *OutOfCore) take(columns []column) error {
	const float64Bytes = 8
	if s == nil || !s.begun() && int64(len(columns)*len(columns[0].values)*float64Bytes) <= s.Bytes {
		return nil
	}
	if !s.begun() {
		coded := make([]bool, len(columns))
		for k, c := range columns {
			coded[k] = c.plan.form == wordForm
		}
		var err error
		number := func(k int, index float64) (float64, bool) { return columns[k].numberOf(index) }
		if s.sink, err = s.Create(coded, number); err != nil {
			return err
		}
	}
	values := make([][]float64, len(columns))
	for k, c := range columns {
		values[k] = c.values
	}
	n := len(values[0])
	if err := s.sink.Append(values, n); err != nil {
		return err
	}
	for k := range columns {
		columns[k].values = columns[k].values[:0]
		if cap(columns[k].values) > 4*n { // what was held before the first time
			columns[k].values = nil
		}
	}
	return nil
}

// stored gives columns out of core their kinds.
func (r *Reader) stored(columns []column, s *OutOfCore) (*Stored, error) {
	if err := s.take(columns); err != nil {
		return nil, err
	}
	out := &Stored{}
	for k := range columns {
		c := &columns[k]
		if c.changed() {
			return nil, c.onlyOnce(r)
		}
		typed, err := c.typed()
		if err != nil {
			return nil, err
		}
		out.Fields = append(out.Fields, typed.Field())
		out.Meaning = append(out.Meaning, slices.Clone(c.meaning))
	}
	return out, nil
}
