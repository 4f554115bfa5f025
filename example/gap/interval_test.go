package gap_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/example/gap"
	"beziergp/internal/testkit"
)

// The default recipe's intervals hold the truth everywhere in the gap and beside
// it, whatever rows are drawn, and new rows as often as they promise; 7 draws those
// of the picture in the README.
func TestIntervalsHoldTheTruth(t *testing.T) {
	for _, seed := range []uint64{0, 2, 7} {
		r, err := gap.RunDefault(context.Background(), seed)
		if err != nil {
			t.Fatal(err)
		}
		var covered, beside float64
		for i, x := range r.At {
			if z := math.Abs(gap.Curve(x)-r.Mean[i]) / r.Std[i]; z > 2 || gap.Curve(x) < r.Lower[i] || gap.Curve(x) > r.Upper[i] {
				t.Errorf("seed %d: at %.3f the truth %.3g lies %.2f deviations away, the interval is %.3g to %.3g", seed, x, gap.Curve(x), z, r.Lower[i], r.Upper[i])
			}
			noise := distuv.Normal{Mu: gap.Curve(x), Sigma: gap.Spread(x)}
			if x < gap.Hole[0] || x > gap.Hole[1] {
				covered += noise.CDF(r.Upper[i]) - noise.CDF(r.Lower[i])
				beside++
			}
		}
		if share := covered / beside; share < 0.9 || share > 0.99 {
			t.Errorf("seed %d: intervals at the rows hold %.3f of new ones", seed, share)
		}
		middle := (gap.Hole[0] + gap.Hole[1]) / 2
		if i := int(middle * float64(len(r.At)-1)); r.Std[i] < 1.1*gap.Spread(middle) {
			t.Errorf("seed %d: a deviation of %.3g in the gap, the noise alone has %.3g", seed, r.Std[i], gap.Spread(middle))
		}
	}
}

// What docs/guide/paper.md says of the paper's experiment as it is drawn there: its
// mean lies many deviations from the truth in the gap, and half as many where the
// correlations of control points, which it leaves out, are in the deviation.
func TestPapersBandMissesTheTruth(t *testing.T) {
	const m = 21
	r := run(t, gap.Experiment{Seed: 7, KLWeight: 0.1})
	precision, b := mat.NewSymDense(m, nil), mat.NewDense(len(r.X), m, nil)
	for j, x := range r.X {
		b.SetRow(j, testkit.Bernstein(m-1, x))
	}
	precision.SymOuterK(10*m, b.T()) // σ² = 0.1/τ
	for i := range m {
		prior := r.Points.PriorStd[i] / r.TargetStd
		precision.SetSym(i, i, precision.At(i, i)+1/(prior*prior))
	}
	var factor mat.Cholesky
	if !factor.Factorize(precision) {
		t.Fatal("the precision is not positive definite")
	}
	var paper, full float64
	for k, x := range r.F.At {
		if x < 0.33 || x > 0.66 {
			continue
		}
		phi := mat.NewVecDense(m, testkit.Bernstein(m-1, x))
		var solved mat.VecDense
		if err := factor.SolveVecTo(&solved, phi); err != nil {
			t.Fatal(err)
		}
		off := math.Abs(gap.Sine(x) - r.F.Mean[k])
		paper = max(paper, off/r.F.Std[k])
		full = max(full, off/(r.TargetStd*math.Sqrt(mat.Dot(phi, &solved))))
	}
	if math.Abs(paper-7.5) > 0.3 || math.Abs(full-3.5) > 0.3 {
		t.Errorf("the truth lies up to %.1f deviations outside, with correlations %.1f; the page says 7.5 and 3.5", paper, full)
	}
}
