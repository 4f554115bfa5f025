package beziergp_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/box"
	"beziergp/rival/method/constant"
	"beziergp/rival/method/linear"
	"beziergp/split"
	"beziergp/table"
)

// constantFit is the mean of the training rows.
func constantFit(o beziergp.RivalOptions) func(context.Context, int, *beziergp.Table) (beziergp.Fitted, error) {
	return func(ctx context.Context, _ int, train *beziergp.Table) (beziergp.Fitted, error) {
		m, err := beziergp.FitRival(ctx, train, "y", constant.Method{}, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

// Every fold is predicted by what its training rows alone tell: here their mean.
func TestCrossValidate(t *testing.T) {
	tab := mustTable(t, column("x", 1, 2, 3, 4, 5, 6), column("y", 10, 20, 40, 80, 160, 320))
	folds := []split.Fold{{Train: []int{5, 0, 1}, Test: []int{3, 2}}, {Train: []int{2, 3}, Test: []int{4}}}
	want := []struct {
		test []int
		mean float64
	}{{[]int{2, 3}, 350. / 3}, {[]int{4}, 60}}
	k := 0
	for v, err := range beziergp.CrossValidate(context.Background(), tab, folds, constantFit(beziergp.RivalOptions{}), beziergp.PredictOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if v.Fold != k || !slices.Equal(v.Test, want[k].test) || len(v.Predictions.Mean) != len(v.Test) {
			t.Fatalf("fold %d: %+v", k, v)
		}
		for _, mean := range v.Predictions.Mean {
			if math.Abs(mean-want[k].mean) > 1e-12 {
				t.Errorf("fold %d: mean %g, want %g", k, mean, want[k].mean)
			}
		}
		k++
	}
	if k != 2 {
		t.Errorf("%d folds", k)
	}
	for range beziergp.CrossValidate(context.Background(), tab, folds, constantFit(beziergp.RivalOptions{}), beziergp.PredictOptions{}) {
		break // nobody waits for the rest
	}
}

// A level that no training row has is one that the model does not know.
func TestCrossValidateKnowsTheLevelsOfItsRows(t *testing.T) {
	c := beziergp.Column{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}, Values: []float64{0, 0, 1, 0}}
	tab := mustTable(t, c, column("x", 1, 2, 3, 4), column("y", 1, 2, 3, 5))
	fold := []split.Fold{{Train: []int{0, 1, 3}, Test: []int{2}}}
	o := beziergp.PredictOptions{}
	for v, err := range beziergp.CrossValidate(context.Background(), tab, fold, constantFit(beziergp.RivalOptions{OutOfBox: beziergp.Clip}), o) {
		if err != nil || v.Predictions.InBox[0] {
			t.Errorf("%+v, %v", v, err)
		}
	}
}

// Errors name the fold, and the row of the whole table.
func TestCrossValidateFails(t *testing.T) {
	tab := mustTable(t, column("x", 1, 2, 3, 99, 5, 6), column("y", 10, 20, 40, 80, 160, 320))
	good := split.Fold{Train: []int{0, 1, 2}, Test: []int{4}}
	bounded := constantFit(beziergp.RivalOptions{Bounds: map[string]beziergp.Bounds{"x": {Lo: 0, Hi: 10}}})
	refusing := constantFit(beziergp.RivalOptions{OutOfBox: beziergp.Refuse})
	for says, c := range map[string]struct {
		fold split.Fold
		fit  func(context.Context, int, *beziergp.Table) (beziergp.Fitted, error)
		row  int
	}{
		"fold 2: row 4, column \"x\": 99":       {split.Fold{Train: []int{1, 3, 5}, Test: []int{0}}, bounded, 4},
		"fold 2: row 5, column \"x\": 5":        {split.Fold{Train: []int{0, 1}, Test: []int{4}}, refusing, 5},
		"fold 2: row 6 of a table of 6 rows":    {split.Fold{Train: []int{0, 6}, Test: []int{4}}, bounded, 0},
		"fold 2: row -1 of a table":             {split.Fold{Train: []int{0, 1}, Test: []int{-1}}, bounded, 0},
		"row 1, counted from 0, stands twice":   {split.Fold{Train: []int{1, 1, 2}, Test: []int{4}}, bounded, 0},
		"row 2, counted from 0, is tested and":  {split.Fold{Train: []int{1, 2}, Test: []int{2}}, bounded, 0},
		"fold 2: no row is tested":              {split.Fold{Train: []int{0, 1, 2}}, bounded, 0},
		"fold 2: too few training rows with a ": {split.Fold{Train: []int{0}, Test: []int{1}}, bounded, 0},
	} {
		fit := func(ctx context.Context, k int, train *beziergp.Table) (beziergp.Fitted, error) {
			if k == 0 {
				return constantFit(beziergp.RivalOptions{})(ctx, k, train)
			}
			return c.fit(ctx, k, train)
		}
		var last error
		n := 0
		for _, last = range beziergp.CrossValidate(context.Background(), tab, []split.Fold{good, c.fold, good}, fit, beziergp.PredictOptions{}) {
			n++
		}
		if n != 2 || last == nil || !strings.Contains(last.Error(), says) {
			t.Errorf("%s: %d folds, error %v", says, n, last)
		}
		var at box.RowError
		if errors.As(last, &at) != (c.row > 0) || c.row > 0 && at.At().Row != c.row {
			t.Errorf("%s: error %v", says, last)
		}
	}
}

// Scores fold by fold: RMSE of rows that the model has not seen.
func ExampleCrossValidate() {
	x, y := make([]float64, 60), make([]float64, 60)
	for i := range x {
		x[i] = float64(i % 17)
		y[i] = 3*x[i] + float64(i%3)
	}
	t, err := beziergp.NewTable(table.ColumnOf("x", x), table.ColumnOf("y", y))
	if err != nil {
		log.Fatal(err)
	}
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	tests, err := split.InOrder(order, 3) // of a random order, random folds
	if err != nil {
		log.Fatal(err)
	}
	fit := func(ctx context.Context, _ int, train *beziergp.Table) (beziergp.Fitted, error) {
		return beziergp.FitRival(ctx, train, "y", linear.Method{}, beziergp.RivalOptions{}) // or Fit
	}
	for v, err := range beziergp.CrossValidate(context.Background(), t, split.Of(tests), fit, beziergp.PredictOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		var squares float64
		for i, row := range v.Test {
			squares += (y[row] - v.Predictions.Mean[i]) * (y[row] - v.Predictions.Mean[i])
		}
		fmt.Printf("fold %d: RMSE %.3f\n", v.Fold+1, math.Sqrt(squares/float64(len(v.Test))))
	}
	// Output:
	// fold 1: RMSE 0.808
	// fold 2: RMSE 0.845
	// fold 3: RMSE 0.813
}
