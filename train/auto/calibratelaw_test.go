package auto

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/model"
)

// drawnClasses returns the classes of rows and the processes, [rows, classes], that their probabilities are the softmax of.
func drawnClasses(rows, classes int) (y []float32, f []float64) {
	rng := rand.New(rand.NewPCG(4, 2))
	y, f = make([]float32, rows), make([]float64, rows*classes)
	for i := range f {
		f[i] = 2 * rng.NormFloat64()
	}
	for j := range y {
		most := math.Inf(-1)
		for k, own := range f[j*classes:][:classes] { // Gumbel noise draws from the softmax
			if v := own - math.Log(rng.ExpFloat64()); v > most {
				y[j], most = float32(k), v
			}
		}
	}
	return y, f
}

// The slope of the average of members, which is not seen out of fold, is that which the likelihood
// of the targets gives an average of as many members that err as these two do; a level that all
// classes share tells nothing.
func TestSlopeOfAverage(t *testing.T) {
	const rows, classes, members, off = 20000, 3, 5, 1.0
	rng := rand.New(rand.NewPCG(4, 3))
	y, truth := drawnClasses(rows, classes)
	noisy := func(average int) []float64 {
		f := slices.Clone(truth)
		for i := range f {
			f[i] += off * rng.NormFloat64() / math.Sqrt(float64(average))
			if i%classes == 0 {
				level := 10 * rng.NormFloat64()
				for k := range classes {
					f[i+k] += level
				}
			}
		}
		return f
	}
	law := likelihood.Classes{Base: make([]float64, classes)}
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y, Outputs: 1}}, law: law}
	c := lawCalibration{Slope: 1, law: law}
	e := &ensemble{data: data, folds: [][]int{upTo(rows)}, members: make([]member, members), outOfFold: noisy(1), replicates: noisy(1)}
	f := &fitted{data: data, ensemble: e, law: c}
	w := worker{pool: simd.NewPool(2)}
	defer w.pool.Close()
	if err := f.learnAverage(t.Context(), w, plan{choices: choices{}, averages: true}); err != nil {
		t.Fatal(err)
	}
	got := f.gain
	some := upTo(calibrationRows)
	single, whole := *e, *e
	whole.outOfFold = noisy(members)
	want := c.likeliestSlope(evidence{&whole, epistemic{}, some, w.pool}) / c.likeliestSlope(evidence{&single, epistemic{}, some, w.pool})
	if want < 1.2 {
		t.Fatalf("averaging raises the slope by %g alone, of which nothing is to be learned", want)
	}
	testkit.Close(t, "slope of the average", got, min(want, mostSlope), 0.06, 0)
}

// Of a law whose mean is e^f, f is at no row more doubtful than over all rows: Var f of a row far from all others,
// which may be anything, moves no mean by orders of magnitude.
func TestDoubtOfAmountsIsLimited(t *testing.T) {
	law := likelihood.NewLaw(likelihood.Gamma{Shape: 9}, 3)
	y := []float32{1, 20, 40, 2000}
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y, Weights: []float32{1, 3, 3, 1}}}, law: law}
	data.limits = data.limitsOfLaw()
	e := &ensemble{data: data, folds: [][]int{{0, 1}, {2, 3}}, outOfFold: []float64{-2, 0, 1, 3}}
	own := e.doubtWithin(data.limits)
	testkit.Close(t, "limit of Var f", own.Variance, (6.25+3*0.25+3*0.25+6.25)/8, 1e-12, 0)
	if own.Lo != data.limits.Lo || own.Hi != data.limits.Hi || data.limits.Variance == own.Variance {
		t.Errorf("limits %+v of %+v", own, data.limits)
	}
	constant := &ensemble{data: data, folds: e.folds, outOfFold: make([]float64, 4)}
	if v := constant.doubtWithin(data.limits).Variance; v != leastDoubt {
		t.Errorf("Var f of a constant is limited to %g", v)
	}
	data.limits = own
	c := lawCalibration{Slope: 2, Epistemic: 1, law: law}
	d := c.distribution(e, epistemic{outOfFold: []float64{1e6, 0.5, 0, 0}}, 0)
	testkit.Close(t, "Var f at the limit", d.Scale*d.Scale, 4*own.Variance, 1e-12, 0)
	testkit.Close(t, "Var f within it", square(c.distribution(e, epistemic{outOfFold: []float64{1e6, 0.5, 0, 0}}, 1).Scale), 0.5, 1e-12, 0)
}

// What members predict of classes keeps the differences that tell them apart.
func TestClassesAreClampedTogether(t *testing.T) {
	d := &dataset{law: likelihood.Classes{Base: make([]float64, 3)}, limits: &model.Limits{Lo: -12, Hi: 12}}
	f := []float64{30, 20, 1, -13, -14, -15}
	d.clamp(f)
	if want := []float64{30, 20, 18, -13, -14, -15}; !slices.Equal(f, want) {
		t.Errorf("clamped to %v, want %v", f, want)
	}
}

// mislabelled returns the data of classes, with as many processes as a law of them has, of which a share of the labels is drawn anew
// by the shares of the classes, and an ensemble whose predictions out of fold are a fraction of the truth.
func mislabelled(rows, classes int, wrong, fraction float64) *ensemble {
	rng := rand.New(rand.NewPCG(7, uint64(classes)))
	y, f := drawnClasses(rows, classes)
	for j := range y {
		if rng.Float64() < wrong {
			y[j] = y[rng.IntN(rows)]
		}
	}
	var law likelihood.Likelihood = likelihood.Classes{Base: make([]float64, classes)}
	if classes == 2 { // the logit is the difference
		law = likelihood.NewLaw(likelihood.Bernoulli{}, 0)
		for j := range rows {
			f[j] = f[2*j+1] - f[2*j]
		}
		f = f[:rows]
	}
	for i := range f {
		f[i] *= fraction
	}
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y, Outputs: 1}}, law: law, limits: &model.Limits{Lo: -12, Hi: 12, Variance: 100}}
	return &ensemble{data: data, folds: [][]int{upTo(rows)}, members: make([]member, 1), outOfFold: f}
}

// A share of wrong labels is found, with the slope of the others; where all are right there are no floors.
func TestWrongLabelsAreFound(t *testing.T) {
	w := worker{pool: simd.NewPool(2)}
	defer w.pool.Close()
	for _, classes := range []int{2, 4} {
		for _, wrong := range []float64{0, 0.2} {
			e := mislabelled(10000, classes, wrong, 0.5)
			c := calibrateLaw(e, epistemic{}, w)
			total := likelihood.LabelNoise(c.law)
			what := fmt.Sprintf("%d classes, of whose labels %g are wrong", classes, wrong)
			testkit.Close(t, what+": floors", total, wrong, 0, 0.03)
			if wrong == 0 && total > 0 {
				t.Errorf("%s: floors of %g", what, total)
			}
			testkit.Close(t, what+": slope", c.Slope, 2, 0.12, 0)
		}
	}
}
