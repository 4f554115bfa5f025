package auto

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// ofLaw returns rows of two inputs whose targets are drawn given a natural parameter f, with an offset
// that is known where there is one.
func ofLaw(t *testing.T, n int, law likelihood.Likelihood, offsets bool, draw func(rng *rand.Rand, x []float32, offset float64) float64) train.Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 1))
	d := train.Data{Likelihood: law}
	for range 2 {
		b, err := basis.NewBernstein(4)
		if err != nil {
			t.Fatal(err)
		}
		d.Bases = append(d.Bases, b)
		d.Inputs = append(d.Inputs, box.Input{Name: fmt.Sprint("x", len(d.Inputs)), Hi: 1})
	}
	var y, known []float64
	for range n {
		x := []float32{rng.Float32(), rng.Float32()}
		offset := 0.0
		if offsets {
			offset = rng.NormFloat64()
			known = append(known, offset)
		}
		v := draw(rng, x, offset)
		d.X, d.Y, y = append(d.X, x...), append(d.Y, float32(v)), append(y, v)
		if offsets {
			d.Y = append(d.Y, float32(offset))
		}
	}
	var values likelihood.Values
	if offsets {
		d.Offset, d.Outputs, values = true, 2, likelihood.Whole(known)
	}
	started, err := law.(likelihood.Starter).Started(n, likelihood.Whole(y), values)
	if err != nil {
		t.Fatal(err)
	}
	d.Likelihood = started
	return d
}

func wave(x []float32) float64 { return 2*math.Sin(4*float64(x[0])) + float64(x[1]) }

// at returns f of a result at some points, base included, and Var f of what predicts it.
func at(t *testing.T, r *train.Result, x []float32) []float64 {
	t.Helper()
	pool := simd.NewPool(1)
	defer pool.Close()
	f := make([]float64, len(x)/2*r.Posterior.Outputs())
	if err := surface.NewEvaluator(r.Posterior, pool).Moments(context.Background(), x, f, nil); err != nil {
		t.Fatal(err)
	}
	return f
}

var points = []float32{0.1, 0.5, 0.4, 0.2, 0.7, 0.8, 0.9, 0.3}

// Truth values are learned to the probability that they were drawn with.
func TestLearnsTruthValues(t *testing.T) {
	law := likelihood.NewLaw(likelihood.Bernoulli{}, 0)
	data := ofLaw(t, 3000, law, false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		return bernoulli(rng, wave(x))
	})
	r, err := Recipe{Effort: Fast}.Fit(t.Context(), data, train.Environment{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	f := at(t, r, points)
	for p := range f {
		want := 1 / (1 + math.Exp(-wave(points[2*p:])))
		testkit.Close(t, "probability", r.Likelihood.Predictive(f[p], 0, 1).Family.Law().Mean(r.Likelihood.(likelihood.Law).Base+f[p]), want, 0, 0.06)
	}
}

// Counts are learned in proportion to their exposure: the offset is no part of f.
func TestLearnsCountsOfAnExposure(t *testing.T) {
	law := likelihood.NewLaw(likelihood.Poisson{}, 0)
	data := ofLaw(t, 3000, law, true, func(rng *rand.Rand, x []float32, offset float64) float64 {
		return poissonDraw(rng, math.Exp(wave(x)/2+offset))
	})
	r, err := Recipe{Effort: Fast}.Fit(t.Context(), data, train.Environment{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	f := at(t, r, points)
	for p := range f {
		testkit.Close(t, "log rate", r.Likelihood.(likelihood.Law).Base+f[p], wave(points[2*p:])/2, 0, 0.15)
	}
	// Where nothing is known f varies as it does over the rows, by sin(4 x) + x/2.
	const variance = 0.4382 - 0.4134*0.4134 + 1./48
	testkit.Close(t, "limit of Var f", r.Limits.Variance, variance, 0.15, 0)
}

// f of a law lies among those whose means are the targets, or a tenth of their range beyond; of zeros and of classes as
// far as 12 from the base. No mean e^f is more than a tenth above the largest target.
func TestLimitsOfLaws(t *testing.T) {
	for _, c := range []struct {
		name   string
		law    likelihood.Scalar
		base   float64
		y      []float32 // with offsets where there are as many again
		lo, hi float64
	}{
		{"amounts", likelihood.Gamma{Shape: 3}, 2, []float32{1, float32(math.Exp(5)), 20}, -2.5, 3 + math.Log(1.1)},
		{"counts", likelihood.Poisson{}, 1, []float32{1, float32(math.Exp(4))}, -1.4, 3 + math.Log(1.1)},
		{"counts with zeros", likelihood.Poisson{}, 1, []float32{0, 1}, -rangeOfLaw, -1 + math.Log(1.1)},
		{"counts, most of them zeros", likelihood.ZeroInflatedPoisson{Zeros: 0.5}, 1, []float32{0, 1}, -rangeOfLaw, math.Log(2) - 1 + 0.1*(11+math.Log(2))},
		{"truth values", likelihood.Bernoulli{}, 0.3, []float32{0, 1}, -rangeOfLaw, rangeOfLaw},
		{"numbers", likelihood.Student{Scale: 0.5, Tails: 4}, 0, []float32{-1, 4}, -1.5, 4.5},
	} {
		d := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: c.y}}, law: likelihood.NewLaw(c.law, c.base)}
		l := d.limitsOfLaw()
		testkit.Close(t, c.name+": lo", l.Lo, c.lo, 1e-6, 0)
		testkit.Close(t, c.name+": hi", l.Hi, c.hi, 1e-6, 0)
		testkit.Close(t, c.name+": variance", l.Variance, square(c.hi-c.lo)/4, 1e-6, 0)
	}
	// The offset is no part of g: a target of e² and an offset of 2 are g = 0 where the base is 0.
	rates := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: []float32{float32(math.Exp(2)), 2, float32(math.Exp(3)), 1}, Outputs: 2}}, law: likelihood.NewLaw(likelihood.Gamma{Shape: 3}, 0)}
	l := rates.limitsOfLaw()
	testkit.Close(t, "lo with offsets", l.Lo, -0.2, 1e-6, 0)
	testkit.Close(t, "hi with offsets", l.Hi, 2+math.Log(1.1), 1e-6, 0)
}

// A calibrated law has the largest mean of its members, whatever its slope and base.
func TestLimitsOfACalibratedLaw(t *testing.T) {
	of := func(law likelihood.Scalar, base float64) *dataset {
		d := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: []float32{1, float32(math.Exp(4))}}}, law: likelihood.NewLaw(law, base)}
		d.limits = d.limitsOfLaw()
		return d
	}
	for _, slope := range []float64{0.5, 2} {
		d := of(likelihood.Gamma{Shape: 3}, 1)
		l := lawCalibration{Slope: slope}.limits(d, 1.2, likelihood.NewLaw(likelihood.Gamma{Shape: 9}, 1.5))
		testkit.Close(t, "lo", l.Lo, 1.2*slope*d.limits.Lo, 1e-9, 0)
		testkit.Close(t, "hi", l.Hi, min(1.2*slope*d.limits.Hi, 4+math.Log(1.1)-1.5), 1e-6, 0)
	}
	d := of(likelihood.Student{Scale: 1, Tails: 4}, 0)
	l := lawCalibration{Slope: 2}.limits(d, 1, likelihood.NewLaw(likelihood.Student{Scale: 1, Tails: 4}, 3))
	testkit.Close(t, "hi of numbers", l.Hi, 2*d.limits.Hi, 1e-9, 0)
}

// The loss of a gamma law is in proportion to its shape: where that is learned λ rises with it, and weighs as much as before.
func TestSmoothnessKeepsItsWeightBesideALearnedLaw(t *testing.T) {
	const shape, start = 50, 2
	rng := rand.New(rand.NewPCG(3, 3))
	y, f := make([]float32, 2000), make([]float64, 2000)
	for j := range y {
		f[j] = rng.NormFloat64()
		var sum float64 // of exponentials, which is of a gamma law
		for range shape {
			sum += rng.ExpFloat64()
		}
		y[j] = float32(math.Exp(f[j]) * sum / shape)
	}
	d := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y}}, law: likelihood.NewLaw(likelihood.Gamma{Shape: start}, 0)}
	d.limits = d.limitsOfLaw()
	given := []structure{{Smoothness: 3}, {Smoothness: 0.5}}
	own, got := d.learned(&candidate{ensemble: &ensemble{data: d, folds: [][]int{upTo(len(y))}, outOfFold: f}}, nil, given, worker{})
	learnt := own.law.(likelihood.Law).Scalar.(likelihood.Gamma).Shape
	testkit.Close(t, "shape", learnt, shape, 0.1, 0)
	for i, s := range got {
		testkit.Close(t, "smoothness", s.Smoothness, given[i].Smoothness*learnt/start, 1e-3, 0)
	}
	if given[0].Smoothness != 3 {
		t.Error("the structures that were given have changed")
	}
	if same, got := d.learned(nil, nil, given, worker{}); same != d || got[0].Smoothness != 3 {
		t.Error("without a candidate there is nothing to learn, and λ has changed")
	}
}

func poissonDraw(rng *rand.Rand, mean float64) (n float64) {
	for p := rng.ExpFloat64(); p < mean; p += rng.ExpFloat64() {
		n++
	}
	return n
}

// Classes are learned to their probabilities, and no bit depends on the number of workers.
func TestLearnsClasses(t *testing.T) {
	testkit.Parallel(t)
	logits := func(x []float32) [3]float64 { return [3]float64{wave(x), 1, 3 * float64(x[1])} }
	data := ofLaw(t, 3000, likelihood.Classes{}, false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		best, most := 0, math.Inf(-1)
		for k, f := range logits(x) { // Gumbel noise draws from the softmax
			if v := f - math.Log(rng.ExpFloat64()); v > most {
				best, most = k, v
			}
		}
		return float64(best)
	})
	var results [2]*train.Result
	for i, workers := range []int{1, 3} {
		var err error
		if results[i], err = (Recipe{Effort: Fast}).Fit(t.Context(), data, train.Environment{Workers: workers}); err != nil {
			t.Fatal(err)
		}
	}
	f := at(t, results[0], points)
	for i, v := range results[1].Posterior.Params() {
		if v != results[0].Posterior.Params()[i] {
			t.Fatalf("weight %d is %g with one worker and %g with three", i, results[0].Posterior.Params()[i], v)
		}
	}
	p, law := make([]float64, 3), results[0].Likelihood.(likelihood.Several)
	for i := range len(points) / 2 {
		law.Probabilities(f[3*i:3*i+3], 0, p)
		sum, want := 0.0, logits(points[2*i:])
		for _, v := range want {
			sum += math.Exp(v)
		}
		for k := range p {
			testkit.Close(t, fmt.Sprintf("probability of class %d at %d", k, i), p[k], math.Exp(want[k])/sum, 0, 0.07)
		}
	}
}

// The second derivative along a direction is that of the loss.
func TestBendOfALaw(t *testing.T) {
	d := &dataset{law: likelihood.Classes{Base: []float64{-1, 0, 1}}}
	d.Y = []float32{1}
	f, direction := []float64{0.3, -0.2, 0.9}, []float64{1, -0.5, 0.25}
	along := func(by float64) float64 {
		at := make([]float64, 3)
		for k := range at {
			at[k] = f[k] + by*direction[k]
		}
		return d.loss(0, at)
	}
	const h = 1e-3
	testkit.Close(t, "bend", d.bend(0, f, direction), (along(h)-2*along(0)+along(-h))/(h*h), 1e-4, 1e-6)
}

// An additive model of a law is what Newton's method finds: the slopes of its losses with the
// penalty vanish.
func TestReweighted(t *testing.T) {
	law := likelihood.NewLaw(likelihood.Poisson{}, 0)
	given := ofLaw(t, 400, law, false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		return poissonDraw(rng, math.Exp(float64(x[0])-2*float64(x[1])))
	})
	data := newDataset(given.Rows(), given.Split, given.Bases, given.Inputs, given.Likelihood)
	w := worker{pool: simd.NewPool(1), progress: newProgress(train.Environment{}.WithDefaults(), 0)}
	defer w.pool.Close()
	s := structure{train.Linear, []component{additive(2)}, 0.01}
	m := member{}
	var err error
	if m.surface, err = s.surface(data, 1); err != nil {
		t.Fatal(err)
	}
	if m.params, err = reweighted(t.Context(), m.surface, s.Components[0], data, upTo(data.Len()), s.Smoothness); err != nil {
		t.Fatal(err)
	}
	f, err := m.predict(t.Context(), w, data, upTo(data.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var slope, byFirst, bySecond float64
	for j := range f {
		_, own := data.law.Loss(f[j], data.Targets(j, j+1))
		slope += own
		byFirst += own * float64(data.Row(j)[0])
		bySecond += own * float64(data.Row(j)[1])
	}
	for _, v := range []float64{slope, byFirst, bySecond} {
		testkit.Close(t, "slope of the losses", v/float64(len(f)), 0, 0, 2e-3)
	}
}
