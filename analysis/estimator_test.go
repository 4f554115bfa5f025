package analysis_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/internal/limit"
	"beziergp/measure"
	"beziergp/table"
)

// values is a function of single rows.
func values(f func(x []float64) float64) analysis.Values {
	return func(_ context.Context, columns [][]float64, dst []float64) error {
		for row := range dst {
			var x []float64
			for _, c := range columns {
				x = append(x, c[row])
			}
			dst[row] = f(x)
		}
		return nil
	}
}

// kinds are inputs of every kind, a date of two parts among them, with a profile of the level and of
// the date, whose days are 3 to 5.
func kinds() ([]box.Input, *profile.Profile) {
	return []box.Input{
			{Name: "a", Lo: -1, Hi: 9},
			{Name: "at.time", Column: "at", Kind: table.DateTime, Part: box.Time, Lo: 3, Hi: 5},
			{Name: "at.hour", Column: "at", Kind: table.DateTime, Part: box.Hour, Hi: 24},
			{Name: "b", Lo: -40, Hi: 40},
			{Name: "c", Kind: table.Category, Levels: []string{"x", "y"}},
		}, &profile.Profile{Inputs: []profile.Column{
			{}, {Lo: 3, Hi: 5, Cuts: []float64{4}, Counts: []int{0, 3, 1, 0}}, {}, {}, {Nodes: 2, Counts: []int{3, 1, 0}},
		}}
}

func parsed(t *testing.T, texts map[string]string) analysis.Options {
	t.Helper()
	o := analysis.Options{Laws: map[string]measure.Law{}}
	for name, text := range texts {
		o.Laws[name] = must[measure.Law](t)(measure.Parse(text))
	}
	return o
}

// Of a linear function V_i = β_i² Var x_i and the mean is that of the means; a date is in days to its
// law, and in seconds to the function.
func TestEstimatesOfALinearFunction(t *testing.T) {
	inputs, looks := kinds()
	f := values(func(x []float64) float64 { return 100 + 3*x[0] + 2*x[1]/86400 - x[2] + 4*x[3] })
	e := must[*analysis.Estimator](t)(analysis.NewEstimator(f, inputs, looks, parsed(t, map[string]string{"a": "uniform(0,6)", "b": "normal(1,2)"})))
	// Days are 3 to 4 in three rows of four, evenly in either bin.
	variances := []float64{9 * 36. / 12, 4 * (1./12 + 3./16), 4, 16 * 3. / 16}
	total := 0.0
	for _, v := range variances {
		total += v
	}
	want := 100 + 9 + 2*(0.75*3.5+0.25*4.5) - 1 + 1
	s := must[*analysis.SobolEstimate](t)(e.Sobol(ctx, analysis.SobolOptions{Seed: 2, Groups: [][]int{{0, 3}}}))
	near := func(what string, got analysis.Estimate, want, most float64) {
		t.Helper()
		if !(got.Error <= most) || math.Abs(got.Value-want) > 4*got.Error+1e-3*most {
			t.Errorf("%s: %g ± %g, want %g", what, got.Value, got.Error, want)
		}
	}
	near("mean", s.Mean, want, 0.03)
	near("variance", s.Variance, total, 0.3)
	for i, v := range variances {
		near("first", s.First[i], v/total, 0.02)
		near("total", s.Total[i], v/total, 0.02)
	}
	near("closed of a group", s.Groups[0].Closed, (variances[0]+variances[3])/total, 0.02)
	near("total of a group", s.Groups[0].Total, (variances[0]+variances[3])/total, 0.02)
	near("mean alone", must[analysis.Estimate](t)(e.Mean(ctx, 16384, 5)), want, 0.01)
	if in := e.Inputs(); len(in) != 4 || in[1].Name != "at" || in[1].Hi != 5 {
		t.Errorf("inputs are %+v", in)
	}
}

// ishigami is the function of Ishigami & Homma (1990) with its indices: inputs 1 and 3 interact.
func ishigami(t *testing.T) (e *analysis.Estimator, first, total []float64, variance float64) {
	const a, b = 7, 0.1
	p4 := math.Pow(math.Pi, 4)
	one, two, interaction := 0.5*(1+b*p4/5)*(1+b*p4/5), a*a/8., b*b*p4*p4*8/225
	variance = one + two + interaction
	var inputs []box.Input
	for _, name := range []string{"x1", "x2", "x3"} {
		inputs = append(inputs, box.Input{Name: name, Lo: -math.Pi, Hi: math.Pi})
	}
	f := values(func(x []float64) float64 {
		return math.Sin(x[0]) + a*math.Sin(x[1])*math.Sin(x[1]) + b*math.Pow(x[2], 4)*math.Sin(x[0])
	})
	e = must[*analysis.Estimator](t)(analysis.NewEstimator(f, inputs, nil, parsed(t, map[string]string{"x1": "uniform", "x2": "uniform", "x3": "uniform"})))
	return e, []float64{one / variance, two / variance, 0}, []float64{(one + interaction) / variance, two / variance, interaction / variance}, variance
}

// Indices of a function with an interaction lie around those known by the errors that are told.
func TestEstimatesOfIshigami(t *testing.T) {
	e, first, total, variance := ishigami(t)
	const seeds = 30
	var squares, told, offs float64
	for seed := range uint64(seeds) {
		s := must[*analysis.SobolEstimate](t)(e.Sobol(ctx, analysis.SobolOptions{Seed: seed, Samples: 2048, Groups: [][]int{{0, 2}}}))
		check := func(got analysis.Estimate, want, scale float64) {
			off := (got.Value - want) / scale
			squares, told = squares+off*off, told+got.Error*got.Error/scale/scale
			offs = max(offs, math.Abs(off))
		}
		for i := range first {
			check(s.First[i], first[i], 1)
			check(s.Total[i], total[i], 1)
		}
		check(s.Variance, variance, variance)
		check(s.Groups[0].Closed, total[0], 1)
		check(s.Groups[0].Total, total[0], 1)
		check(s.Mean, 3.5, math.Sqrt(variance))
	}
	if ratio := squares / told; ratio < 0.6 || ratio > 1.5 {
		t.Errorf("squared errors are %g of those told", ratio)
	}
	if offs > 0.12 {
		t.Errorf("an estimate is %g off", offs)
	}
}

// Whole numbers that have a bin each lie on it, and other numbers are spread over bins.
func TestTrainingLawsOfAProfile(t *testing.T) {
	inputs := []box.Input{{Name: "whole", Lo: -10, Hi: 10}, {Name: "spread", Lo: -10, Hi: 10}, {Name: "one", Lo: 2, Hi: 2}, {Name: "knots", Hi: 3, Knots: []float64{0, 1, 3}, Ranks: []float64{0, 0.5, 1}}}
	looks := &profile.Profile{Inputs: []profile.Column{
		{Lo: 1, Hi: 4, Cuts: []float64{1.5, 2.5, 3.5}, Counts: []int{0, 2, 0, 1, 1, 0}},
		{Lo: 1, Hi: 4, Cuts: []float64{1.5, 2.25, 3.5}, Counts: []int{0, 2, 0, 1, 1, 0}}, {}, {},
	}}
	e := must[*analysis.Estimator](t)(analysis.NewEstimator(values(func(x []float64) float64 { return x[0] }), inputs, looks, analysis.Options{}))
	mean := func(i int) (sum float64) {
		for k, v := range e.Rule(i).Points {
			sum += v * e.Rule(i).Weights[k]
		}
		return sum
	}
	for i, want := range []float64{(1 + 1 + 3 + 4) / 4.0, (1.25 + 1.25 + 2.875 + 3.75) / 4, 2, 1.25} {
		if got := mean(i); math.Abs(got-want) > 1e-12 {
			t.Errorf("the mean of %s is %g, want %g", e.Inputs()[i].Name, got, want)
		}
	}
	if n := len(e.Rule(0).Points); n != 3 {
		t.Errorf("three whole numbers have %d points", n)
	}
	if names := e.Spread(); len(names) != 1 || names[0] != "spread" {
		t.Errorf("spread are %v", names)
	}
}

// wrongGroups are no sets of two inputs at least, of an analysis of fewer than 99.
var wrongGroups = [][]int{{}, {0}, {0, 0}, {0, 99}, {-1, 0}}

func TestWhatCannotBeEstimated(t *testing.T) {
	inputs, looks := kinds()
	f := values(func(x []float64) float64 { return 7 })
	laws := map[string]string{"a": "uniform(0,6)", "b": "normal(1,2)"}
	var law *measure.LawError
	var input *analysis.InputError
	var outside *measure.OutsideError
	var option *limit.OptionError
	fails := func(target any, inputs []box.Input, looks *profile.Profile, laws map[string]string) {
		t.Helper()
		if _, err := analysis.NewEstimator(f, inputs, looks, parsed(t, laws)); err == nil || !errors.As(err, target) {
			t.Errorf("%v: error %v", laws, err)
		}
	}
	fails(&law, inputs, looks, map[string]string{"a": "uniform"}) // nothing is known of b
	fails(&law, inputs, nil, laws)
	fails(&law, inputs[2:], nil, map[string]string{"at.hour": "at(3)", "b": "uniform", "c": "uniform"}) // a date without its day
	fails(&input, inputs, looks, map[string]string{"at.hour": "uniform", "a": "uniform", "b": "uniform"})
	fails(&outside, inputs, looks, map[string]string{"a": "uniform(0,10)", "b": "uniform"})
	e := must[*analysis.Estimator](t)(analysis.NewEstimator(f, inputs, looks, parsed(t, laws)))
	if s, err := e.Sobol(ctx, analysis.SobolOptions{}); err == nil {
		t.Errorf("of a constant: %+v", s)
	}
	if _, err := e.Sobol(ctx, analysis.SobolOptions{Samples: 15}); !errors.As(err, &option) {
		t.Errorf("15 samples: %v", err)
	}
	for _, group := range wrongGroups {
		if _, err := e.Sobol(ctx, analysis.SobolOptions{Groups: [][]int{group}}); !errors.As(err, &option) {
			t.Errorf("group %v: %v", group, err)
		}
	}
	if _, err := e.Mean(ctx, 15, 0); !errors.As(err, &option) {
		t.Errorf("a mean by 15 samples: %v", err)
	}
	bad := must[*analysis.Estimator](t)(analysis.NewEstimator(values(func([]float64) float64 { return math.NaN() }), inputs, looks, parsed(t, laws)))
	if got, err := bad.Mean(ctx, 16, 0); err == nil {
		t.Errorf("of NaN: %v", got)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := e.Mean(done, 16, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt ends with %v", err)
	}
}
