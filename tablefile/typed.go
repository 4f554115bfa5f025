package tablefile

import (
	"context"

	"beziergp/table/exact"
)

// typed is a source whose cells have types of their own: Parquet, Arrow, SQL.
type typed interface {
	Names() []string
	Select(columns []int) error // indices to read, before the first Next; others are not decoded
	Keep(columns []int)         // those of them whose whole numbers are wanted, before the first Next
	Kind(column int) exact.Kind // of a column to keep, after the first Next
	// Next returns the next block and its number of rows, or io.EOF. The memory is reused by the next call.
	Next(ctx context.Context) ([]typedCells, int, error)
	Progress() (done, total int64) // total -1 if unknown
	Close() error
}

// counted is one that knows rows before it converts them.
type counted interface {
	More() int // rows behind the last block that are there for sure
}

type cellKind int

const (
	numberCells cellKind = iota
	boolCells
	timeCells
	textCells
)

type typedCells struct {
	Kind    cellKind
	Numbers []float64 // NaN where missing; bool as 0/1; times as seconds since 1970 UTC
	Texts   []string  // textCells only
	Missing []bool    // textCells only; nil if none is missing
	wide    wide      // whole numbers of numberCells
	// Integers are Numbers to the last digit, of a column to keep, where whole says that they
	// are there: times are in units of their kind.
	Integers    []int64
	keep, whole bool
}
