package auto

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"beziergp/internal/process/elbo"
	"beziergp/train"
)

// onDisk gives the rows of a data set in blocks of ten.
type onDisk struct{ train.Data }

func (h onDisk) Rows() int      { return len(h.Y) }
func (h onDisk) Blocks() int    { return (len(h.Y) + 9) / 10 }
func (h onDisk) BlockRows() int { return 10 }

func (h onDisk) Block(i int, b elbo.Batch) (int, error) {
	from, to, d := 10*i, min(10*i+10, len(h.Y)), len(h.Bases)
	copy(b.X, h.X[from*d:to*d])
	copy(b.Y, h.Y[from:to])
	copy(b.Weights, h.Weights[from:to])
	return to - from, nil
}

// errorsAt is the weighted error of the means at the rows that they are said to be of.
func errorsAt(given train.Data, o *train.OutOfFold) float64 {
	var sum, weights float64
	for i, row := range o.Rows {
		w := float64(given.Weights[row])
		sum, weights = sum+w*square(o.Mean[i]-float64(given.Y[row])), weights+w
	}
	return math.Sqrt(sum / weights)
}

// The rows of a source that memory holds are all taken, with all that is known of them;
// of too many a sample is, and the result tells how many.
func TestRowsOfASourceInMemory(t *testing.T) {
	given := fixture(t, 203)
	for i := range given.Y {
		given.Weights = append(given.Weights, 1+float32(i%3))
	}
	disk := given
	disk.X, disk.Y, disk.Weights = nil, nil, nil
	disk.Source, disk.Weighted = onDisk{given}, true
	got, err := disk.Rows().Sample(context.Background(), 1, 1<<20)
	if err != nil || !reflect.DeepEqual(got.Rows, given.Rows()) {
		t.Errorf("not what was given; error %v", err)
	}
	few := Recipe{Effort: Fast, Budget: time.Nanosecond, Ablation: []Ingredient{Fine, Smoothness, VaryingNoise, DensityRatio}, coordinates: 60 * len(given.Bases)}
	r, err := few.Fit(context.Background(), disk, train.Environment{})
	if err != nil || r.Sampled != 60 {
		t.Errorf("%+v rows sampled, want 60; error %v", r, err)
	}
	rows := r.OutOfFold.Rows
	whole := slices.Sorted(slices.Values(rows))
	if len(rows) != 60 || r.OutOfFold.Members != 4 || r.OutOfFold.Folds != 4 || whole[59] < 100 || len(slices.Compact(whole)) != 60 {
		t.Errorf("out of fold: rows %v of %d of %d folds", rows, r.OutOfFold.Members, r.OutOfFold.Folds)
	}
	if at := errorsAt(given, r.OutOfFold); !(at < 1.2*r.RMSE) {
		t.Errorf("error %g at the rows that are named, %g out of fold", at, r.RMSE)
	}
	few.coordinates = 0
	if r, err = few.Fit(context.Background(), disk, train.Environment{}); err != nil || r.Sampled != 0 {
		t.Errorf("sampled %+v; error %v", r, err)
	}
}

// Very many equal inputs leave Var f low at the training rows, and no learning rate to be
// lowered: the prior's variance is beyond all numbers there.
func TestVarianceOfEqualInputs(t *testing.T) {
	one := fixture(t, 40)
	data := train.Data{Y: one.Y}
	for j := range one.Y {
		for range 1500 {
			data.X = append(data.X, one.Rows().Row(j)[0])
		}
	}
	for range 1500 {
		data.Bases = append(data.Bases, one.Bases[0])
	}
	d, p, w := prepared(data, 2)
	defer w.pool.Close()
	p.epistemicSteps = 60
	m, err := fitVariance(context.Background(), w, p, d, d.order)
	if err != nil {
		t.Fatal(err)
	}
	if known, err := belowPrior(context.Background(), w, d, m, d.order); err != nil || !known {
		t.Errorf("Var f is high at training rows; error %v", err)
	}
}
