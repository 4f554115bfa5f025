package metric_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"beziergp/metric"
)

// The cases are those of testdata/classes.py, by scikit-learn.
func TestScoresOfClassesOfScikitLearn(t *testing.T) {
	var oracle struct {
		Classes []struct {
			Name                          string
			P                             [][]float64
			Y                             []int
			LogLoss, Brier, Accuracy, AUC float64
			BrierOfSklearn                *float64 `json:"brier_of_sklearn"`
			Confusion                     [][]int
		}
		Amounts []struct {
			Name              string
			Power             float64
			Y, Mean, Exposure []float64
			Deviance, Gini    float64
		}
	}
	text, err := os.ReadFile("testdata/classes.json")
	if err == nil {
		err = json.Unmarshal(text, &oracle)
	}
	if err != nil || len(oracle.Classes) < 4 || len(oracle.Amounts) < 4 {
		t.Fatalf("%d and %d cases, %v", len(oracle.Classes), len(oracle.Amounts), err)
	}
	for _, c := range oracle.Classes {
		s := metric.NewClasses(len(c.P[0]))
		for i, y := range c.Y {
			s.Add(y, c.P[i])
		}
		near(t, c.Name+": log loss", s.LogLoss(), c.LogLoss, agreement)
		near(t, c.Name+": Brier", s.Brier(), c.Brier, agreement)
		if c.BrierOfSklearn != nil {
			near(t, c.Name+": Brier", s.Brier(), *c.BrierOfSklearn, agreement)
		}
		near(t, c.Name+": accuracy", s.Accuracy(), c.Accuracy, agreement)
		near(t, c.Name+": AUC", s.AUC(), c.AUC, agreement)
		if !reflect.DeepEqual(s.Confusion(), c.Confusion) {
			t.Errorf("%s: confusion %v, want %v", c.Name, s.Confusion(), c.Confusion)
		}
	}
	for _, c := range oracle.Amounts {
		d := metric.Deviance{Power: c.Power}
		for i, y := range c.Y {
			d.Add(y, c.Mean[i], c.Exposure[i])
		}
		near(t, c.Name+": deviance", d.Mean(), c.Deviance, agreement)
		near(t, c.Name+": Gini", d.Gini(), c.Gini, agreement)
	}
}

// Two bins by hand: 0.9 claimed three times and right twice, 0.55 once and wrong.
func TestCalibrationErrorByHand(t *testing.T) {
	c := metric.NewClasses(2)
	for _, observed := range []int{1, 1, 0} {
		c.Add(observed, []float64{0.1, 0.9})
	}
	c.Add(1, []float64{0.55, 0.45})
	near(t, "ECE", c.ECE(), 3./4*(0.9-2./3)+1./4*0.55, 1e-14)
	near(t, "accuracy", c.Accuracy(), 0.5, 0)
	if c.LogLoss() < 0 || metric.Likeliest([]float64{0.4, 0.4, 0.2}) != 0 {
		t.Error("a log loss below 0, or the later of two equal classes")
	}
}

// Probabilities of different bins do not make up for each other: 0.9 claimed and right is 0.1
// too little, and 0.6 claimed and wrong 0.6 too much. 1 belongs to the last bin.
func TestBinsOfProbabilities(t *testing.T) {
	var r metric.Reliability
	r.Add(0.9, true)
	r.Add(0.6, false)
	near(t, "ECE", r.ECE(), (0.1+0.6)/2, 1e-14)
	r.Add(0, false)
	r.Add(1, true)
	r.Add(0.97, true)
	claimed, came, rows := r.Bins()
	if !reflect.DeepEqual(rows, []int{1, 1, 1, 2}) || !reflect.DeepEqual(came, []float64{0, 0, 1, 1}) {
		t.Errorf("%v rows of %v claimed came true %v", rows, claimed, came)
	}
	near(t, "claimed in the last bin", claimed[3], 0.985, 1e-14)
}

// A class that there is not, or probabilities of others, are a misuse that is told.
func TestClassesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		observed int
		p        []float64
	}{{-1, []float64{0.4, 0.6}}, {2, []float64{0.4, 0.6}}, {0, []float64{1}}, {0, []float64{0.4, 0.4, 0.2}}} {
		func() {
			defer func() {
				if _, told := recover().(string); !told {
					t.Errorf("class %d of %v: no word of it", c.observed, c.p)
				}
			}()
			metric.NewClasses(2).Add(c.observed, c.p)
		}()
	}
}

// What cannot be told is NaN, and what was impossible infinite.
func TestClassesWithoutAnswer(t *testing.T) {
	c := metric.NewClasses(3)
	c.Add(1, []float64{0.5, 0.5, 0})
	if !math.IsNaN(c.AUC()) {
		t.Errorf("AUC of one class %g", c.AUC())
	}
	c.Add(2, []float64{0.5, 0.5, 0})
	if !math.IsInf(c.LogLoss(), 1) {
		t.Errorf("log loss of what was impossible %g", c.LogLoss())
	}
	near(t, "AUC without the class 0", c.AUC(), 0.5, 0) // ties alone
	for _, bad := range [][3]float64{{1, 0, 1}, {-1, 1, 1}, {0, 1, 2}, {1, -1, 1.5}} {
		if v := metric.UnitDeviance(bad[0], bad[1], bad[2]); !math.IsNaN(v) {
			t.Errorf("deviance of %v is %g", bad, v)
		}
	}
	d := metric.Deviance{Power: 1}
	d.Add(0, 1, 1)
	if v := d.Gini(); !math.IsNaN(v) {
		t.Errorf("Gini of nothing %g", v)
	}
}

// Deviances of neighbouring powers run into those of Poisson and gamma.
func TestDeviancesAreContinuousInThePower(t *testing.T) {
	for _, c := range [][2]float64{{3, 2}, {0.5, 4}, {7, 7}} {
		for _, p := range []float64{1, 2} {
			near(t, "deviance", metric.UnitDeviance(c[0], c[1], math.Nextafter(p, 3)+1e-6), metric.UnitDeviance(c[0], c[1], p), 1e-4)
		}
	}
}

// Deviances of a power p are of the unit of y to the 2 − p; those of Gauss and of the inverse
// Gaussian law, the ends, have forms of their own (Jørgensen 1997).
func TestDeviancesInOtherUnits(t *testing.T) {
	for _, c := range [][2]float64{{3, 2}, {0.5, 4}, {7, 7}, {2, 0.3}} {
		y, mean := c[0], c[1]
		for _, p := range []float64{0, 1, 1.3, 1.9, 2, 2.5, 3} {
			once := metric.UnitDeviance(y, mean, p)
			near(t, "deviance in other units", 1+metric.UnitDeviance(5*y, 5*mean, p), 1+once*math.Pow(5, 2-p), 1e-12)
			if once < -1e-15 || once < 1e-3 != (y == mean) {
				t.Errorf("deviance of %v of power %g: %g", c, p, once)
			}
		}
		near(t, "of Gauss", metric.UnitDeviance(y, mean, 0), math.Pow(y-mean, 2), 1e-15)
		near(t, "of the inverse Gaussian law", metric.UnitDeviance(y, mean, 3), math.Pow(y-mean, 2)/(mean*mean*y), 1e-12)
	}
}

// A tenth of the exposure that ends within rows has its part of what they hold: L is 1/6 at 0.4,
// 1/2 at 0.8, and so 3/4 at 0.9.
func TestLiftWithinARow(t *testing.T) {
	d := metric.Deviance{Power: 1}
	for i, exposure := range []float64{4, 4, 2} {
		d.Add(float64(i+1), float64(i+1)*exposure, exposure)
	}
	near(t, "lift", d.Lift(), (1-0.75)/0.1, 1e-12)
}

// Half of the exposure with all that was observed: L is 0 and then a line.
func TestGiniAndLiftByHand(t *testing.T) {
	d := metric.Deviance{Power: 1}
	for i := range 10 {
		hit := float64(i / 5)
		d.Add(3*hit, 1+hit, 2)
	}
	near(t, "Gini", d.Gini(), 0.5, 1e-14)
	near(t, "lift", d.Lift(), 2, 1e-13)
	var even metric.Deviance
	even.Power = 1
	for i := range 7 {
		even.Add(float64(i), 1, 1) // nothing is told
	}
	near(t, "Gini of ties", even.Gini(), 0, 1e-14)
	near(t, "lift of ties", even.Lift(), 1, 1e-12)
}

// Of more rows than are kept the area is about that of all.
func TestAreasOfManyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	c := metric.NewClasses(2)
	const n = 3 << 20
	for range n {
		y := rng.IntN(2)
		p := 1 / (1 + math.Exp(-(rng.NormFloat64() + float64(y))))
		c.Add(y, []float64{1 - p, p})
	}
	if got, want := c.AUC(), math.Erfc(-0.5)/2; c.N() != n || math.Abs(got-want) > 0.002 { // Φ(1/√2)
		t.Errorf("%d rows: area %g, want %g", c.N(), got, want)
	}
}
