package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/table"
	"beziergp/train"
)

// Far from all rows, in every one of many inputs at once, the variance of f, a product
// over the inputs, runs off, and the predicted one stays within what the range of the
// targets allows.
func TestVarianceStaysWithinTheTargetsFarFromRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n, inputs = 60, 40
	var data train.Data
	far := make([]table.Column, inputs)
	for i := range far {
		one, err := basis.NewBernstein(1)
		if err != nil {
			t.Fatal(err)
		}
		data.Bases = append(data.Bases, one)
		data.Inputs = append(data.Inputs, box.Input{Name: string(rune('A' + i)), Hi: 1})
		far[i] = table.Column{Name: data.Inputs[i].Name, Values: []float64{-0.1, -0.05, 1.05, 1.1}}
	}
	for range n {
		h := rng.NormFloat64()
		for range inputs {
			data.X = append(data.X, float32(min(max(0.5+0.12*(h+0.5*rng.NormFloat64()), 0), 1)))
		}
		data.Y = append(data.Y, float32(math.Atan(h)))
	}
	ctx := context.Background()
	d, p, w := prepared(data, 1)
	defer w.pool.Close()
	p.epistemicSteps = 150
	v, err := fitVariance(ctx, w, p, d, d.order)
	if err != nil {
		t.Fatal(err)
	}
	variance, err := v.auxiliary(d)
	if err != nil {
		t.Fatal(err)
	}
	m, err := fitAdditive(ctx, w, d, d.order, structure{Components: []component{additive(2)}, Smoothness: 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	q, err := average([]member{m}, 1)
	if err != nil {
		t.Fatal(err)
	}
	deviations := func(l *model.Limits) []float64 {
		m, err := model.New(model.Parts{Posterior: q, Inputs: data.Inputs, Outputs: []model.Output{{Target: box.Target{Name: "y", SD: 1}, Noise: 0.01, Limits: l, Epistemic: variance}}, Policy: box.Clip})
		if err != nil {
			t.Fatal(err)
		}
		tab, err := table.New(far...)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(ctx, tab, model.PredictOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return p.StdF
	}
	// A variable within [lo, hi] has a deviation of at most (hi − lo)/2.
	most := (d.limits.Hi - d.limits.Lo) / 2
	if free := deviations(nil); !(free[0] > 10*most) {
		t.Fatalf("deviations %v do not run off, and nothing is tested", free)
	}
	for row, std := range deviations(d.limits) {
		if std > most*(1+1e-6) {
			t.Errorf("row %d: deviation %g of f for a mean within %g", row, std, 2*most)
		}
	}
}

// However far a process of the noise runs off, its variance is none that no error had;
// where the process says nothing, it is the typical one.
func TestNoiseStaysWithinTheErrors(t *testing.T) {
	y := []float32{0.1, -2, 0.5, 1, -0.25}
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y}}, law: likelihood.Gaussian{}}
	e := (&ensemble{data: data, folds: [][]int{upTo(5)}, outOfFold: make([]float64, len(y))}).errorRange()
	if math.Abs(e.least-0.01) > 1e-8 || e.most != 4 {
		t.Fatalf("errors %+v", e)
	}
	const constant = 1.3
	for _, degrees := range degreesOfFreedom {
		c := calibration{Noise: 0.5, Power: 1, Floor: -noiseRange, Tails: degrees}
		spread := 1.0 // squared deviation of the reference
		if degrees != 0 {
			spread = degrees / (degrees - 2)
		}
		lo, hi := c.within(constant, e)
		for s, want := range map[float64]float64{lo: e.least, hi: e.most} {
			if got := c.Noise * constant * math.Exp(s) * spread; math.Abs(got-want) > 1e-6*want {
				t.Errorf("%g degrees of freedom: variance %g at the end, want %g", degrees, got, want)
			}
		}
	}
	// All errors of one size: the typical noise is left as it was calibrated.
	for _, factor := range []float64{0.5, 2} {
		c := calibration{Noise: factor, Floor: -0.5}
		if lo, hi := c.within(constant, errorRange{1, 1}); lo > 0 || hi < 0 {
			t.Errorf("a factor of one is out of [%g, %g]", lo, hi)
		}
	}
}
