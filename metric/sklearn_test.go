package metric_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/metric"
	"beziergp/predictive"
)

// sklearn is what testdata/oracle.py writes: cases with their scores by scikit-learn.
type sklearn struct {
	Version string
	Levels  []float64
	Cases   []struct {
		Name         string
		Y, Predicted []float64
		Scores       struct {
			RMSE, MAE, Median, MAPE float64
			R2                      *float64
			Pinball                 []float64
		}
	}
}

const agreement = 1e-9 // relative

// check holds the scores of all cases against scikit-learn's: those of slices, and those of
// rows that come one by one.
func (s sklearn) check(t *testing.T) {
	if len(s.Cases) < 9 {
		t.Fatalf("%d cases", len(s.Cases))
	}
	for _, c := range s.Cases {
		var stream metric.Scores
		var median metric.Median
		quantiles := make([]metric.Quantile, len(s.Levels))
		for i, y := range c.Y {
			p := c.Predicted[i]
			stream.Add(y, p, p-1, p+1, predictive.Distribution{Location: p, Scale: 1})
			median.Add(max(y-p, p-y))
			for k := range quantiles {
				quantiles[k].Level = s.Levels[k]
				quantiles[k].Add(y, p)
			}
		}
		what := func(score string) string { return c.Name + ": " + score }
		near(t, what("RMSE"), metric.RMSE(c.Y, c.Predicted), c.Scores.RMSE, agreement)
		near(t, what("MAE"), metric.MAE(c.Y, c.Predicted), c.Scores.MAE, agreement)
		near(t, what("MAE of a stream"), stream.MAE(), c.Scores.MAE, agreement)
		near(t, what("median"), metric.MedianAE(c.Y, c.Predicted), c.Scores.Median, agreement)
		near(t, what("median of a stream"), median.Value(), c.Scores.Median, agreement)
		near(t, what("MAPE"), metric.MAPE(c.Y, c.Predicted), c.Scores.MAPE, agreement)
		near(t, what("MAPE of a stream"), stream.MAPE(), c.Scores.MAPE, agreement)
		r2, streamed := metric.R2(c.Y, c.Predicted), stream.R2()
		if c.Scores.R2 == nil {
			if r2 == r2 || streamed == streamed {
				t.Errorf("%s: R² of one target is %g and %g", c.Name, r2, streamed)
			}
		} else {
			near(t, what("R²"), r2, *c.Scores.R2, agreement)
			near(t, what("R² of a stream"), streamed, *c.Scores.R2, agreement)
		}
		for k, level := range s.Levels {
			near(t, what("pinball"), metric.Pinball(c.Y, c.Predicted, level), c.Scores.Pinball[k], agreement)
			near(t, what("pinball of a stream"), quantiles[k].Loss(), c.Scores.Pinball[k], agreement)
		}
	}
}

// The fixed cases are those of testdata/oracle.py, by scikit-learn 1.9.1.
func TestScoresOfScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var s sklearn
	if err := json.Unmarshal(text, &s); err != nil || s.Version != "1.9.1" {
		t.Fatalf("version %q, %v", s.Version, err)
	}
	s.check(t)
}

// Cases that nobody has chosen, by the scikit-learn that is there.
func TestScoresOfScikitLearnThatIsThere(t *testing.T) {
	python := testkit.Python(t, "sklearn")
	type drawn struct {
		Name      string    `json:"name"`
		Y         []float64 `json:"y"`
		Predicted []float64 `json:"predicted"`
	}
	var cases []drawn
	rng := rand.New(rand.NewPCG(3, 9))
	for _, n := range []int{2, 3, 10, 101, 1000, 5000} {
		for _, centre := range []float64{0, -20, 1e6} {
			c := drawn{Name: "drawn"}
			for range n {
				y := centre + 10*rng.NormFloat64()
				c.Y, c.Predicted = append(c.Y, y), append(c.Predicted, y+3*rng.NormFloat64())
			}
			cases = append(cases, c)
		}
	}
	given, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "testdata/oracle.py")
	c.Stdin, c.Stderr = strings.NewReader(string(given)), os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var s sklearn
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	s.check(t)
	t.Logf("%d cases agree with scikit-learn %s", len(cases), s.Version)
}
