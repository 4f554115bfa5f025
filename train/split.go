package train

import (
	"context"
	"errors"

	"beziergp/internal/process/descent"
)

// Split tells which rows a recipe holds out together when it chooses and calibrates, so
// that rows held out are as new to what is learned as those that will be predicted. The
// zero value leaves it to the recipe.
type Split struct {
	Groups []int     // [n] of the rows, from 0 on: those of a group are held out together
	Times  []float64 // [n] of the rows: neighbours in time are held out together
	// Held are the rows to choose and to calibrate by, [n], and no others; the members learn
	// from the rest.
	Held []bool
}

// IsZero tells whether it leaves all to the recipe.
func (s Split) IsZero() bool { return s.Groups == nil && s.Times == nil && s.Held == nil }

// Of returns that of some rows.
func (s Split) Of(rows []int) Split {
	return Split{pick(s.Groups, rows), pick(s.Times, rows), pick(s.Held, rows)}
}

func pick[T any](of []T, rows []int) (some []T) {
	if of == nil {
		return nil
	}
	for _, j := range rows {
		some = append(some, of[j])
	}
	return some
}

func (s Split) fits(rows int) bool {
	for _, n := range []int{len(s.Groups), len(s.Times), len(s.Held)} {
		if n != 0 && n != rows {
			return false
		}
	}
	return true
}

// SplitSource is a [Source] that tells which of its rows are held out together.
type SplitSource interface {
	Source
	// Split returns that of some rows, in ascending order.
	Split(ctx context.Context, rows []int) (Split, error)
}

// Splits tells whether the data say which rows are held out together. A recipe that holds
// none out refuses them.
func (d Data) Splits() bool {
	_, source := d.Source.(SplitSource)
	return source || !d.Split.IsZero()
}

// Sample returns the rows, or as many as have so many coordinates, with what splits them:
// see [descent.Rows.Sample].
func (d Data) Sample(ctx context.Context, seed uint64, coordinates int) (descent.Sample, Split, error) {
	rows, err := d.Rows().Sample(ctx, seed, coordinates)
	source, ok := d.Source.(SplitSource)
	if err != nil || !ok {
		return rows, d.Split, err
	}
	split, err := source.Split(ctx, rows.Numbers)
	if err == nil && !split.fits(rows.Len()) {
		err = errors.New("a source splits another number of rows than it has")
	}
	return rows, split, err
}
