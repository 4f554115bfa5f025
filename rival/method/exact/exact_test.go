package exact

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/oracle"
)

func process(t *testing.T, data method.Data, h covariance.Hyper, workers int) *Process {
	t.Helper()
	e := newEvidence(context.Background(), workers, data)
	value, err := e.value(&h, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Process{nil, workers, learned{Hyper: h, Evidence: value}, data.X, e.points, e.factor, e.alpha}
}

func moments(t *testing.T, p *Process, x []float64) (mean, variance []float64) {
	t.Helper()
	m := len(x) / len(p.Hyper().Lengths)
	mean, variance = make([]float64, m), make([]float64, m)
	if err := p.moments(context.Background(), x, mean, variance); err != nil {
		t.Fatal(err)
	}
	return mean, variance
}

func TestOneRowByHand(t *testing.T) {
	h := oracle.Hyper(covariance.RBF, 1)
	p := process(t, method.Data{X: []float64{0.5}, Y: []float64{1}, Inputs: 1}, h, 1)
	mean, variance := moments(t, p, []float64{1.2})
	k := 1.3 * math.Exp(-0.5) // one lengthscale away
	testkit.Close(t, "mean", mean[0], 0.2+k/1.35*0.8, 1e-12, 0)
	testkit.Close(t, "variance", variance[0], 1.35-k*k/1.35, 1e-12, 0)
	testkit.Close(t, "evidence", p.Evidence(), -0.5*(0.64/1.35+math.Log(2*math.Pi*1.35)), 1e-12, 0)
}

func TestTwoRowsByHand(t *testing.T) {
	h := oracle.Hyper(covariance.Matern12, 1)
	p := process(t, method.Data{X: []float64{0, 0.7}, Y: []float64{1, -1}, Inputs: 1}, h, 1)
	mean, variance := moments(t, p, []float64{1.4})
	// The inverse of [a b; b a] is [a −b; −b a]/(a² − b²).
	a, b := 1.35, 1.3*math.Exp(-1)
	far, near := 1.3*math.Exp(-2), b
	det := a*a - b*b
	alpha0, alpha1 := (a*0.8+b*1.2)/det, (-b*0.8-a*1.2)/det
	testkit.Close(t, "mean", mean[0], 0.2+far*alpha0+near*alpha1, 1e-12, 0)
	testkit.Close(t, "variance", variance[0], a-(a*far*far-2*b*far*near+a*near*near)/det, 1e-12, 0)
	testkit.Close(t, "evidence", p.Evidence(), -0.5*(0.8*alpha0-1.2*alpha1+math.Log(det))-math.Log(2*math.Pi), 1e-12, 0)
}

func TestEvidenceAndMomentsAreTheNormalDistribution(t *testing.T) {
	const n, d = 70, 2 // more than a tile
	for _, family := range oracle.Families() {
		data, h := oracle.Sample(1, n+1, d, 1), oracle.Hyper(family, d)
		rows := method.Data{X: data.X[:n*d], Y: data.Y[:n], Inputs: d}
		p := process(t, rows, h, 2)
		testkit.Close(t, fmt.Sprint(family, " evidence"), p.Evidence(), oracle.Joint(t, rows, h).LogProb(rows.Y), 1e-10, 1e-10)
		wantMean, wantVariance := oracle.Last(t, data, h)
		mean, variance := moments(t, p, data.X[n*d:])
		testkit.Close(t, fmt.Sprint(family, " mean"), mean[0], wantMean, 1e-9, 1e-9)
		testkit.Close(t, fmt.Sprint(family, " variance"), variance[0], wantVariance, 1e-9, 1e-9)
	}
}

func TestGradientAgreesWithDifferences(t *testing.T) {
	const n, d = 70, 2
	data := oracle.Sample(2, n, d, 1)
	for _, family := range oracle.Families() {
		h := oracle.Hyper(family, d)
		e := newEvidence(context.Background(), 2, data)
		g := covariance.NewHyperGradient(d)
		if _, err := e.value(&h, &g); err != nil {
			t.Fatal(err)
		}
		got := make([]float64, h.Len())
		g.Pack(got, &h)
		want := oracle.Gradient(t, h, nil, func(moved covariance.Hyper, _ []float64) float64 {
			value, err := e.value(&moved, nil)
			if err != nil {
				t.Fatal(err)
			}
			return value
		})
		for i := range want {
			testkit.Close(t, fmt.Sprint(family, " parameter ", i), got[i], want[i], 1e-5, 1e-5)
		}
	}
}

func TestFitFindsTheNoiseAndTheInputThatMatters(t *testing.T) {
	data := oracle.Sample(3, 150, 2, 1)
	r, err := Method{}.Fit(context.Background(), data, method.Environment{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	h := r.(*Process).Hyper()
	// 150 rows tell a deviation to one part in √300; four times that.
	testkit.Close(t, "noise", r.(*Process).Noise(), 0.1, 0.23, 0)
	if h.Lengths[1] < 5*h.Lengths[0] {
		t.Errorf("lengthscales %g: the second input has no effect", h.Lengths)
	}
}

func TestMemoryIsRefusedWithAdvice(t *testing.T) {
	_, err := Method{Memory: 1 << 20}.Fit(context.Background(), oracle.Sample(4, 300, 1, 1), method.Environment{})
	if err == nil || !strings.Contains(err.Error(), "300 rows") || !strings.Contains(err.Error(), "sgpr") {
		t.Errorf("%v", err)
	}
}
