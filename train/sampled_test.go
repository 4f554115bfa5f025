package train

import (
	"context"
	"reflect"
	"testing"
	"time"

	"beziergp/internal/process/elbo"
)

// onDisk gives the rows of a data set in blocks of ten.
type onDisk struct{ Data }

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

// The rows of a source that memory holds are all taken, with all that is known of them;
// of too many a sample is, and the result tells how many.
func TestRowsOfASourceInMemory(t *testing.T) {
	given := fixture(t, 203)
	given.LightTails = true
	for i := range given.Y {
		given.Weights = append(given.Weights, 1+float32(i%3))
	}
	disk := given
	disk.X, disk.Y, disk.Weights = nil, nil, nil
	disk.Source, disk.Weighted = onDisk{given}, true
	got, err := disk.inMemory(context.Background(), 1, sampledValues)
	if err != nil || !reflect.DeepEqual(got, given) {
		t.Errorf("not what was given; error %v", err)
	}
	few := Auto{Effort: Fast, Budget: time.Nanosecond, Without: []Ingredient{Fine, Smooth, Varying, Shapes}, sampled: 60 * len(given.Bases)}
	r, err := few.Fit(context.Background(), disk, Environment{})
	if err != nil || r.Sampled != 60 {
		t.Errorf("%+v rows sampled, want 60; error %v", r, err)
	}
	few.sampled = 0
	if r, err = few.Fit(context.Background(), disk, Environment{}); err != nil || r.Sampled != 0 {
		t.Errorf("sampled %+v; error %v", r, err)
	}
}

// Very many equal inputs leave Var f low at the training rows, and no learning rate to be
// lowered: the prior's variance is beyond all numbers there.
func TestDoubtOfEqualInputs(t *testing.T) {
	one := fixture(t, 40)
	data := Data{Y: one.Y}
	for j := range one.Y {
		for range 1500 {
			data.X = append(data.X, one.row(j)[0])
		}
	}
	for range 1500 {
		data.Bases = append(data.Bases, one.Bases[0])
	}
	r := Auto{Effort: Fast}.newRun(data, Environment{Workers: 2}.withDefaults())
	defer r.pool.Close()
	r.doubtSteps = 60
	d, err := r.fitDoubt(context.Background(), r.order)
	if err != nil {
		t.Fatal(err)
	}
	if known, err := r.knows(context.Background(), d, r.order); err != nil || !known {
		t.Errorf("Var f is high at training rows; error %v", err)
	}
	_, err = Paper{Steps: 2, Orderings: 1}.Fit(context.Background(), data, Environment{})
	if diverged(err) {
		if got := err.Error(); got == (&DivergedError{Step: 1}).Error() {
			t.Errorf("error %v, whose remedy cannot help", got)
		}
	}
}
