package beziergp_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/table"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// drawn is a table of two inputs and an exposure, whose target a law may give.
func drawn(t *testing.T, law string) *beziergp.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 5))
	columns := [4][]float64{}
	for range 160 {
		x, z, years := rng.Float64(), rng.Float64(), 0.5+rng.Float64()
		rate := years * math.Exp(2*x-z)
		count := 0.0
		for p := rng.ExpFloat64(); p < rate; p += rng.ExpFloat64() {
			count++
		}
		y := count
		switch law {
		case "gaussian", "student":
			y = rate + 0.3*rng.NormFloat64()
		case "bernoulli", "bernoulli-probit":
			y = min(1, count)
		case "ordinal":
			y = min(4, count)
		case "categorical":
			y = min(2, count)
		case "gamma", "exponential", "log-normal":
			y = rate * rng.ExpFloat64()
		case "beta":
			y = 1 / (1 + math.Exp(-2*x+z+0.3*rng.NormFloat64()))
		}
		for k, v := range []float64{x, z, years, y} {
			columns[k] = append(columns[k], v)
		}
	}
	target := table.Column{Name: "y", Values: columns[3]}
	if law == "categorical" {
		target.Kind, target.Levels = table.Category, []string{"none", "one", "several"}
	}
	return mustTable(t, column("x", columns[0]...), column("z", columns[1]...), column("years", columns[2]...), target)
}

var quickly = auto.Recipe{Effort: auto.Fast, StepsFactor: 0.1, Members: 2, Folds: 2}

// Every law is learned from a table, kept by a file, and predicts within where its targets can
// lie, the same to the bit whatever the number of workers.
func TestEveryLaw(t *testing.T) {
	for _, name := range likelihood.Names() {
		t.Run(name, func(t *testing.T) {
			if !slices.Contains([]string{"categorical", "poisson", "student"}, name) { // of which one is of classes, one of counts
				testkit.Long(t)
			}
			tab := drawn(t, name)
			var files [2][]byte
			var m *beziergp.Model
			var held beziergp.OutOfFold
			for i, workers := range []int{1, 3} {
				var err error
				held = beziergp.OutOfFold{}
				m, err = beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Likelihood: mustLaw(t, name), Recipe: quickly, Exclude: []string{"years"}, Workers: workers, OutOfFold: &held})
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := m.Write(&b); err != nil {
					t.Fatal(err)
				}
				files[i] = b.Bytes()
			}
			if !bytes.Equal(files[0], files[1]) {
				t.Error("the model depends on the number of workers")
			}
			again, err := model.Read(bytes.NewReader(files[0]))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(likelihood.Describe(again.Output().Likelihood), likelihood.Describe(m.Output().Likelihood)) {
				t.Errorf("the file has the law %#v, the model %#v", again.Output().Likelihood, m.Output().Likelihood)
			}
			p, err := m.Predict(context.Background(), tab, beziergp.PredictOptions{})
			if err != nil {
				t.Fatal(err)
			}
			read, err := again.Predict(context.Background(), tab, beziergp.PredictOptions{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if p.Classes != nil {
				if !slices.Equal(p.Classes, read.Classes) {
					t.Error("the model in the file predicts other probabilities")
				}
				for row := range p.InBox {
					sum := 0.0
					for _, v := range p.Probabilities(row) {
						sum += v
					}
					testkit.Close(t, "sum of the probabilities", sum, 1, 1e-9, 0)
				}
			}
			if name == "categorical" {
				if held.Classes == nil || len(held.Classes) != 3*len(held.Rows) {
					t.Errorf("%d probabilities of %d rows out of fold", len(held.Classes), len(held.Rows))
				}
				return
			}
			if !slices.Equal(p.Mean, read.Mean) || !slices.Equal(p.Upper, read.Upper) {
				t.Error("the model in the file predicts other numbers")
			}
			y, _ := tab.Column("y")
			inside := 0.0
			for row := range p.Mean {
				if !(p.Lower[row] <= p.Upper[row]) || !(p.Std[row] >= 0) || math.IsNaN(p.Mean[row]) {
					t.Fatalf("row %d: %g ± %g, [%g, %g]", row, p.Mean[row], p.Std[row], p.Lower[row], p.Upper[row])
				}
				if law := p.Family.Law(); law != nil {
					if lo, hi := law.Support(); !(p.Mean[row] >= lo && p.Mean[row] <= hi && p.Lower[row] >= lo && p.Upper[row] <= hi) {
						t.Fatalf("row %d: %g, [%g, %g] beyond [%g, %g]", row, p.Mean[row], p.Lower[row], p.Upper[row], lo, hi)
					}
				}
				if p.Lower[row] <= y[row] && y[row] <= p.Upper[row] {
					inside += 1 / float64(len(y))
				}
			}
			if inside < 0.85 {
				t.Errorf("95 %% intervals hold %.3f of the rows", inside)
			}
			if len(held.Mean) != len(y) {
				t.Errorf("%d of %d rows are predicted out of fold", len(held.Mean), len(y))
			}
		})
	}
}

// Twice the exposure is twice the count, and an offset of log 2 is the same.
func TestExposureIsProportional(t *testing.T) {
	tab := drawn(t, "poisson")
	m, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Likelihood: mustLaw(t, "poisson"), Recipe: quickly, Exposure: "years"})
	if err != nil {
		t.Fatal(err)
	}
	if last := m.Columns()[len(m.Columns())-1]; last.Name != "years" || len(m.Inputs()) != 2 {
		t.Errorf("a prediction needs %v of %d inputs", m.Columns(), len(m.Inputs()))
	}
	if numbers, err := m.Numbers(tab); err != nil || len(numbers) != len(m.Columns()) {
		t.Errorf("%d columns of numbers (%v), and a prediction needs %d", len(numbers), err, len(m.Columns()))
	}
	at := func(years float64) float64 {
		row := mustTable(t, column("x", 0.5), column("z", 0.5), column("years", years))
		p, err := m.Predict(context.Background(), row, beziergp.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return p.Mean[0]
	}
	testkit.Close(t, "twice the exposure", at(3), 2*at(1.5), 1e-9, 0)
	testkit.Close(t, "rate", at(1), math.Exp(0.5), 0.25, 0)
	for _, years := range []float64{0, math.NaN()} {
		row := mustTable(t, column("x", 0.5), column("z", 0.5), column("years", years))
		if _, err := m.Predict(context.Background(), row, beziergp.PredictOptions{}); err == nil {
			t.Errorf("an exposure of %g is taken", years)
		}
	}
	if _, err := m.Predict(context.Background(), mustTable(t, column("x", 0.5), column("z", 0.5)), beziergp.PredictOptions{}); err == nil {
		t.Error("a table without the exposure is taken")
	}
}

// The recipe of the paper learns laws of one process by the bound, and says that classes need
// another.
func TestPaperLearnsLaws(t *testing.T) {
	o := beziergp.Options{Recipe: paper.Recipe{Order: 3, Orderings: 4, Steps: 600}, Exclude: []string{"years"}}
	for _, name := range []string{"bernoulli", "poisson", "gamma"} {
		o.Likelihood = mustLaw(t, name)
		tab := drawn(t, name)
		m, err := beziergp.Fit(context.Background(), tab, "y", o)
		if err != nil {
			t.Fatal(name, err)
		}
		row := mustTable(t, column("x", 0.1, 0.9), column("z", 0.9, 0.1))
		p, err := m.Predict(context.Background(), row, beziergp.PredictOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		if !(p.Mean[0] < p.Mean[1]) {
			t.Errorf("%s: means %v, and the second is of the larger rate", name, p.Mean)
		}
		// The shape of amounts that are exponential is 1, and less while f is not known yet.
		if law := m.Output().Likelihood.(likelihood.Law); name == "gamma" {
			testkit.Close(t, "shape", law.Parameters()[0].Value, 1, 0.25, 0)
		}
	}
	o.Likelihood = mustLaw(t, "categorical")
	if _, err := beziergp.Fit(context.Background(), drawn(t, "categorical"), "y", o); err == nil || fmt.Sprint(err) == "" {
		t.Error("classes are taken")
	}
}
