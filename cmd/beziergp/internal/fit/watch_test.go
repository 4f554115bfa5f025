package fit

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/likelihood"
	"beziergp/table"
	"beziergp/train"
)

// Scores are shown in the units of the target: of predictions that are the mean everywhere,
// the RMSE is the deviation, and the NLPD is minus the mean log-density of the values
// themselves, row by row.
func TestScoresAreInTheUnitsOfTheTarget(t *testing.T) {
	y := []float64{3, 100, 7.5, 0, 41, math.NaN(), 12}
	for transform, density := range map[box.Transform]func(y, mean, sd float64) float64{
		box.Identity: func(y, mean, sd float64) float64 { return gaussian(y, mean, sd) },
		box.Log1p:    func(y, mean, sd float64) float64 { return gaussian(math.Log1p(y), mean, sd) / (1 + y) },
	} {
		var said strings.Builder
		w := watchOf(t, streams.Streams{Console: console.New(&said)}, transform, y...)
		var n, nlpd float64
		for _, v := range y {
			if v == v {
				n++
				nlpd -= math.Log(density(v, w.target.Mean, w.target.SD))
			}
		}
		got := w.detail(beziergp.Event{
			Phase: train.PhaseMembers, Part: 2, Parts: 5, Score: train.Score{Rows: 6, RMSE: 1, NLPD: (1 + math.Log(2*math.Pi)) / 2},
		})
		if want := fmt.Sprintf("member 2 of 5, RMSE %.4g, NLPD %.3g", w.target.SD, nlpd/n); got != want {
			t.Errorf("%q: %q, want %q", transform, got, want)
		}
	}
}

// watchOf returns the watch of a fit to targets.
func watchOf(t *testing.T, s streams.Streams, transform box.Transform, y ...float64) *watch {
	t.Helper()
	rows, err := table.New(table.ColumnOf("y", y))
	if err != nil {
		t.Fatal(err)
	}
	o := NewOptions()
	o.Target, o.Transform = "y", transform
	return o.newWatch(s, "", rows)
}

// Of laws other than a Gaussian the log-likelihood is told, as it is.
func TestLogLikelihoodsAreToldOfLaws(t *testing.T) {
	score := train.Score{Rows: 9, RMSE: math.NaN(), NLPD: 0.25}
	for law, want := range map[string]string{"poisson": "NLPD 0.25", "bernoulli": "log loss 0.25", "categorical": "log loss 0.25"} {
		rows, err := table.New(table.ColumnOf("y", []int{0, 1, 1}))
		if err != nil {
			t.Fatal(err)
		}
		o := NewOptions()
		o.Target = "y"
		if o.Likelihood, err = likelihood.Named(law); err != nil {
			t.Fatal(err)
		}
		w := o.newWatch(streams.Streams{}, "", rows)
		event := beziergp.Event{Phase: train.PhaseMembers, Part: 2, Parts: 5, Score: score}
		if got := w.detail(event); got != "member 2 of 5, "+want {
			t.Errorf("%s: %q", law, got)
		}
		for _, field := range w.fields(event) {
			if v, ok := field.Value.Any().(float64); ok && math.IsNaN(v) || field.Key == "rmse" {
				t.Errorf("%s: the field %v", law, field)
			}
		}
	}
}

// Help says what every law is of.
func TestHelpKnowsEveryLaw(t *testing.T) {
	for _, name := range likelihood.Names() {
		if aboutLaws[name] == "" {
			t.Errorf("nothing is said of %s", name)
		}
	}
}

func gaussian(y, mean, sd float64) float64 {
	return math.Exp(-(y-mean)*(y-mean)/(2*sd*sd)) / (sd * math.Sqrt(2*math.Pi))
}

// What is shown follows the phase, the part and the score, and there is no score without one.
func TestDetailFollowsTheEvents(t *testing.T) {
	w := watchOf(t, streams.Streams{}, box.Identity, -1, 1)
	for _, c := range []struct {
		event beziergp.Event
		want  string
	}{
		{beziergp.Event{Phase: train.PhaseSelection, Part: 1, Parts: 14}, "choosing 1 of 14"},
		{beziergp.Event{Phase: train.PhaseSelection, Part: 3, Parts: 14}, "choosing 3 of 14"},
		{beziergp.Event{Phase: train.PhaseSelection, Part: 3, Parts: 14, Score: train.Score{Rows: 9, RMSE: 0.5}}, "choosing 3 of 14, RMSE 0.5, NLPD 0"},
		{beziergp.Event{Phase: train.PhaseNoise, Part: 3, Parts: 14, Score: train.Score{Rows: 9, RMSE: 0.5}}, "noise, RMSE 0.5, NLPD 0"},
		{beziergp.Event{Phase: train.PhaseDensityRatio, Part: 3, Parts: 14, Score: train.Score{Rows: 9, RMSE: 0.5, NLPD: -1}}, "density ratio, RMSE 0.5, NLPD -1"},
	} {
		for range 2 { // the second time it is remembered
			if got := w.detail(c.event); got != c.want {
				t.Errorf("%+v: %q, want %q", c.event, got, c.want)
			}
		}
	}
}

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		7 * time.Second: "5 seconds", 13 * time.Second: "15 seconds", 96 * time.Second: "95 seconds",
		100 * time.Second: "2 minutes", 14*time.Minute + 40*time.Second: "15 minutes",
	} {
		if got := roughly(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
