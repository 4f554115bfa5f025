package gap_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"beziergp/example/gap"
	"beziergp/internal/testkit"
)

func run(t *testing.T, e gap.Experiment) *gap.Result {
	t.Helper()
	r, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at returns the moments of f at the grid's point nearest to x.
func at(m gap.Moments, x float64) (mean, std, prior float64) {
	i := int(math.Round(x * float64(len(m.At)-1)))
	return m.Mean[i], m.Std[i], m.PriorStd[i]
}

// Training arrives at the maximum of the bound, which one input has in closed
// form: ϑ of ridge regression, and 1/Σ̂_i = 1/ς_i + Σ_j B_i(x_j)²/σ², σ² = 1/τ.
func TestTrainingArrives(t *testing.T) {
	r := run(t, gap.Experiment{Seed: 3})
	const m = 21
	n := len(r.Y)
	b := mat.NewDense(n, m, nil)
	for j, x := range r.X {
		b.SetRow(j, testkit.Bernstein(m-1, x))
	}
	var normal mat.Dense
	normal.Mul(b.T(), b)
	variance := make([]float64, m)
	for i := range m {
		prior := r.Points.PriorStd[i] / r.TargetStd
		variance[i] = 1 / (1/(prior*prior) + m*normal.At(i, i))
		normal.Set(i, i, normal.At(i, i)+1/(m*prior*prior))
	}
	y := mat.NewVecDense(n, nil)
	for j, v := range r.Y {
		y.SetVec(j, (v-r.Points.PriorMean[0])/r.TargetStd)
	}
	var right, theta mat.VecDense
	right.MulVec(b.T(), y)
	if err := theta.SolveVec(&normal, &right); err != nil {
		t.Fatal(err)
	}
	for k, x := range r.F.At {
		var mean, square float64
		for i, phi := range testkit.Bernstein(m-1, x) {
			mean += phi * theta.AtVec(i)
			square += phi * phi * variance[i]
		}
		testkit.Close(t, "mean", r.F.Mean[k], r.Points.PriorMean[0]+r.TargetStd*mean, 0, 0.02)
		testkit.Close(t, "deviation", r.F.Std[k], r.TargetStd*math.Sqrt(square), 0.01, 0)
	}
}

// What the paper says of its experiment, as far as it holds at the maximum: of a
// hundred draws of the data the gap's variance was 5 to 18 times the data's, and
// its mean in the middle between −1.2 and −3.1.
func TestGapOfThePaper(t *testing.T) {
	for seed := range uint64(5) {
		r := run(t, gap.Experiment{Seed: seed})
		mean, std, _ := at(r.F, 0.495)
		edge, _, _ := at(r.F, 0.30)
		var near float64
		for _, x := range r.X {
			_, s, _ := at(r.F, x)
			near += s * s / float64(len(r.X))
		}
		if std*std < 4*near {
			t.Errorf("seed %d: variance in the gap %.3g, at the data %.3g on average", seed, std*std, near)
		}
		if mean < edge {
			t.Errorf("seed %d: mean in the gap %.3g, at its edge %.3g: it does not turn to zero", seed, mean, edge)
		}
		if r.RMSE > 0.06*gap.Amplitude {
			t.Errorf("seed %d: RMSE at the data %.3g", seed, r.RMSE)
		}
		middle := len(r.Points.At) / 2
		if z := (r.Points.Mean[middle] - r.Points.PriorMean[middle]) / r.Points.PriorStd[middle]; math.Abs(z) > 1 {
			t.Errorf("seed %d: the control point in the middle lies %.2f prior deviations from the prior's mean", seed, z)
		}
	}
}

// With σ² = 0.1/τ the mean comes back to zero: of eight draws it was between −0.7
// and 0, and the variance 12 to 25 times that amid the data.
func TestMeanReturnsToZeroWithLittleNoise(t *testing.T) {
	for seed := range uint64(5) {
		r := run(t, gap.Experiment{Seed: seed, KLWeight: 0.1})
		mean, std, _ := at(r.F, 0.495)
		_, near, _ := at(r.F, 0.15)
		if math.Abs(mean) > gap.Amplitude/3 || std*std < 8*near*near {
			t.Errorf("seed %d: in the gap f is %.3g ± %.3g, amid the data its deviation is %.3g", seed, mean, std, near)
		}
	}
}

// Far from all data the process is its prior.
func TestWideGapReturnsToThePrior(t *testing.T) {
	r := run(t, gap.Experiment{Seed: 1, From: 0.1, To: 0.9})
	mean, std, prior := at(r.F, 0.5)
	if math.Abs(mean-r.F.PriorMean[0]) > 0.15*gap.Amplitude || std < 0.9*prior || std > 1.01*prior {
		t.Errorf("in the middle f is %.3g ± %.3g, a priori %.3g ± %.3g", mean, std, r.F.PriorMean[0], prior)
	}
}
