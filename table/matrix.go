package table

import "fmt"

// Matrix is rows of numbers, such as a [gonum.org/v1/gonum/mat.Matrix].
type Matrix interface {
	// Dims returns the numbers of rows and columns.
	Dims() (rows, columns int)
	// At returns an element, both places counted from 0.
	At(row, column int) float64
}

// ColumnsOf returns the columns of a matrix, whose values it copies. They have the names
// given or, if none are, x1, x2 and so on. NaN is a missing value. It fails with a
// [*WidthError] when the names are not one a column.
func ColumnsOf(m Matrix, names ...string) ([]Column, error) {
	rows, d := m.Dims()
	if names == nil {
		for j := range d {
			names = append(names, fmt.Sprint("x", j+1))
		}
	}
	if len(names) != d {
		return nil, &WidthError{Values: d, Names: len(names)}
	}
	columns := make([]Column, d)
	for j := range columns {
		columns[j] = Column{Name: names[j], Kind: Numeric, Values: make([]float64, rows)}
		for i := range rows {
			columns[j].Values[i] = m.At(i, j)
		}
	}
	return columns, nil
}
