package auto

import (
	"math"
	"testing"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// residuals of −1, 1, 2, 4 and, of a row that no member lacks, 100.
func withErrors(weights []float32, keys train.Split) *ensemble {
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: []float32{0, 2, 3, 5, 101}, Weights: weights}}, keys: keys, law: likelihood.Gaussian{}}
	return &ensemble{data: data, folds: [][]int{{0, 1}, {2, 3}}, outOfFold: []float64{1, 1, 1, 1, 1}}
}

func TestMomentsOfResiduals(t *testing.T) {
	r := withErrors(nil, train.Split{}).residuals()
	if r.Rows != 4 || r.Mean != 1.5 || r.Effective != 4 {
		t.Errorf("%+v", r)
	}
	testkit.Close(t, "deviation", r.Std, math.Sqrt(6.25+.25+.25+6.25)/2, 1e-12, 0)

	// Of weights the effective number is that of Kish, (Σw)²/Σw².
	r = withErrors([]float32{2, 0.5, 0.5, 1, 1}, train.Split{}).residuals()
	testkit.Close(t, "weighted mean", r.Mean, (-2+0.5+1+4)/4, 1e-12, 0)
	testkit.Close(t, "weighted square", r.Std*r.Std+r.Mean*r.Mean, (2+0.5+2+16)/4, 1e-12, 0)
	testkit.Close(t, "effective", r.Effective, 16/5.5, 1e-12, 0)
}

// Groups have errors in common: the means of two folds are 0 and 3, whose mean has the variance
// that two numbers tell, (1.5² + 1.5²)/(2 − 1)/2.
func TestResidualsOfRowsHeldOutTogether(t *testing.T) {
	r := withErrors(nil, train.Split{Groups: []int{1, 1, 2, 2, 3}}).residuals()
	testkit.Close(t, "variance of the mean", r.Std*r.Std/r.Effective, 2.25, 1e-12, 0)
	if r.Mean != 1.5 || r.Rows != 4 {
		t.Errorf("%+v", r)
	}
}
