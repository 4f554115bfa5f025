package beziergp

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"beziergp/box"
	"beziergp/model"
	"beziergp/rival/method"
	"beziergp/split"
)

// Validation is what one fold of a cross-validation gives.
type Validation struct {
	Fold        int          // counted from 0
	Test        []int        // the rows that are tested, ascending
	Rows        *Table       // these
	Model       Fitted       // of the training rows
	Predictions *Predictions // of Rows
}

// CrossValidate fits a model to the training rows of every fold of a table, whose rows are
// counted from 0, and predicts its test rows:
//
//	tests, err := split.InOrder(rand.Perm(t.Rows()), 5)
//	for v, err := range beziergp.CrossValidate(ctx, t, split.Of(tests), fit, beziergp.PredictOptions{}) {
//
// with a fit that calls [Fit] or [FitRival] with the training rows, as a table of their own,
// which has them in the order of t. Folds come in their order; the first error is the last that
// comes. It names the fold and is that of the fit or of the prediction, rows in it being those
// of t. A fold without a test row, and one that tests a row that it trains on, is an error.
func CrossValidate(ctx context.Context, t *Table, folds []split.Fold, fit func(ctx context.Context, fold int, train *Table) (Fitted, error), o PredictOptions) iter.Seq2[*Validation, error] {
	return func(yield func(*Validation, error) bool) {
		for k, fold := range folds {
			v, err := validate(ctx, t, k, fold, fit, o)
			if err != nil {
				yield(nil, fmt.Errorf("fold %d: %w", k+1, err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

func validate(ctx context.Context, t *Table, k int, fold split.Fold, fit func(context.Context, int, *Table) (Fitted, error), o PredictOptions) (*Validation, error) {
	train, test, err := sides(t, fold)
	if err != nil {
		return nil, err
	}
	v := &Validation{Fold: k, Test: slices.Sorted(slices.Values(fold.Test)), Rows: t.Filter(test)}
	if v.Model, err = fit(ctx, k, t.Filter(train)); err != nil {
		return nil, moveRows(err, slices.Sorted(slices.Values(fold.Train)))
	}
	if v.Predictions, err = v.Model.Predict(ctx, v.Rows, o); err != nil {
		return nil, moveRows(err, v.Test)
	}
	return v, nil
}

// sides returns which rows of t a fold trains on and which it tests, [rows].
func sides(t *Table, fold split.Fold) (train, test []bool, err error) {
	mark := func(rows []int) ([]bool, error) {
		marks := make([]bool, t.Rows())
		for _, row := range rows {
			if row < 0 || row >= len(marks) {
				return nil, fmt.Errorf("row %d of a table of %d rows, counted from 0", row, len(marks))
			}
			if marks[row] {
				return nil, fmt.Errorf("row %d, counted from 0, stands twice", row)
			}
			marks[row] = true
		}
		return marks, nil
	}
	if train, err = mark(fold.Train); err != nil {
		return nil, nil, err
	}
	if test, err = mark(fold.Test); err != nil {
		return nil, nil, err
	}
	if len(fold.Test) == 0 {
		return nil, nil, errors.New("no row is tested")
	}
	for _, row := range fold.Test {
		if train[row] {
			return nil, nil, fmt.Errorf("row %d, counted from 0, is tested and trained on", row)
		}
	}
	return train, test, nil
}

// moveRows names the row of the whole table in an error about one of some rows of it.
func moveRows(err error, rows []int) error {
	to := func(row int) int {
		if row < 1 || row > len(rows) {
			return row
		}
		return rows[row-1] + 1
	}
	var overflow *model.RowError
	var far *method.RowError
	switch {
	case errors.As(err, &overflow):
		overflow.Row = to(overflow.Row)
	case errors.As(err, &far):
		far.Row = to(far.Row)
	default:
		return box.MoveRow(err, to)
	}
	return err
}
