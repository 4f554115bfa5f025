package exact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"beziergp/baseline"
	"beziergp/baseline/kern"
	"beziergp/internal/testkit"
)

var families = []kern.Family{kern.RBF, kern.Matern12, kern.Matern32, kern.Matern52}

func sample(seed uint64, n, d int) baseline.Data {
	r := rand.New(rand.NewPCG(seed, 0))
	data := baseline.Data{X: make([]float64, n*d), Y: make([]float64, n), Inputs: d}
	for i := range data.X {
		data.X[i] = r.NormFloat64()
	}
	for i := range data.Y {
		data.Y[i] = math.Sin(2*data.X[i*d]) + 0.1*r.NormFloat64()
	}
	return data
}

func hyper(family kern.Family, d int) kern.Hyper {
	h := kern.Hyper{Kernel: kern.Kernel{Family: family, Variance: 1.3, Lengths: make([]float64, d)}, Noise: 0.05, Mean: 0.2}
	for j := range h.Lengths {
		h.Lengths[j] = 0.7 + 0.3*float64(j)
	}
	return h
}

func process(t *testing.T, data baseline.Data, h kern.Hyper, workers int) *Process {
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
	if err := p.predict(context.Background(), x, mean, variance); err != nil {
		t.Fatal(err)
	}
	return mean, variance
}

func TestOneRowByHand(t *testing.T) {
	h := hyper(kern.RBF, 1)
	p := process(t, baseline.Data{X: []float64{0.5}, Y: []float64{1}, Inputs: 1}, h, 1)
	mean, variance := moments(t, p, []float64{1.2})
	k := 1.3 * math.Exp(-0.5) // one lengthscale away
	testkit.Close(t, "mean", mean[0], 0.2+k/1.35*0.8, 1e-12, 0)
	testkit.Close(t, "variance", variance[0], 1.35-k*k/1.35, 1e-12, 0)
	testkit.Close(t, "evidence", p.Evidence(), -0.5*(0.64/1.35+math.Log(2*math.Pi*1.35)), 1e-12, 0)
}

func TestTwoRowsByHand(t *testing.T) {
	h := hyper(kern.Matern12, 1)
	p := process(t, baseline.Data{X: []float64{0, 0.7}, Y: []float64{1, -1}, Inputs: 1}, h, 1)
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

// covariance is written with scalars.
func covariance(h kern.Hyper, a, b []float64) float64 {
	var square float64
	for j, l := range h.Lengths {
		square += math.Pow((a[j]-b[j])/l, 2)
	}
	r := math.Sqrt(square)
	return h.Variance * map[kern.Family]float64{
		kern.RBF: math.Exp(-square / 2), kern.Matern12: math.Exp(-r),
		kern.Matern32: (1 + math.Sqrt(3)*r) * math.Exp(-math.Sqrt(3)*r),
		kern.Matern52: (1 + math.Sqrt(5)*r + 5*square/3) * math.Exp(-math.Sqrt(5)*r),
	}[h.Family]
}

// normal is the distribution of the rows' targets, by gonum.
func normal(t *testing.T, data baseline.Data, h kern.Hyper) *distmv.Normal {
	t.Helper()
	n, d := data.Rows(), data.Inputs
	sigma, mu := mat.NewSymDense(n, nil), make([]float64, n)
	for i := range n {
		mu[i] = h.Mean
		for j := range n {
			sigma.SetSym(i, j, covariance(h, data.X[i*d:(i+1)*d], data.X[j*d:(j+1)*d]))
		}
		sigma.SetSym(i, i, sigma.At(i, i)+h.Noise)
	}
	dist, ok := distmv.NewNormal(mu, sigma, nil)
	if !ok {
		t.Fatal("covariance not positive definite")
	}
	return dist
}

func TestEvidenceAndMomentsAreTheNormalDistribution(t *testing.T) {
	const n, d = 70, 2 // more than a tile
	for _, family := range families {
		data, h := sample(1, n+1, d), hyper(family, d)
		rows := baseline.Data{X: data.X[:n*d], Y: data.Y[:n], Inputs: d}
		p := process(t, rows, h, 2)
		testkit.Close(t, fmt.Sprint(family, " evidence"), p.Evidence(), normal(t, rows, h).LogProb(rows.Y), 1e-10, 1e-10)
		// The last row given the others.
		given := make([]int, n)
		for i := range given {
			given[i] = i
		}
		conditional, ok := normal(t, data, h).ConditionNormal(given, rows.Y, nil)
		if !ok {
			t.Fatal("no conditional distribution")
		}
		var sigma mat.SymDense
		conditional.CovarianceMatrix(&sigma)
		mean, variance := moments(t, p, data.X[n*d:])
		testkit.Close(t, fmt.Sprint(family, " mean"), mean[0], conditional.Mean(nil)[0], 1e-9, 1e-9)
		testkit.Close(t, fmt.Sprint(family, " variance"), variance[0], sigma.At(0, 0), 1e-9, 1e-9)
	}
}

func TestGradientAgreesWithDifferences(t *testing.T) {
	const n, d = 70, 2
	data := sample(2, n, d)
	for _, family := range families {
		h := hyper(family, d)
		at := make([]float64, h.Len())
		h.Pack(at)
		e := newEvidence(context.Background(), 2, data)
		g := kern.HyperGradient{Gradient: kern.Gradient{LogLengths: make([]float64, d)}}
		if _, err := e.value(&h, &g); err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(at))
		g.Pack(got, &h)
		want := fd.Gradient(nil, func(x []float64) float64 {
			own := hyper(family, d)
			if err := own.Unpack(x); err != nil {
				t.Fatal(err)
			}
			value, err := e.value(&own, nil)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}, at, &fd.Settings{Formula: fd.Central})
		for i := range want {
			testkit.Close(t, fmt.Sprint(family, " parameter ", i), got[i], want[i], 1e-5, 1e-5)
		}
	}
}

func TestFitFindsTheNoiseAndTheInputThatMatters(t *testing.T) {
	data := sample(3, 150, 2)
	r, err := Method{}.Fit(context.Background(), data, baseline.Environment{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	h := r.(*Process).Hyper()
	_, scaling, _ := baseline.Standardise(data)
	std := []float64{h.Noise}
	if err := scaling.Restore([]float64{0}, std); err != nil {
		t.Fatal(err)
	}
	// 150 rows tell a deviation to one part in √300; four times that.
	testkit.Close(t, "noise", std[0], 0.1, 0.23, 0)
	if h.Lengths[1] < 5*h.Lengths[0] {
		t.Errorf("lengthscales %g: the second input has no effect", h.Lengths)
	}
}

func TestMemoryIsRefusedWithAdvice(t *testing.T) {
	_, err := Method{Memory: 1 << 20}.Fit(context.Background(), sample(4, 300, 1), baseline.Environment{})
	if err == nil || !strings.Contains(err.Error(), "300 rows") || !strings.Contains(err.Error(), "sgpr") {
		t.Errorf("%v", err)
	}
}
