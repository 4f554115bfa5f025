package auto_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"beziergp"
	"beziergp/train"
	"beziergp/train/auto"
)

// watched fits some rows of a law and returns the model with the events of the fit.
func watched(t *testing.T, name string, rows int, r auto.Recipe) (*beziergp.Model, []train.Event) {
	t.Helper()
	if testing.Short() {
		t.Skip("fits a model")
	}
	var events []train.Event
	m, err := beziergp.Fit(context.Background(), laws[name].sample(rows, 1).table(t, 0), "y", beziergp.Options{
		Recipe: r, Workers: 2, Progress: func(e train.Event) { events = append(events, e) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, events
}

// few makes any effort quick.
const few = 1e-4

// The share that is done never falls, is below one until the end, and is one there, whatever
// the effort, the rows and what a run leaves out.
func TestProgressEndsAtTheEnd(t *testing.T) {
	laws["copies of inputs"] = func(r *rand.Rand) ([]float64, float64, float64) {
		x := make([]float64, 20)
		for i, v := 0, r.Float64(); i < len(x); i++ {
			x[i] = v
		}
		return x, x[0], x[0] + 0.1*r.NormFloat64()
	}
	laws["huge"] = func(r *rand.Rand) ([]float64, float64, float64) {
		return []float64{r.Float64()}, 0, math.Pow(math.Abs(r.NormFloat64()), 40)
	}
	for _, c := range []struct {
		law  string
		rows int
		auto.Recipe
	}{
		{"skewed input", 60, auto.Recipe{Effort: auto.Fast, StepsFactor: 0.3}},
		{"line of skewed", 2, auto.Recipe{Effort: auto.Fast}},
		{"two humps", 150, auto.Recipe{StepsFactor: few}},
		{"huge", 60, auto.Recipe{Effort: auto.Fast, StepsFactor: few}},
		{"interactions", 2050, auto.Recipe{Effort: auto.Fast, StepsFactor: few}},
		{"interactions", 40, auto.Recipe{Effort: auto.Fast, Shapes: []string{"coarse@1"}, Members: 1}},
		{"interactions", 60, auto.Recipe{Effort: auto.Fast, Shapes: []string{"smooth", "additive"}, Folds: 7, Members: 5, StepsFactor: few}},
		{"interactions", 200, auto.Recipe{Effort: auto.Fast, Budget: time.Nanosecond}},
		{"copies of inputs", 40, auto.Recipe{Effort: auto.Fast, StepsFactor: few, Ablation: []auto.Ingredient{auto.Ranks}}},
	} {
		t.Run(fmt.Sprintf("%s %d %+v", c.law, c.rows, c.Recipe), func(t *testing.T) {
			m, events := watched(t, c.law, c.rows, c.Recipe)
			var last train.Event
			for i, e := range events {
				end := i == len(events)-1
				if e.Step < last.Step || e.Steps != events[0].Steps || (e.Step == e.Steps) != end || e.Step > e.Steps {
					t.Fatalf("event %d of %d: step %d of %d after %d of %d", i+1, len(events), e.Step, e.Steps, last.Step, last.Steps)
				}
				if e.Part > e.Parts || e.Phase == last.Phase && (e.Part < last.Part || e.Parts != last.Parts) {
					t.Fatalf("%s: part %d of %d after %d of %d", e.Phase, e.Part, e.Parts, last.Part, last.Parts)
				}
				if e.Score.Rows == 0 && (last.Score.Rows > 0 || e.Phase == train.PhaseEpistemic) {
					t.Fatalf("%s: no score, before %+v", e.Phase, last.Score)
				}
				last = e
			}
			// The score at the end is that of the model.
			if end := last.Score; math.Abs(end.RMSE*m.Target().SD/m.Training().RMSE-1) > 1e-9 {
				t.Errorf("the score at the end is %+v, the model's RMSE %g of %g", end, m.Training().RMSE, m.Target().SD)
			}
		})
	}
}

// Events tell every phase in its order, every candidate and member with its error on rows
// held out, and training errors that fall.
func TestEventsTellWhatIsDone(t *testing.T) {
	m, events := watched(t, "interactions", 150, auto.Recipe{Effort: auto.Fast, StepsFactor: 0.3})
	var phases []train.Phase
	held := map[train.Phase]map[int]float64{}
	first, latest := map[int]float64{}, map[int]float64{}
	for _, e := range events {
		if !slices.Contains(phases, e.Phase) {
			phases, held[e.Phase] = append(phases, e.Phase), map[int]float64{}
		}
		if e.Fit.HeldOut > 0 {
			held[e.Phase][e.Fit.Number] = e.Fit.HeldOut
		}
		if e.Phase == train.PhaseMembers && e.RMSE > 0 {
			if first[e.Fit.Number] == 0 {
				first[e.Fit.Number] = e.RMSE
			}
			latest[e.Fit.Number] = e.RMSE
		}
	}
	want := []train.Phase{train.PhaseSelection, train.PhaseMembers, train.PhaseNoise, train.PhaseEpistemic, train.PhaseDensityRatio}
	if !slices.Equal(phases, want) {
		t.Errorf("phases %q, want %q", phases, want)
	}
	// Effort fast has 8 candidates of few rows and 6 on a linear scaling, 4 members and 3 replicates.
	if n := len(held[train.PhaseSelection]); n != 14 {
		t.Errorf("%d candidates are scored", n)
	}
	if n := len(held[train.PhaseMembers]); n != 7 {
		t.Errorf("%d members are scored", n)
	}
	// The squares of the members' errors average to that of the score, for folds are of
	// nearly one size; replicates do not count.
	var squares float64
	for k := 1; k <= 4; k++ {
		squares += math.Pow(held[train.PhaseMembers][k]*m.Target().SD, 2) / 4
	}
	if rmse := math.Sqrt(squares); math.Abs(rmse/m.Training().RMSE-1) > 0.03 {
		t.Errorf("members err %g on average, the score is %g", rmse, m.Training().RMSE)
	}
	for k, rmse := range latest {
		if !(rmse < first[k]/3) || !(rmse < held[train.PhaseMembers][k]) {
			t.Errorf("member %d: the training error goes from %g to %g, held out it is %g", k, first[k], rmse, held[train.PhaseMembers][k])
		}
	}
}

// Of Gaussian errors of one variance the NLPD before calibration is the entropy of that
// Gaussian, and calibration finds no better one.
func TestScoresOfGaussianNoise(t *testing.T) {
	_, events := watched(t, "Gaussian", 300, auto.Recipe{Effort: auto.Fast, Ablation: rough, StepsFactor: 0.3})
	sd := 0.2 / math.Sqrt(0.2*0.2+1./12) // of the noise, in deviations of the target
	entropy := 0.5*math.Log(2*math.Pi*math.E) + math.Log(sd)
	for _, phase := range []train.Phase{train.PhaseSelection, train.PhaseMembers, train.PhaseDensityRatio} {
		var last train.Event
		for _, e := range events {
			if e.Phase == phase {
				last = e
			}
		}
		if s := last.Score; math.Abs(s.NLPD-entropy) > 0.15 || math.Abs(s.RMSE/sd-1) > 0.15 || s.Rows == 0 {
			t.Errorf("%s: score %+v, want an RMSE of %g and an NLPD of %g", phase, s, sd, entropy)
		}
	}
}
