package auto_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp"
	"beziergp/box"
	"beziergp/metric"
	"beziergp/model"
	"beziergp/table"
	"beziergp/train/auto"
)

// law draws a row: its inputs, the mean of the target there, and the target.
type law func(*rand.Rand) (x []float64, mean, y float64)

// sample are rows of a law.
type sample struct {
	x       [][]float64
	mean, y []float64
}

func (l law) sample(n int, seed uint64) (s sample) {
	r := rand.New(rand.NewPCG(seed, 9))
	for range n {
		x, mean, y := l(r)
		s.x, s.mean, s.y = append(s.x, x), append(s.mean, mean), append(s.y, y)
	}
	return s
}

// table has the inputs as a, b, …, the first one a category of so many levels, if there
// are any, and the target.
func (s sample) table(t testing.TB, levels int) *beziergp.Table {
	t.Helper()
	var columns []beziergp.Column
	for i := range s.x[0] {
		c := beziergp.Column{Name: string(rune('a' + i))}
		for level := range levels {
			c.Kind, c.Levels = table.Category, append(c.Levels, fmt.Sprintf("level %03d", level))
		}
		levels = 0
		for _, x := range s.x {
			c.Values = append(c.Values, x[i])
		}
		columns = append(columns, c)
	}
	tab, err := beziergp.NewTable(append(columns, beziergp.Column{Name: "y", Values: s.y})...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// outcome is what a fit of the recipe has chosen, and how it predicts fresh rows.
type outcome struct {
	*beziergp.Model
	Structures []struct {
		Scaling    string
		Components []struct {
			Kind  string
			Nodes int
			Cells int
			Ridge float64
		}
		Smoothness float64
	} `json:"shapes"`
	Members int
	Scales  struct {
		Epistemic float64 `json:"doubt"`
		Tails     float64 `json:"degrees_of_freedom"`
	}
	Gain float64 `json:"agreement"` // of averaging

	fresh       sample
	predictions *beziergp.Predictions
	rmse        float64 // to the mean of the law
	off         float64 // to the targets
	nlpd        float64
	told        float64 // mean predicted variance over the mean squared error
	conformal   float64 // share of targets in conformal intervals
}

// learn fits n rows of a law with the least effort, without some ingredients. Tests share
// the outcomes.
func learn(t *testing.T, name string, n int, without ...auto.Ingredient) *outcome {
	t.Helper()
	key := fmt.Sprint(name, n, without)
	if learned[key] == nil {
		learned[key] = learnFrom(t, laws[name].sample(n, 1), laws[name].sample(2000, 2), 0, without...)
	}
	return learned[key]
}

var learned = map[string]*outcome{}

// learnFrom fits some rows and predicts fresh ones; the first input has so many levels.
func learnFrom(t *testing.T, rows, fresh sample, levels int, without ...auto.Ingredient) *outcome {
	t.Helper()
	if testing.Short() {
		t.Skip("fits a model")
	}
	ctx := context.Background()
	m, err := beziergp.Fit(ctx, rows.table(t, levels), "y", beziergp.Options{Workers: 2, Recipe: auto.Recipe{Effort: auto.Fast, Ablation: without}.WithNeighbours()})
	if err != nil {
		t.Fatal(err)
	}
	o := &outcome{Model: m, fresh: fresh}
	text, err := json.Marshal(m.Training().Options)
	if err == nil {
		err = json.Unmarshal(text, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	points := fresh.table(t, levels)
	if o.predictions, err = m.Predict(ctx, points, beziergp.PredictOptions{}); err != nil {
		t.Fatal(err)
	}
	p := o.predictions
	conformal, err := m.Predict(ctx, points, beziergp.PredictOptions{Interval: model.ConformalInterval})
	if err != nil {
		t.Fatal(err)
	}
	o.rmse = metric.RMSE(fresh.mean, p.Mean)
	o.conformal = metric.Coverage(fresh.y, conformal.Lower, conformal.Upper)
	o.off = metric.RMSE(fresh.y, p.Mean)
	var told float64
	for i, y := range fresh.y {
		o.nlpd -= p.Distribution(i).LogDensity(y) / float64(len(fresh.y))
		told += p.Std[i] * p.Std[i] / float64(len(fresh.y))
	}
	o.told = told / (o.off * o.off)
	t.Logf("without %v: rmse %.4f, out of fold %.4f, nlpd %.3f, told %.3f, conformal %.3f, %s", without, o.rmse, m.Training().RMSE, o.nlpd, o.told, o.conformal, text)
	return o
}

// tellsAbsent tells whether an input tells where another is missing.
func (o *outcome) tellsAbsent() bool {
	return slices.ContainsFunc(o.Inputs(), func(in box.Input) bool { return in.Part == box.Absent })
}

// has tells whether members are made of a kind of basis, of more nodes than a line's.
func (o *outcome) has(kind string) bool {
	for _, s := range o.Structures {
		for _, c := range s.Components {
			if c.Kind == kind && c.Nodes > 2 {
				return true
			}
		}
	}
	return false
}

// ties tells whether a structure has a component of ties.
func (o *outcome) ties() bool {
	for _, s := range o.Structures {
		for _, c := range s.Components {
			if c.Cells > 0 && c.Ridge == 0 {
				return true
			}
		}
	}
	return false
}

// mainEffects tells whether a structure begins with main effects.
func (o *outcome) mainEffects() bool { return o.Structures[0].Components[0].Ridge > 0 }

// std returns the mean deviation of fresh rows whose first input lies between two values.
func (o *outcome) std(from, to float64) (mean float64) {
	var n float64
	for i, x := range o.fresh.x {
		if x[0] >= from && x[0] <= to {
			mean, n = mean+o.predictions.Std[i], n+1
		}
	}
	return mean / n
}

// line is a straight line of one input with noise of some kind.
func line(noise func(r *rand.Rand, x float64) float64) law {
	return func(r *rand.Rand) ([]float64, float64, float64) {
		x := r.Float64()
		return []float64{x}, x, x + noise(r, x)
	}
}

// curve is a function of one input, which is drawn evenly and then scaled, with noise.
func curve(f, scaled func(u float64) float64, noise float64) law {
	return func(r *rand.Rand) ([]float64, float64, float64) {
		u := r.Float64()
		return []float64{scaled(u)}, f(u), f(u) + noise*r.NormFloat64()
	}
}

func same(u float64) float64 { return u }

// random returns numbers of a row and the mean of its target.
func random(r *rand.Rand, n int, mean func(x []float64) float64) (x []float64, m float64) {
	for range n {
		x = append(x, r.Float64())
	}
	return x, mean(x)
}

// hourly is a number of its own for every hour of some days, with noise of deviation one.
func hourly() law {
	rng := rand.New(rand.NewPCG(4, 4))
	level := make([]float64, 40*24)
	for i := range level {
		level[i] = 1.5 * rng.NormFloat64()
	}
	return func(r *rand.Rand) ([]float64, float64, float64) {
		day, hour := r.IntN(40), r.IntN(24)
		mean := level[day*24+hour]
		return []float64{float64(hour), r.Float64(), float64(day)}, mean, mean + r.NormFloat64()
	}
}

// days is a number of its own for every one of some days, which neighbouring days say nothing of,
// beside a smooth function.
func days() law {
	rng := rand.New(rand.NewPCG(5, 5))
	level := make([]float64, 60)
	for i := range level {
		level[i] = rng.NormFloat64()
	}
	return func(r *rand.Rand) ([]float64, float64, float64) {
		day, x := r.IntN(len(level)), r.Float64()
		mean := math.Sin(3*x) + level[day]
		return []float64{x, float64(day)}, mean, mean + 0.3*r.NormFloat64()
	}
}

// Each of the laws shows what an ingredient or a stage of the recipe is for.
var laws = map[string]law{
	"days and hours":   hourly(),
	"days that differ": days(),
	"skewed input":     curve(func(u float64) float64 { return math.Sin(6 * u) }, func(u float64) float64 { return math.Exp(8 * u) }, 0.1),
	"line of skewed":   curve(func(u float64) float64 { return math.Exp(4*u) / 20 }, func(u float64) float64 { return math.Exp(4 * u) }, 0.3),
	"slightly bent":    curve(func(u float64) float64 { return u + 0.2*math.Sin(6*u) }, same, 0.3),
	"local structure":  curve(func(u float64) float64 { return math.Sin(25 * u) }, same, 0.1),
	"mostly noise": func(r *rand.Rand) ([]float64, float64, float64) {
		x, mean := random(r, 5, func(x []float64) float64 { return math.Sin(6 * x[0]) })
		return x, mean, mean + 0.8*r.NormFloat64()
	},
	"missing for a reason": func(r *rand.Rand) ([]float64, float64, float64) {
		x, mean := random(r, 2, func(x []float64) float64 { return x[0] + 2*x[1] })
		if r.IntN(3) == 0 {
			x[0], mean = math.NaN(), 2*x[1]-1
		}
		return x, mean, mean + 0.1*r.NormFloat64()
	},
	"interactions": func(r *rand.Rand) ([]float64, float64, float64) {
		x, mean := random(r, 4, func(x []float64) float64 { return math.Sin(6*x[0]*x[1]) + 2*x[2]*x[3] })
		return x, mean, mean
	},
	"three of many": func(r *rand.Rand) ([]float64, float64, float64) {
		x, mean := random(r, 20, func(x []float64) float64 { return math.Sin(6*x[3]) + 4*(x[8]-0.5)*(x[9]-0.5) })
		return x, mean, mean + 0.3*r.NormFloat64()
	},
	"a wave of each": func(r *rand.Rand) ([]float64, float64, float64) {
		x, mean := random(r, 16, func(x []float64) (sum float64) {
			for i, v := range x {
				sum += math.Sin(float64(4+i) * v)
			}
			return sum
		})
		return x, mean, mean + 0.3*r.NormFloat64()
	},
	"Gaussian":       line(func(r *rand.Rand, _ float64) float64 { return 0.2 * r.NormFloat64() }),
	"quiet and loud": line(loudness),
	"outliers": line(func(r *rand.Rand, x float64) float64 {
		e := loudness(r, x)
		if r.IntN(40) == 0 {
			e += 3
		}
		return e
	}),
	// Hardly any noise on the left, but for a few rows.
	"far outliers": line(func(r *rand.Rand, x float64) float64 {
		e := (0.005 + 0.495*math.Round(x)) * r.NormFloat64()
		if r.IntN(40) == 0 {
			e += 2
		}
		return e
	}),
	"heavy tails": line(func(r *rand.Rand, _ float64) float64 { return 0.2 * r.NormFloat64() / math.Sqrt(r.ExpFloat64()) }),
	"two humps":   line(func(r *rand.Rand, _ float64) float64 { return float64(2*r.IntN(2)-1) + 0.1*r.NormFloat64() }),
	// Many inputs are nearly the same, and the noise is loudest where they are large.
	"diagonal": func(r *rand.Rand) ([]float64, float64, float64) {
		h, mean := random(r, 1, func(h []float64) float64 { return math.Sin(5 * h[0]) })
		var x []float64
		for range 8 {
			x = append(x, h[0]+0.05*r.NormFloat64())
		}
		return x, mean, mean + (0.02+0.3*h[0]*h[0])*r.NormFloat64()
	},
	"anywhere": func(r *rand.Rand) ([]float64, float64, float64) {
		x, mean := random(r, 8, func([]float64) float64 { return 0 })
		return x, mean, 0
	},
	// Two inputs are nearly the same, and the target is ten times their difference.
	"difference": func(r *rand.Rand) ([]float64, float64, float64) {
		x, mean := random(r, 2, func(x []float64) float64 { return x[1] - 0.5 })
		return []float64{x[0] + 0.1*mean, x[0] - 0.1*mean}, mean, mean + 0.02*r.NormFloat64()
	},
}

// loudness is noise of deviation 0.05 on the left and 0.5 on the right.
func loudness(r *rand.Rand, x float64) float64 { return (0.05 + 0.45*math.Round(x)) * r.NormFloat64() }

// A number of its own for every day and hour, noise of deviation one: neighbours in that order
// tell it, and new rows are covered as they should be. No error is below the noise, in which
// the row's own target would show.
func TestNeighboursTellNewRows(t *testing.T) {
	o := learnFrom(t, laws["days and hours"].sample(10_000, 1), laws["days and hours"].sample(4000, 2), 0)
	if len(o.Neighbours()) != 1 {
		t.Fatalf("%d tables of neighbours", len(o.Neighbours()))
	}
	if own := o.Training().RMSE; own < 1 || own > 1.4 || o.off < 0.98 || o.off > 1.25 {
		t.Errorf("error %g out of fold and %g of new rows", own, o.off)
	}
	if c := metric.Coverage(o.fresh.y, o.predictions.Lower, o.predictions.Upper); c < 0.93 || c > 0.97 || o.conformal < 0.93 || o.conformal > 0.97 {
		t.Errorf("new rows are covered to %g and %g", c, o.conformal)
	}
}
