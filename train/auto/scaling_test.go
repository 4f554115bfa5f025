package auto

import (
	"math"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/likelihood"
	"beziergp/train"
)

// A linear scaling of a law is that of its inputs with short tails, and of a Gaussian plainly linear; the values of rows are the same.
func TestTailsOfLinearScalings(t *testing.T) {
	data := fixture(t, 400)
	values := make([]float64, data.Rows().Len())
	for j := range values {
		values[j] = float64(j)
	}
	values[7] = 1e5
	in, err := box.RankInput("x", values)
	if err != nil {
		t.Fatal(err)
	}
	inputs := slices.Clone(data.Inputs)
	if inputs == nil {
		inputs = make([]box.Input, data.Rows().Inputs)
		for i := range inputs {
			inputs[i] = box.Input{Name: string(rune('a' + i)), Hi: 1}
		}
	}
	inputs[0] = in
	rows := data.Rows()
	rows.X = slices.Clone(rows.X)
	for j, v := range values {
		rows.X[j*rows.Inputs] = in.Coordinate(v)
	}
	for name, c := range map[string]struct {
		law  likelihood.Likelihood
		want box.Input
	}{
		"a Gaussian": {nil, in.Unranked()}, "counts": {likelihood.NewLaw(likelihood.Poisson{}, 0), in.ShortTailed()},
	} {
		d := newDataset(rows, data.Split, data.Bases, inputs, likelihood.OrGaussian(c.law)).in(train.Linear)
		if got := d.inputs[0]; !slices.Equal(got.Knots, c.want.Knots) || !slices.Equal(got.Ranks, c.want.Ranks) {
			t.Errorf("%s: knots %v at %v, want %v at %v", name, got.Knots, got.Ranks, c.want.Knots, c.want.Ranks)
		}
		for j, v := range values {
			if got := d.Row(j)[0]; math.Abs(float64(got-c.want.Coordinate(v))) > 1e-5 {
				t.Fatalf("%s: row %d of value %g is at %g, want %g", name, j, v, got, c.want.Coordinate(v))
			}
		}
	}
}
