package measure

import (
	"errors"
	"math"
	"testing"

	"beziergp/box"
	"beziergp/internal/testkit"
	"beziergp/table"
)

func mustParse(t *testing.T, text string) Law {
	t.Helper()
	l, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func expect(r *Rule, g func(x float64) float64) (sum float64) {
	for i, x := range r.Points {
		sum += r.Weights[i] * g(x)
	}
	return sum
}

// Moments of laws that are well within the bounds are their own.
func TestMomentsAreThoseOfTheLaw(t *testing.T) {
	in := box.Input{Name: "x", Lo: -40, Hi: 100}
	for text, want := range map[string][2]float64{
		"uniform(-1,5)":       {2, 3},
		"normal(10, 2)":       {10, 4},
		"lognormal(0,0.5)":    {math.Exp(0.125), (math.Exp(0.25) - 1) * math.Exp(0.25)},
		"triangular(0,3,6)":   {3, 1.5},
		"levels(2:1,4:3)":     {3.5, 0.75},
		"levels(2,4)":         {3, 1},
		"uniform":             {30, 140. * 140 / 12},
		"at(7)":               {7, 0},
		"triangular(0,0,6)":   {2, 2},
		"uniform( -40 ,100 )": {30, 140. * 140 / 12},
	} {
		r, err := mustParse(t, text).Rule(in, []float64{-3, 0.1, 11}, false)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		mean := expect(r, func(x float64) float64 { return x })
		testkit.Close(t, text+" mean", mean, want[0], 1e-9, 1e-12)
		testkit.Close(t, text+" variance", expect(r, func(x float64) float64 { return (x - mean) * (x - mean) }), want[1], 1e-8, 1e-12)
		testkit.Close(t, text+" weights", expect(r, func(float64) float64 { return 1 }), 1, 1e-12, 0)
		// The quantiles are those of the same law.
		var sum float64
		const n = 20000
		for k := range n {
			sum += r.Quantile((float64(k)+0.5)/n) / n
		}
		testkit.Close(t, text+" mean by quantiles", sum, want[0], 1e-3, 1e-3)
	}
}

// Kinks at breaks cost nothing: |x − 1| under a Gaussian has a closed form.
func TestBreaksAreTakenAccountOf(t *testing.T) {
	r, err := mustParse(t, "normal(0,1)").Rule(box.Input{Name: "x", Lo: -9, Hi: 9}, []float64{1}, false)
	if err != nil {
		t.Fatal(err)
	}
	density, below := math.Exp(-0.5)/math.Sqrt(2*math.Pi), 0.5*math.Erfc(-1/math.Sqrt2)
	testkit.Close(t, "E|x−1|", expect(r, func(x float64) float64 { return math.Abs(x - 1) }), 2*density+2*below-1, 1e-9, 0)
}

func TestCategories(t *testing.T) {
	in := box.Input{Name: "zone", Kind: table.Category, Levels: []string{"hills", "a,b", "campus"}}
	r, err := mustParse(t, `levels(campus:3,"a,b":1)`).Rule(in, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Points) != 2 || r.Points[0] != 1 || r.Points[1] != 2 || r.Weights[0] != 0.25 || r.Quantile(0.2) != 1 || r.Quantile(0.3) != 2 {
		t.Errorf("levels are %v with weights %v", r.Points, r.Weights)
	}
	if r, err := mustParse(t, "uniform").Rule(in, nil, false); err != nil || len(r.Points) != 3 {
		t.Errorf("uniform levels: %v, %v", r, err)
	}
	for _, text := range []string{"normal(0,1)", "levels(hill)", "at(x)"} {
		var bad *LawError
		if _, err := mustParse(t, text).Rule(in, nil, true); !errors.As(err, &bad) {
			t.Errorf("%s of a category: %v", text, err)
		}
	}
}

func TestWhatLiesBeyondTheBounds(t *testing.T) {
	in := box.Input{Name: "x", Lo: 0, Hi: 1}
	for _, text := range []string{"uniform(0,1.1)", "normal(0.5,0.2)", "at(2)", "levels(0,3)", "uniform(5,6)"} {
		var bad *OutsideError
		if _, err := mustParse(t, text).Rule(in, nil, false); !errors.As(err, &bad) {
			t.Errorf("%s: %v", text, err)
		}
	}
	r, err := mustParse(t, "normal(1,0.2)").Rule(in, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "cut off", r.Outside, 0.5, 1e-6, 1e-6)
	testkit.Close(t, "half of a Gaussian", expect(r, func(x float64) float64 { return x }), 1-0.2*math.Sqrt(2/math.Pi), 1e-5, 0)
	testkit.Close(t, "its median", r.Quantile(0.5), 1-0.2*0.6744897501960817, 1e-5, 0)
	if _, err := mustParse(t, "uniform(5,6)").Rule(in, nil, true); err == nil {
		t.Error("a law that is all beyond the bounds is cut off to nothing")
	}
}

func TestWhatIsNoLaw(t *testing.T) {
	for _, text := range []string{
		"", "gamma(1,2)", "normal", "normal(1)", "normal(1,2,3)", "normal(1,0)", "normal(1,-2)", "uniform(1,1)", "uniform(2,1)", "uniform(1,Inf)", "uniform(1,x)",
		"triangular(1,0,2)", "levels()", "levels(a:0)", "levels(a:x)", "levels(a,a)", `levels("a)`, "at()", "at(1,2)", "uniform(0,1", `levels("a"b)`, "lognormal(0,NaN)",
	} {
		if l, err := Parse(text); err == nil {
			t.Errorf("%q is read as %s", text, l)
		}
	}
}

func TestLawsAreWrittenAsTheyAreRead(t *testing.T) {
	for _, text := range []string{"training", "uniform", "uniform(0,1)", "normal(1e-05,2)", "levels(a:1,\"b,c\":2)", "at(7)", `at("x:y")`} {
		if got := mustParse(t, text).String(); got != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
}
