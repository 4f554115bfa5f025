package auto

import (
	"context"
	"math"
	"slices"
	"testing"

	"beziergp/internal/process/surface"
	"beziergp/model"
)

// Var f of the model is that which was learned, and where inputs are not known their variances more, each by itself.
func TestVarianceOfWhatIsNotKnown(t *testing.T) {
	d, p, w := prepared(fixture(t, 200), 1)
	defer w.pool.Close()
	p.epistemicSteps = 50
	for i := range d.bases {
		var err error
		if d.bases[i], err = d.averaged(d.bases[i], i); err != nil {
			t.Fatal(err)
		}
	}
	m, err := fitVariance(context.Background(), w, p, d, upTo(d.Len()))
	if err != nil {
		t.Fatal(err)
	}
	before, err := m.auxiliary(d)
	if err != nil {
		t.Fatal(err)
	}
	f := fitted{data: d, epistemic: epistemic{model: before}, calibration: calibration{Epistemic: 0.5}, unknown: []unknown{{"a", 3, 0}, {"b", 0.001, 1}}}
	after, err := f.doubt()
	if err != nil {
		t.Fatal(err)
	}
	x := d.wide().Coordinates(upTo(8))
	nan := float32(math.NaN())
	x[1*3], x[2*3+1], x[3*3], x[3*3+1], x[4*3+2] = nan, nan, nan, nan, nan
	of := func(a *model.Auxiliary) []float64 {
		v := make([]float64, 8)
		if err := a.NewEvaluator(w.pool).Values(context.Background(), slices.Clone(x), make([]float64, 8), v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	had, has := of(before), of(after)
	for row, more := range []float64{0, 6, 0.002, 6.002, 0, 0, 0, 0} {
		if want := had[row] + more; math.Abs(has[row]-want) > 1e-5*want {
			t.Errorf("row %d: Var f is %g, was %g, and %g is to be more", row, has[row], had[row], more)
		}
	}
	if g := after.Surface.Surface.Group(1); g.Part != surface.VarianceOnly || g.Ensemble.Buttresses() != 2 {
		t.Errorf("a group of %d buttresses of part %q", g.Ensemble.Buttresses(), g.Part)
	}
}
