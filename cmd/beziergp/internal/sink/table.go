package sink

import (
	"cmp"
	"context"
	"io"

	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// WriteTable writes a whole table to path, a column a name, in the format of its ending or
// as CSV.
func WriteTable(ctx context.Context, path string, stdout io.Writer, names []string, columns ...*exact.Column) error {
	out, err := Create(ctx, path, stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := tablewriter.Write(out, cmp.Or(tablewriter.Of(path), tablewriter.CSV), names, columns); err != nil {
		return err
	}
	return out.Commit()
}

// RowNumbers is a column of row numbers.
func RowNumbers(rows []int) *exact.Column {
	numbers := make([]int64, len(rows))
	for i, row := range rows {
		numbers[i] = int64(row)
	}
	return exact.Integers(numbers)
}
