package example_test

import (
	"context"
	"testing"

	"beziergp"
	"beziergp/example"
	"beziergp/metric"
)

// The bounds leave room around the RMSE of 1.07 and the coverage of 0.973 that the
// recipe reached when it was chosen; 300 rows tell the RMSE to 4 %.
func TestRecipeFits(t *testing.T) {
	data, err := example.Table()
	if err != nil {
		t.Fatal(err)
	}
	training, heldOut := example.Split(data)
	m, err := beziergp.Fit(context.Background(), training, example.Target, example.Options())
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), heldOut, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, _ := heldOut.Column(example.Target)
	rmse, coverage := metric.RMSE(y, p.Mean), metric.Coverage(y, p.Lower, p.Upper)
	t.Logf("%d rows: RMSE %.3f, of Flow itself %.3f, NLPD %.3f, coverage %.3f, noise %.3f", len(y), rmse, metric.RMSE(y, truth(heldOut)), metric.NLPD(y, p.Mean, p.Std), coverage, m.Noise())
	if rmse > 1.35*example.NoiseStd || rmse < 0.9*example.NoiseStd {
		t.Errorf("RMSE %.3g for noise of deviation %g", rmse, example.NoiseStd)
	}
	if coverage < 0.91 || coverage > 0.99 {
		t.Errorf("%.3g of the rows lie in their 95 %% intervals", coverage)
	}
}
