package auto

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// shifted is a Gaussian law whose mean is f − 0.3.
type shifted struct{ likelihood.Gaussian }

func (s shifted) Loss(f float64, y []float32) (value, slope float64) {
	return s.Gaussian.Loss(f-0.3, y)
}

// Members learn by the loss of the training set's likelihood, and are scored by it.
func TestMembersLearnByTheLikelihood(t *testing.T) {
	given := fixture(t, 300)
	given.Likelihood = shifted{}
	data, p, w := prepared(given, 1)
	defer w.pool.Close()
	data.limits = nil
	s := structure{Components: []component{coarse}, Smoothness: 1}
	m, err := fitMember(context.Background(), w, p, data, s, upTo(300), upTo(300), 200, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := newEnsemble(data)
	e.add(m, upTo(300))
	bias, mean := make([]float64, 300), 0.0
	for j, y := range data.Y {
		bias[j] = m.held[j] - float64(y)
		mean += square(bias[j]-0.3) / 300
	}
	testkit.Close(t, "mean of f − y", stat.Mean(bias, nil), 0.3, 0, 0.02)
	testkit.Close(t, "mean deviance", e.meanDeviance(upTo(300)), mean, 1e-12, 0)
}
