package beziergp_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp"
	"beziergp/metric"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// noisy is a table of rows of one input, of which every seventh lacks the target.
func noisy(t testing.TB, rows int) *beziergp.Table {
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = rng.Float64()
		y[i] = 100 + 30*math.Sin(6*x[i]) + (1+9*math.Round(x[i]))*rng.NormFloat64()
		if i%7 == 3 {
			y[i] = math.NaN()
		}
	}
	return mustTable(t, column("x", x...), column("y", y...))
}

// What is predicted out of fold is of the rows that it names, in the target's units, and of
// as many as have a member; its scores stand in the model, which is the same to the bit
// whoever asks.
func TestOutOfFold(t *testing.T) {
	ctx, tab := context.Background(), noisy(t, 700)
	var p beziergp.OutOfFold
	o := beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast, Ablation: []auto.Ingredient{auto.Fine}}}
	plain, err := beziergp.Fit(ctx, tab, "y", o)
	o.OutOfFold = &p
	asked, err2 := beziergp.Fit(ctx, tab, "y", o)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if shown(plain, nil, 0) != shown(asked, nil, 0) {
		t.Error("another model where out-of-fold predictions are asked for")
	}
	if p.Members != 4 || p.Folds != 4 || len(p.Rows) != 600 || len(p.Mean) != 600 { // of 700 rows, those with a target
		t.Fatalf("%d members of %d folds, %d rows", p.Members, p.Folds, len(p.Rows))
	}
	kept, told := plain.Profile().Scores, plain.Training().OutOfFold
	rmse, _ := kept.RMSE()
	if share, _ := kept.Coverage(); kept.Scored() != told.Rows || math.Abs(rmse/told.RMSE-1) > 1e-12 || share != told.Coverage95 || kept.Predicted.Rows() != told.Rows {
		t.Errorf("the profile has RMSE %g and coverage %g of %d rows, and training says %+v", rmse, share, kept.Scored(), told)
	}
	y, _ := tab.Column("y")
	for i, row := range p.Rows {
		if y[row-1] != p.Observed[i] {
			t.Fatalf("row %d: observed %g, in the table it is %g", row, p.Observed[i], y[row-1])
		}
	}
	if !slices.IsSorted(p.Rows) || len(slices.Compact(slices.Clone(p.Rows))) != len(p.Rows) {
		t.Error("rows are not in order")
	}
	// The recipe has the error in deviations of the target, over the same rows.
	rmse = metric.RMSE(p.Observed, p.Mean)
	if want := asked.Training().RMSE; math.Abs(rmse-want) > 1e-5*want {
		t.Errorf("RMSE %g, the recipe says %g", rmse, want)
	}
	scores := plain.Training().OutOfFold
	if scores == nil || scores.Rows != 600 || math.Abs(scores.RMSE-rmse) > 1e-9 || scores.Coverage95 != metric.Coverage(p.Observed, p.Lower, p.Upper) {
		t.Errorf("scores %+v of RMSE %g", scores, rmse)
	}
	// So are the residuals that the model keeps, in the target's units.
	var mean, square float64
	for i, v := range p.Observed {
		mean += (v - p.Mean[i]) / 600
		square += (v - p.Mean[i]) * (v - p.Mean[i]) / 600
	}
	r := plain.Training().Residuals
	if std := math.Sqrt(square - mean*mean); r == nil || r.Rows != 600 || r.Effective != 600 || math.Abs(r.Mean-mean) > 1e-4*std || math.Abs(r.Std-std) > 1e-4*std {
		t.Errorf("residuals %+v, want mean %g and deviation %g", r, mean, std)
	}
	// The noise is told apart: it is 1 on the left and 10 on the right.
	x, _ := tab.Column("x")
	var quiet, loud []float64
	for i, row := range p.Rows {
		if x[row-1] < 0.4 {
			quiet = append(quiet, p.Std[i])
		} else if x[row-1] > 0.6 {
			loud = append(loud, p.Std[i])
		}
	}
	if a, _ := metric.MeanSD(quiet); a > 4 {
		t.Errorf("deviation %g on the quiet side", a)
	}
	if b, _ := metric.MeanSD(loud); b < 7 || b > 14 {
		t.Errorf("deviation %g on the loud side", b)
	}
}

// Rows of a cache are those of the cache, whatever sample of them is learned from, and rows
// that repeat are all predicted, alike.
func TestOutOfFoldOfOtherRows(t *testing.T) {
	ctx := context.Background()
	c := cacheOf(t, noisy(t, 350), "y")
	var p beziergp.OutOfFold
	o := beziergp.Options{Recipe: least, OutOfFold: &p}
	if _, err := beziergp.FitCache(ctx, c, "y", o); err != nil {
		t.Fatal(err)
	}
	y, _ := c.Sample().Column("y") // all of them
	for i, row := range p.Rows {
		if y[row-1] != p.Observed[i] {
			t.Fatalf("row %d: observed %g, in the cache it is %g", row, p.Observed[i], y[row-1])
		}
	}
	once := []float64{0.1, 0.9, 0.3, 0.7, 0.2, 0.4, 0.8, 0.5}
	z := []float64{1, 9, 3, 8, 2, 4, 7, 6}
	n := len(once)
	if _, err := beziergp.Fit(ctx, mustTable(t, column("x", append(once, once...)...), column("y", append(z, z...)...)), "y", o); err != nil {
		t.Fatal(err)
	}
	mean := map[int]float64{}
	for i, row := range p.Rows {
		mean[row] = p.Mean[i]
	}
	if len(mean) != 2*n {
		t.Fatalf("%d rows", len(mean))
	}
	for row, v := range mean {
		if other, ok := mean[(row-1+n)%(2*n)+1]; !ok || other != v {
			t.Errorf("row %d: mean %g, its copy has %g", row, v, other)
		}
	}
}

func TestOutOfFoldOfOtherRecipes(t *testing.T) {
	_, err := beziergp.Fit(context.Background(), noisy(t, 50), "y", beziergp.Options{Recipe: paper.Recipe{Steps: 1}, OutOfFold: new(beziergp.OutOfFold)})
	var e *beziergp.OptionError
	if !errors.As(err, &e) || e.Option != "out of fold" {
		t.Errorf("error %v", err)
	}
}
