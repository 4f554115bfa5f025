package model_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/model"
	"beziergp/predictive"
)

// changed returns the fixture with what change does to its output.
func changed(t testing.TB, change func(o *model.Output)) *model.Model {
	t.Helper()
	plain, _ := fixture(t)
	p := model.Parts{Posterior: plain.Posterior(), Inputs: plain.Inputs(), Outputs: []model.Output{plain.Output()}, Policy: plain.Policy(), Training: plain.Training()}
	change(&p.Outputs[0])
	m, err := model.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// predictedMean is the scaling of the predicted mean that auxiliary surfaces take.
func predictedMean() *box.Input { return &box.Input{Name: "predicted mean", Lo: -3, Hi: 3} }

// noise returns one of the fixture's inputs with weights of this size.
func noise(t testing.TB, spread, lo, hi float64) *model.Auxiliary {
	return &model.Auxiliary{Surface: random(t, 3, spread), Predicted: predictedMean(), Limits: &model.Limits{Lo: lo, Hi: hi}}
}

// varying returns a noise whose logarithm is far above hi somewhere.
func varying(t testing.TB, hi float64) *model.Auxiliary { return noise(t, 4, -1, hi) }

// ratio returns the logarithm of a density ratio with weights of this size.
func ratio(t testing.TB, spread float64) *model.Auxiliary {
	return &model.Auxiliary{Surface: random(t, 4, spread), Predicted: predictedMean(), U: true, Limits: model.LogRatioLimits()}
}

// What is clamped within limits is within, is marked, and leaves rows alone that are
// within anyway.
func TestWhatIsHeldIsMarked(t *testing.T) {
	free, _ := fixture(t)
	was := predict(t, free, rows(t), model.PredictOptions{})
	low, high := slices.Min(was.Mean), slices.Max(was.Mean)
	least, most := slices.Min(was.StdF), slices.Max(was.StdF)
	if low == high || least == most {
		t.Fatal("the fixture is of no use")
	}
	mean, std := (low+high)/2, (least+most)/2
	l := &model.Limits{Lo: -1e6, Hi: (mean - 100) / 5, Variance: std * std / 25}
	m := changed(t, func(o *model.Output) { o.Limits = l })
	p := predict(t, m, rows(t), model.PredictOptions{})
	for row, clamped := range p.Clamped {
		want := model.Clamped(0)
		if !p.InBox[row] {
			want |= model.ClampedInputs
		}
		if was.Mean[row] > mean {
			want |= model.ClampedMean
		}
		if was.StdF[row] > std {
			want |= model.ClampedStd
		}
		if clamped != want {
			t.Errorf("row %d: clamped %v, want %v", row, clamped, want)
		}
		if p.Mean[row] > mean*(1+1e-12) || p.StdF[row] > std*(1+1e-12) {
			t.Errorf("row %d: %g ± %g beyond %g and %g", row, p.Mean[row], p.StdF[row], mean, std)
		}
		if want&^model.ClampedInputs == 0 && (p.Mean[row] != was.Mean[row] || p.Std[row] != was.Std[row]) {
			t.Errorf("row %d is within the limits and is changed", row)
		}
	}
	// A model without these limits, as from an older file, marks the box alone.
	for row, clamped := range was.Clamped {
		if clamped&^model.ClampedInputs != 0 {
			t.Errorf("row %d: clamped %v where there is no limit", row, clamped)
		}
	}
	again, err := model.Read(bytes.NewReader(saved(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if got := *again.Output().Limits; got != *l {
		t.Errorf("limits %+v read as %+v", *l, got)
	}
}

// A noise above its limit is clamped and marked, and so is a shape.
func TestNoiseAndShapeThatAreHeld(t *testing.T) {
	of := func(noise, ratio *model.Auxiliary) *model.Predictions {
		m := changed(t, func(o *model.Output) { o.LogNoise, o.DensityRatio = noise, ratio })
		return predict(t, m, rows(t), model.PredictOptions{})
	}
	free, clamped := of(varying(t, 1e6), nil), of(varying(t, 0.5), nil)
	marked := 0
	for row := range clamped.Clamped {
		if is := clamped.Clamped[row]&model.ClampedStd != 0; is != (free.Std[row] > clamped.Std[row]) {
			t.Errorf("row %d: deviation %g, of a free noise %g, clamped %v", row, clamped.Std[row], free.Std[row], is)
		} else if is {
			marked++
		}
	}
	if marked == 0 {
		t.Error("no row is clamped")
	}
	for spread, want := range map[float64]bool{0.5: false, 20: true} {
		p := of(nil, ratio(t, spread))
		if got := slices.ContainsFunc(p.Clamped, func(h model.Clamped) bool { return h&model.ClampedShape != 0 }); got != want {
			t.Errorf("weights of size %g: a shape is clamped: %v", spread, got)
		}
	}
}

func TestHeldAsText(t *testing.T) {
	for clamped, want := range map[model.Clamped]string{
		0: "none", model.ClampedMean: "mean", model.ClampedMean | model.ClampedStd: "mean+std",
		model.ClampedInputs | model.ClampedShape | model.ClampedInterval: "inputs+shape+interval",
	} {
		if got := clamped.String(); got != want {
			t.Errorf("%d is %q, want %q", clamped, got, want)
		}
	}
}

// A weight so large that a shape, a noise or a variance is no number is an error that
// names the row, and nothing is predicted.
func TestOverflowIsAnError(t *testing.T) {
	for name, change := range map[string]func(o *model.Output, spread float64){
		"shape": func(o *model.Output, spread float64) {
			o.DensityRatio = ratio(t, spread)
		},
		"noise": func(o *model.Output, spread float64) {
			o.LogNoise = noise(t, spread, -8, 8)
		},
	} {
		for _, spread := range []float64{1e25, 3e37} {
			m := changed(t, func(o *model.Output) { change(o, spread) })
			p, err := m.Predict(context.Background(), rows(t), model.PredictOptions{})
			var bad *model.RowError
			if err != nil && !errors.As(err, &bad) {
				t.Errorf("%s of %g: %v", name, spread, err)
			}
			if spread > 1e30 && (bad == nil || bad.Row < 1 || !strings.Contains(err.Error(), "train it again")) {
				t.Errorf("%s of %g: error %v", name, spread, err)
			}
			if err == nil {
				allFinite(t, p)
			}
		}
	}
}

// An overflow is told of the row that it is, counted over blocks, until the counting
// starts anew; the rows before are predicted.
func TestOverflowNamesItsRowOfAStream(t *testing.T) {
	m := changed(t, func(o *model.Output) { o.Target = box.Target{Name: "y", Mean: 1, SD: 30, Transform: box.Log1p} })
	p, err := m.NewPredictor(model.PredictOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var out model.Predictions
	good, bad := 0, 0
	for _, at := range []float64{10, 12, 15, 18, 20, 22, 25, 28, 30} {
		err := p.Predict(context.Background(), [][]float64{{at}, {0}}, &out)
		var overflow *model.RowError
		switch {
		case err == nil:
			good++
		case !errors.As(err, &overflow) || overflow.Row != good+1:
			t.Errorf("after %d rows: error %v", good, err)
		default:
			bad++
		}
		if p.Rows() != good {
			t.Errorf("%d rows, want %d", p.Rows(), good)
		}
	}
	if good == 0 || bad == 0 {
		t.Errorf("%d rows are predicted and %d not: nothing is tested", good, bad)
	}
	p.Reset()
	if p.Rows() != 0 {
		t.Errorf("%d rows of none", p.Rows())
	}
}

// A predictor of a model with all that a recipe learns leaves no garbage to speak of.
func TestPredictorsAllocateLittle(t *testing.T) {
	m, err := model.Load("testdata/format4.bgp")
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.NewPredictor(model.PredictOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var out model.Predictions
	columns := [][]float64{{0.5}, {2}, {0}, {1.71e9}}
	if n := testing.AllocsPerRun(20, func() {
		if err := p.Predict(context.Background(), columns, &out); err != nil {
			t.Fatal(err)
		}
	}); n > 4 {
		t.Errorf("%g allocations a block", n)
	}
}

func allFinite(t *testing.T, p *model.Predictions) {
	t.Helper()
	for row := range p.Mean {
		for _, v := range []float64{p.Mean[row], p.Point[row], p.Std[row], p.Lower[row], p.Upper[row]} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("row %d: mean %g, point %g, deviation %g, interval [%g, %g]", row, p.Mean[row], p.Point[row], p.Std[row], p.Lower[row], p.Upper[row])
			}
		}
	}
}

// Whatever the shape, the mean lies in its interval, which is that of the distribution
// but for the rows that are marked; the median is that of the distribution.
func TestThePointLiesInItsInterval(t *testing.T) {
	moved := 0
	for seed := range 20 {
		m := changed(t, func(o *model.Output) {
			o.Tails, o.DensityRatio = 4, ratio(t, 3+float64(seed))
		})
		var p model.Predictions
		for _, point := range []model.Point{model.MedianPoint, model.MeanPoint, ""} {
			predictor, err := m.NewPredictor(model.PredictOptions{Workers: 1, Point: point})
			if err != nil {
				t.Fatal(err)
			}
			columns := [][]float64{{10, 15, 20, 30, 30}, {0, 1, -1, 0.5, 3}}
			if err := predictor.Predict(context.Background(), columns, &p); err != nil {
				t.Fatal(err)
			}
			predictor.Close()
			for row, y := range p.Point {
				d := p.Distribution(row)
				lower, upper := d.Quantile(0.025), d.Quantile(0.975)
				want := p.Mean[row]
				if point == model.MedianPoint {
					want = d.Quantile(0.5)
				}
				if y != want || p.Mean[row] != p.Location[row] {
					t.Fatalf("point %q is %g, want %g; mean %g", point, y, want, p.Mean[row])
				}
				if p.Lower[row] != min(lower, y) || p.Upper[row] != max(upper, y) {
					t.Errorf("%g in [%g, %g], quantiles %g and %g", y, p.Lower[row], p.Upper[row], lower, upper)
				}
				is := p.Clamped[row]&model.ClampedInterval != 0
				if is != (y < lower || y > upper) {
					t.Errorf("%g in [%g, %g] is marked: %v", y, lower, upper, is)
				}
				if is {
					moved++
				}
			}
		}
	}
	if moved == 0 {
		t.Error("no mean lies outside its quantiles, and nothing is tested")
	}
}

// All that is told of a row lies in the range of the target, be it the model's or the
// prediction's, and rows that are far within it are the same but for rounding.
func TestPredictionsStayInTheRange(t *testing.T) {
	free := shaped(t)
	was := predict(t, free, rows(t), model.PredictOptions{})
	low, high := slices.Min(was.Mean), slices.Max(was.Mean)
	within := predictive.Range{Lo: low + (high-low)/3, Hi: math.Inf(1)}
	own := changed(t, func(o *model.Output) { o.Target.Range = &within })
	for name, of := range map[string]func(o model.PredictOptions) *model.Predictions{
		"asked for": func(o model.PredictOptions) *model.Predictions {
			o.Range = &within
			return predict(t, free, rows(t), o)
		},
		"the model's": func(o model.PredictOptions) *model.Predictions { return predict(t, own, rows(t), o) },
	} {
		for _, o := range []model.PredictOptions{{}, {Point: model.MedianPoint}} {
			p := of(o)
			allFinite(t, p)
			for row := range p.Mean {
				d := p.Distribution(row)
				for _, v := range []float64{p.Mean[row], p.Point[row], p.Lower[row], p.Upper[row], d.Quantile(1e-6), d.Quantile(0.999)} {
					if !within.Contains(v) {
						t.Errorf("%s: row %d: %g beyond %v", name, row, v, within)
					}
				}
				if is := p.Clamped[row]&model.ClampedMean != 0; is != (was.Mean[row] < within.Lo) {
					t.Errorf("%s: row %d: mean %g without a range, clamped: %v", name, row, was.Mean[row], is)
				}
				if p.Mean[row] != within.Clamp(was.Mean[row]) {
					t.Errorf("%s: row %d: mean %g, without a range %g", name, row, p.Mean[row], was.Mean[row])
				}
			}
		}
	}
	// A range without ends lifts the model's.
	open := predictive.Range{Lo: math.Inf(-1), Hi: math.Inf(1)}
	plain, _ := fixture(t)
	a, b := predict(t, own, rows(t), model.PredictOptions{Range: &open}), predict(t, plain, rows(t), model.PredictOptions{})
	if !slices.Equal(a.Lower, b.Lower) || !slices.Equal(a.Mean, b.Mean) {
		t.Error("a range without ends is one")
	}
	again, err := model.Read(bytes.NewReader(saved(t, own)))
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Target().Range; got == nil || *got != within {
		t.Errorf("range %v read as %v", within, got)
	}
}

// A transformed target has its range in its own units.
func TestARangeOfATransformedTarget(t *testing.T) {
	m := changed(t, func(o *model.Output) { o.Target = box.Target{Name: "y", Mean: 1, SD: 3, Transform: box.Log1p} })
	r := predictive.Range{Lo: 0, Hi: 50}
	for _, point := range []model.Point{model.MeanPoint, model.MedianPoint} {
		p := predict(t, m, rows(t), model.PredictOptions{Range: &r, Point: point})
		allFinite(t, p)
		for row := range p.Mean {
			if !r.Contains(p.Mean[row]) || !r.Contains(p.Point[row]) || !r.Contains(p.Lower[row]) || !r.Contains(p.Upper[row]) || p.Std[row] > 25 || p.StdF[row] > 25 {
				t.Errorf("row %d: %g ± %g in [%g, %g]", row, p.Mean[row], p.Std[row], p.Lower[row], p.Upper[row])
			}
		}
	}
}

func TestBadOptionsOfPredictions(t *testing.T) {
	m, _ := fixture(t)
	logs := changed(t, func(o *model.Output) { o.Target = box.Target{Name: "y", SD: 1, Transform: box.Log1p} })
	for _, c := range []struct {
		m *model.Model
		o model.PredictOptions
	}{
		{m, model.PredictOptions{Point: "mode"}},
		{m, model.PredictOptions{Range: &predictive.Range{Lo: 1, Hi: 0}}},
		{m, model.PredictOptions{Range: &predictive.Range{Lo: math.NaN(), Hi: 0}}},
		{logs, model.PredictOptions{Range: &predictive.Range{Lo: -5, Hi: -2}}},
	} {
		if _, err := c.m.NewPredictor(c.o); err == nil {
			t.Errorf("%+v predicts", c.o)
		}
	}
}

// The mean of a log-normal grows with the variance of the logarithm; those of a transformed
// target stay between what the limits of f stand for, and a tenth of the range of the targets beyond
// them at most, and rows within are as they were.
func TestMeansOfATransformedTarget(t *testing.T) {
	of := func(limits *model.Limits) *model.Predictions {
		t.Helper()
		m := changed(t, func(o *model.Output) {
			o.Target.Transform, o.Target.Mean, o.Target.SD = box.Log1p, 3, 1
			o.Limits, o.VarianceScale = limits, 1
		})
		p, err := m.PredictValues(model.Values{Mean: []float64{0, 1.5, 2}, Variance: []float64{0.01, 0.01, 4}, Noise: 0.04}, model.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	free, held := of(nil), of(&model.Limits{Lo: -2, Hi: 2.2, Variance: 4.41}) // of targets from −1.65 to 1.85
	lo, hi := math.Expm1(3-1.65), math.Expm1(3+1.85)
	most := hi + 0.1*(hi-lo)
	widest := (most - math.Expm1(3-2)) / 2
	for row := range 2 {
		if held.Mean[row] != free.Mean[row] || held.Std[row] != free.Std[row] || held.StdF[row] != free.StdF[row] || held.Upper[row] != free.Upper[row] || held.Clamped[row] != 0 {
			t.Errorf("row %d: %g ± %g, held %v, and without limits %g ± %g", row+1, held.Mean[row], held.Std[row], held.Clamped[row], free.Mean[row], free.Std[row])
		}
	}
	if want := math.Expm1(3 + 2 + 4.04/2); math.Abs(free.Mean[2]/want-1) > 1e-12 {
		t.Errorf("without limits the mean is %g, not %g", free.Mean[2], want)
	}
	if math.Abs(held.Mean[2]-most) > 1e-9 || math.Abs(held.Std[2]-widest) > 1e-9 || held.StdF[2] != held.Std[2] || held.Clamped[2] != model.ClampedMean|model.ClampedStd {
		t.Errorf("%g ± %g (%g of f), held %v, want %g ± %g", held.Mean[2], held.Std[2], held.StdF[2], held.Clamped[2], most, widest)
	}
	if d := held.Distribution(2); d.LogDensity(100) != free.Distribution(2).LogDensity(100) {
		t.Error("the distribution is another one")
	}
}
