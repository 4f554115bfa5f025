package gap

import (
	"context"
	"math"
	"math/rand/v2"

	"beziergp"
	"beziergp/train/auto"
)

// Hole is where Curve's table has no rows.
var Hole = [2]float64{0.42, 0.64}

// Curve is the truth of a table whose noise grows along x: y(x) = 2 sin 8x + 2x.
func Curve(x float64) float64 { return 2*math.Sin(8*x) + 2*x }

// Spread is the deviation of the noise at x.
func Spread(x float64) float64 { return 0.2 + 0.8*x*x }

// Intervals is what the default recipe says of Curve's table on a grid.
type Intervals struct {
	X, Y               []float64 // the rows
	At                 []float64
	Mean, Lower, Upper []float64 // with the 95 % interval of an observation
	Std                []float64
}

// RunDefault draws 300 rows beside the hole, fits them by the default recipe at
// effort fast, and predicts.
func RunDefault(ctx context.Context, seed uint64) (*Intervals, error) {
	const rows, grid = 300, 240
	rng := rand.New(rand.NewPCG(seed, streamData))
	r := &Intervals{}
	for len(r.X) < rows {
		if x := rng.Float64(); x < Hole[0] || x > Hole[1] {
			r.X = append(r.X, x)
			r.Y = append(r.Y, Curve(x)+Spread(x)*rng.NormFloat64())
		}
	}
	observed, err := beziergp.NewTable(beziergp.Column{Name: "x", Values: r.X}, beziergp.Column{Name: "y", Values: r.Y})
	if err != nil {
		return nil, err
	}
	m, err := beziergp.Fit(ctx, observed, "y", beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast, Seed: seed}})
	if err != nil {
		return nil, err
	}
	for i := range grid + 1 {
		r.At = append(r.At, float64(i)/grid)
	}
	at, err := beziergp.NewTable(beziergp.Column{Name: "x", Values: r.At})
	if err != nil {
		return nil, err
	}
	p, err := m.Predict(ctx, at, beziergp.PredictOptions{})
	if err != nil {
		return nil, err
	}
	r.Mean, r.Lower, r.Upper, r.Std = p.Mean, p.Lower, p.Upper, p.Std
	return r, nil
}
