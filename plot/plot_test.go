package plot

import (
	"bytes"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/plot/canvas"
	"beziergp/predictive"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{-3.1, 3.2, "−2 0 2"},
		{12, 245, "50 100 150 200"},
		{-0.004, 0.003, "−0.004 −0.002 0.000 0.002"},
		{1e6, 3.4e6, "1e+06 1.5e+06 2e+06 2.5e+06 3e+06"},
		{0, 3e-7, "0 1e-07 2e-07 3e-07"},
	} {
		_, labels := axis{lo: c.lo, hi: c.hi}.marks()
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("ticks of [%g, %g]: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestInks(t *testing.T) {
	if r, g, b, a := ink(0x12ab34).RGBA(); r != 0x1212 || g != 0xabab || b != 0x3434 || a != 0xffff {
		t.Errorf("%x %x %x %x", r, g, b, a)
	}
	if got := blend(0x000000, 0x40ff80, 0.5); got != 0x208040 {
		t.Errorf("%x lies in the middle", uint32(got))
	}
}

// Coverage counted row by row.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	pit := []float64{0, 1, 0.5, 0.25, 0.75, 0.005, 0.995}
	for len(pit) < 137 {
		pit = append(pit, math.Sqrt(rng.Float64()))
	}
	var counted Transforms
	for _, u := range pit {
		counted.Add(u)
	}
	nominal, covered := counted.coverage()
	for k, level := range nominal {
		inside := 0
		for _, u := range pit {
			if math.Abs(2*u-1) <= level/100 {
				inside++
			}
		}
		testkit.Close(t, "coverage", covered[k], 100*float64(inside)/137, 1e-12, 0)
	}
	if nominal[0] != 0 || nominal[100] != 100 || covered[100] != 100 {
		t.Errorf("from %g to %g: %g", nominal[0], nominal[100], covered[100])
	}
}

// notFinite finds numbers of SVG that are none.
var notFinite = regexp.MustCompile(`[",HVLM](NaN|[+-]?Inf)`)

// svg returns what writes the picture of a function that draws one.
func svg(t *testing.T) func(*canvas.Canvas, error) string {
	return func(c *canvas.Canvas, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := c.Encode(&b, canvas.SVG); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
}

func outcomes(n int) Outcomes {
	rng := rand.New(rand.NewPCG(7, 7))
	o := Outcomes{Target: "price"}
	for range n {
		m := 1e6 * rng.NormFloat64()
		o.Observed, o.Mean = append(o.Observed, m+900*rng.NormFloat64()), append(o.Mean, m)
		o.Predicted = append(o.Predicted, predictive.Distribution{Location: m, Scale: 1000})
	}
	return o
}

// Pictures of a million rows are no larger than those of a thousand.
func TestManyRowsAreThinned(t *testing.T) {
	var few, many bytes.Buffer
	for n, into := range map[int]*bytes.Buffer{1000: &few, 100_000: &many} {
		into.WriteString(svg(t)(Predicted(outcomes(n))))
	}
	if many.Len() > 2*few.Len() || !strings.Contains(many.String(), "400 of 100000 rows") {
		t.Errorf("%d bytes for 100000 rows, %d for 1000", many.Len(), few.Len())
	}
}

// Rows that say nothing of scale still have a picture, without a NaN in it.
func TestDegenerateOutcomes(t *testing.T) {
	one := Outcomes{Observed: []float64{3}, Mean: []float64{3}, Predicted: []predictive.Distribution{{Location: 3, Scale: 0.1}}}
	same := Outcomes{Observed: []float64{3, 3, 3}, Mean: []float64{2, 2, 2}, Predicted: []predictive.Distribution{{Location: 2}, {Location: 2}, {Location: 2}}}
	for _, o := range []Outcomes{one, same} {
		e := Evaluation{Target: "y", Level: 0.95}
		for i, y := range o.Observed {
			e.Add(y, o.Mean[i], true, o.Predicted[i].CDF(y))
		}
		drawn := svg(t)(Predicted(o)) + svg(t)(Calibration(o.Transforms())) + svg(t)(e.Draw())
		if notFinite.MatchString(drawn) {
			t.Error("a coordinate is not a number")
		}
	}
}

func TestWhatCannotBeDrawn(t *testing.T) {
	bad := outcomes(5)
	bad.Mean = slices.Clone(bad.Mean)
	bad.Mean[2] = math.NaN()
	for want, o := range map[string]Outcomes{"no row": {}, "row 3": bad} {
		if _, err := Predicted(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %s", err, want)
		}
		var e Evaluation
		if len(o.Mean) > 0 {
			e.Add(1, 1, true, 0.5)
			e.Add(1, 1, true, math.NaN())
		}
		if _, err := Calibration(&e.transforms); err == nil {
			t.Errorf("the calibration of %s is drawn", want)
		}
		if _, err := e.Draw(); err == nil {
			t.Errorf("the evaluation of %s is drawn", want)
		}
	}
}
