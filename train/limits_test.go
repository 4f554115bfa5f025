package train

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/basis"
	"beziergp/box"
	"beziergp/model"
	"beziergp/surface"
	"beziergp/table"
)

// Far from all rows, in every one of many inputs at once, the variance of f, a product
// over the inputs, runs off, and the predicted one stays within what the range of the
// targets allows.
func TestVarianceStaysWithinTheTargetsFarFromRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n, d = 60, 40
	var data Data
	far := make([]table.Column, d)
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
		for range d {
			data.X = append(data.X, float32(min(max(0.5+0.12*(h+0.5*rng.NormFloat64()), 0), 1)))
		}
		data.Y = append(data.Y, float32(math.Atan(h)))
	}
	ctx := context.Background()
	r := Auto{Effort: Fast}.newRun(data, Environment{Workers: 1}.withDefaults())
	defer r.pool.Close()
	r.doubtSteps = 150
	doubt, err := r.fitDoubt(ctx, r.order)
	if err != nil {
		t.Fatal(err)
	}
	all := rows{r.data, r.order}
	s, params, err := r.fitLine(ctx, shape{Components: line, Smoothness: 1}, all, 0)
	if err != nil {
		t.Fatal(err)
	}
	q, err := (&members{surfaces: []*surface.Surface{s}, params: [][]float32{params}}).average(1)
	if err != nil {
		t.Fatal(err)
	}
	deviations := func(l *model.Limits) []float64 {
		m, err := model.New(model.Parts{Posterior: q, Inputs: data.Inputs, Target: box.Target{Name: "y", SD: 1}, Noise: 0.01, Limits: l, Doubt: doubt, Policy: box.Clip})
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
	most := (r.limits.Hi - r.limits.Lo) / 2
	if free := deviations(nil); !(free[0] > 10*most) {
		t.Fatalf("deviations %v do not run off, and nothing is tested", free)
	}
	for row, std := range deviations(r.limits) {
		if std > most*(1+1e-6) {
			t.Errorf("row %d: deviation %g of f for a mean within %g", row, std, 2*most)
		}
	}
}

// However far a process of the noise runs off, the deviation of the noise is none that no
// error had; where the process says nothing, it is the typical one.
func TestNoiseStaysWithinTheErrors(t *testing.T) {
	y := []float32{0.1, -2, 0.5, 1, -0.25}
	m := &members{outside: make([]float64, len(y)), data: Data{Y: y}}
	r := &run{limits: &model.Limits{Variance: 9}}
	fit := noiseFit{constant: 1.3, outside: []float64{50, -50, 0, 0, 0}, possible: r.possible(m, []int{0, 1, 2, 3, 4})}
	variance := []float64{0, 0, 0, 1e9, 0.5}
	for _, degrees := range tails {
		c := calibration{Noise: 0.5, Doubt: 0.1, Power: 1, Floor: -noiseRange, Tails: degrees}
		spread := 1.0 // squared deviation of the reference
		if degrees != 0 {
			spread = degrees / (degrees - 2)
		}
		held := c.held(fit)
		for row, want := range []float64{4, 0.01, 0.65 * spread, 9*spread + 0.65*spread, 0.05*spread + 0.65*spread} {
			if got := c.total(row, variance, fit, held) * spread; math.Abs(got-want) > 1e-6*want {
				t.Errorf("%g degrees of freedom, row %d: variance %g, want %g", degrees, row, got, want)
			}
		}
	}
	// All errors of one size: the typical noise is left as it was calibrated.
	fit.possible.least, fit.possible.most = 1, 1
	for _, factor := range []float64{0.5, 2} {
		c := calibration{Noise: factor, Floor: -0.5}
		if got := c.total(2, variance, fit, c.held(fit)); math.Abs(got-1.3*factor) > 1e-12 {
			t.Errorf("noise %g, want %g", got, 1.3*factor)
		}
	}
}
