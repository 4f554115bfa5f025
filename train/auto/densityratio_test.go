package auto

import (
	"context"
	"math"
	"slices"
	"testing"

	"beziergp/predictive"
)

func TestPowerIsTheLikeliestThatDoesNotWorsenTheCRPS(t *testing.T) {
	own, none := func(power float64) float64 { return power }, func(float64) float64 { return 0 }
	for _, test := range []struct {
		name             string
		likelihood, crps func(power float64) float64
		power, gain      float64
	}{
		{"all are better", own, func(power float64) float64 { return -power }, 1, 1},
		{"large powers worsen", own, func(power float64) float64 { return power - 0.35 }, 0.3, 0.3},
		{"all worsen", own, own, 0, math.Inf(-1)},
		{"one in the middle is likeliest", func(power float64) float64 { return 1 - math.Abs(power-0.6) }, none, 0.6, 1},
	} {
		g := newRatioGains()
		for p, power := range ratioPowers {
			for i := range 100 {
				g.add(p, 1, test.likelihood(power), test.crps(power)*float64(1+9*(i%2)))
			}
		}
		g.count(100)
		if power, gain := g.best(); power != test.power || gain != test.gain && !(math.Abs(gain-test.gain) < 1e-12) {
			t.Errorf("%s: power %g of gain %g, want %g of %g", test.name, power, gain, test.power, test.gain)
		}
	}
	// What two rows of many add is less than two standard errors, however much it is.
	g := newRatioGains()
	for range 2 {
		g.add(0, 1, 1, 50)
	}
	if g.add(0, 1, 1, 0); g.worsens(0) {
		t.Error("two rows decide")
	}
}

// predicted returns predictions of zero for all rows of a fixture.
func predicted(t *testing.T) (*dataset, plan, worker, *forecasts) {
	t.Helper()
	const n = 200
	data, p, w := prepared(fixture(t, n), 1)
	t.Cleanup(w.pool.Close)
	e := &ensemble{data: data, folds: [][]int{upTo(n)}, outOfFold: make([]float64, n)}
	return data, p, w, &forecasts{ensemble: e, location: e.outOfFold, scale: slices.Repeat([]float64{0.5}, n)}
}

func TestGainsAreThoseOfTheDistributions(t *testing.T) {
	data, _, _, f := predicted(t)
	numbers := []int{3, 17, 40}
	logs := make([]float64, len(numbers)*predictive.Nodes)
	for i := range logs {
		logs[i] = math.Sin(float64(i))
	}
	got, want := f.gains(logs, numbers), newRatioGains()
	for i, j := range numbers {
		for p, power := range ratioPowers {
			ratio := make([]float64, predictive.Nodes)
			for k := range ratio {
				ratio[k] = power * logs[i*predictive.Nodes+k]
			}
			toRatios(ratio)
			before, after, y := f.distribution(j, nil), f.distribution(j, ratio), f.target(j)
			want.add(p, data.Weight(j), after.LogDensity(y)-before.LogDensity(y), after.CRPS(y)-before.CRPS(y))
		}
	}
	want.count(float64(len(numbers)))
	for k := range want {
		if math.Abs(got[k]-want[k]) > 1e-9*(1+math.Abs(want[k])) {
			t.Errorf("%d: %g, want %g", k, got[k], want[k])
		}
	}
}

// Where rows are many a candidate has a node of u for each of the density's.
func TestPlacesOfTheRatio(t *testing.T) {
	data, p, w, f := predicted(t)
	places, _, err := f.places(data)
	if err != nil {
		t.Fatal(err)
	}
	p.ratioSteps = 1
	for _, s := range []ratioStructure{{Nodes: 4, Smoothness: 30}, {Nodes: 4, Smoothness: 30, Places: finePlaces}} {
		m, err := fitRatio(context.Background(), w, p, places, f.rows(), s, 1)
		if err != nil {
			t.Fatal(err)
		}
		bases, want := m.surface.Group(0).Bases, placeNodes
		if s.Places > 0 {
			want = s.Places
		}
		if got := bases[len(bases)-1].Nodes(); got != want {
			t.Errorf("%+v: %d nodes of u", s, got)
		}
	}
	for _, e := range []Effort{Fast, Default, Best} {
		for _, rows := range []int{fewRows, fewRows + 1} {
			fine := slices.ContainsFunc(ratioCandidates(e, rows), func(s ratioStructure) bool { return s.Places == finePlaces })
			if want := e != Fast && rows > fewRows; fine != want {
				t.Errorf("%s, %d rows: fine places %v", e, rows, fine)
			}
		}
	}
}
