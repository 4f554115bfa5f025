package beziergp

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"beziergp/metric"
	"beziergp/model"
	"beziergp/table"
	"beziergp/train/auto"
)

// threeClasses draws rows of three classes whose logits are lines, with the probabilities that
// they were drawn by.
func threeClasses(t *testing.T, n int, seed uint64) (tab *Table, codes []int, p [][]float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 4))
	var a, b, y []float64
	for range n {
		u, v := 4*rng.Float64()-2, 4*rng.Float64()-2
		own, sum := []float64{math.Exp(u), math.Exp(v), math.Exp(-u - v)}, 0.0
		for _, w := range own {
			sum += w
		}
		for k := range own {
			own[k] /= sum
		}
		draw, code := rng.Float64(), 0
		for code < 2 && draw > own[code] {
			draw -= own[code]
			code++
		}
		a, b, y = append(a, u), append(b, v), append(y, float64(code))
		codes, p = append(codes, code), append(p, own)
	}
	tab, err := NewTable(table.ColumnOf("a", a), table.ColumnOf("b", b), table.Column{Name: "y", Kind: table.Category, Levels: []string{"x", "y z", "w"}, Values: y})
	if err != nil {
		t.Fatal(err)
	}
	return tab, codes, p
}

// Probabilities come near to those that rows were drawn by, sets hold as often as they state
// on rows that are new, and a file keeps all of it.
func TestClassesFromTableToSets(t *testing.T) {
	if testing.Short() {
		t.Skip("fits a model")
	}
	train, _, _ := threeClasses(t, 1500, 1)
	fresh, codes, truth := threeClasses(t, 4000, 2)
	m, err := Fit(context.Background(), train, "y", Options{Recipe: auto.Recipe{Effort: auto.Fast, StepsFactor: 0.3}})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := model.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := again.Predict(context.Background(), fresh, PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	own, best := metric.NewClasses(3), metric.NewClasses(3)
	for i, code := range codes {
		own.Add(code, p.Probabilities(i))
		best.Add(code, truth[i])
	}
	t.Logf("log loss %.4f, of the truth %.4f; calibration error %.4f, area %.4f", own.LogLoss(), best.LogLoss(), own.ECE(), own.AUC())
	if own.LogLoss() > 1.05*best.LogLoss() || own.ECE() > 0.04 {
		t.Errorf("log loss %g, of the truth %g, calibration error %g", own.LogLoss(), best.LogLoss(), own.ECE())
	}
	told := again.Training().Classes
	if told == nil || math.Abs(told.LogLoss-own.LogLoss()) > 0.08 || told.AUC == nil || again.Training().OutOfFold != nil {
		t.Fatalf("out of fold %+v", told)
	}
	for _, level := range []float64{0.8, 0.9, 0.95, 0.9501} {
		least, err := again.LeastProbability(level)
		if err != nil {
			t.Fatal(err)
		}
		held := 0
		for i, code := range codes {
			for _, k := range p.Set(i, least) {
				if k == code {
					held++
				}
			}
		}
		if share := float64(held) / float64(len(codes)); math.Abs(share-level) > 0.03 {
			t.Errorf("sets of level %g hold %g", level, share)
		}
	}
	for _, level := range []float64{0, 1, math.NaN()} {
		if _, err := again.LeastProbability(level); err == nil {
			t.Errorf("sets of level %g", level)
		}
	}
	// The functions of the classes give the probabilities, but for their own doubt.
	var f [3][]float64
	for k := range f {
		n, err := again.Natural(k)
		if err != nil {
			t.Fatal(err)
		}
		q, err := n.Predict(context.Background(), fresh, PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		f[k] = q.Mean
	}
	for i := range 100 {
		if got, want := math.Log(p.Probabilities(i)[1]/p.Probabilities(i)[0]), f[1][i]-f[0][i]; math.Abs(got) > math.Abs(want)+1e-6 || got*want < 0 {
			t.Errorf("row %d: log odds %g, of the functions %g", i, got, want)
		}
	}
	if _, err := again.Natural(3); err == nil {
		t.Error("a fourth class")
	}
	if _, err := again.Covariance(context.Background(), fresh, fresh); err == nil || !strings.Contains(err.Error(), "a function for each of 3 classes") {
		t.Errorf("the covariance of three functions: %v", err)
	}
}
