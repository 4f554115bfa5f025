package likelihood

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Every law can be named, described and restored, and the suite of the Gaussian has it.
func TestTheTableOfLaws(t *testing.T) {
	for _, name := range Names() {
		named, err := Named(name)
		if err != nil || named.Name() != name {
			t.Errorf("%q is %#v (%v)", name, named, err)
		}
	}
	for _, law := range []Likelihood{Gaussian{}, NewLaw(Poisson{}, 1.5), NewLaw(Bernoulli{}, -3), NewLaw(Bernoulli{Floors: [2]float64{0.1, 0.02}}, -3), Classes{Base: []float64{-1, -2, -0.5}, Floors: []float64{0.1, 0, 0.03}}, Classes{Base: []float64{-1, -2, -0.5}}, Classes{Base: []float64{-0.7, -0.7}}} {
		d := Describe(law)
		again, err := Restore(d)
		if err != nil || again.Name() != law.Name() || !slices.Equal(Describe(again).Base, d.Base) {
			t.Errorf("%#v is restored as %#v (%v)", law, again, err)
		}
		if err := Check(law); err != nil {
			t.Error(err)
		}
	}
	if d := Describe(Gaussian{}); d.Name != "" || d.Base != nil || d.Parameters != nil {
		t.Errorf("files of today describe the Gaussian as %#v", d)
	}
}

func TestBadDescriptions(t *testing.T) {
	nan := math.NaN()
	for _, d := range []Description{
		{Name: "poisson"}, {Name: "poisson", Base: []float64{1, 2}}, {Name: "poisson", Base: []float64{nan}},
		{Name: "poisson", Base: []float64{0}, Parameters: []float64{1}}, {Name: "gamma", Base: []float64{0}},
		{Name: "categorical", Base: []float64{1}}, {Name: "categorical", Base: []float64{1, nan}},
		{Name: "categorical", Base: []float64{1, 2}, Parameters: []float64{1}}, {Name: "gaussian", Base: []float64{1}},
	} {
		if law, err := Restore(d); err == nil {
			t.Errorf("%#v is taken for %#v", d, law)
		}
	}
}

// other is a law that is not in the table.
type other struct {
	Gaussian
	name string
}

func (o other) Name() string { return o.name }

func TestUnknownLaws(t *testing.T) {
	if _, err := Named("geometric"); err == nil || !strings.Contains(err.Error(), `"geometric" is unknown`) || !strings.Contains(err.Error(), "gaussian") {
		t.Errorf("error %v", err)
	}
	for name, says := range map[string]string{"geometric": "unknown", "gaussian": "is not the law"} {
		l := other{name: name}
		if err := Check(l); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, says)
		}
	}
}

// namesake is a law of the name and the parameters of one in the table, which it is not.
type namesake struct{ Poisson }

// A model of a law that has the name of another would be read as one of that other.
func TestLawsOfANameThatIsTaken(t *testing.T) {
	l := NewLaw(namesake{}, 0.5)
	for what, check := range map[string]func(Likelihood) error{"written": Check, "trained": Known} {
		if err := check(l); err == nil || !strings.Contains(err.Error(), "namesake is not the law \"poisson\"") {
			t.Errorf("to be %s: error %v", what, err)
		}
	}
	if err := Check(other{}); err == nil {
		t.Error("a law without a name is taken for a Gaussian")
	}
}

func TestTheLawIsGaussianByDefault(t *testing.T) {
	if l := (other{name: "geometric"}); OrGaussian(nil) != (Gaussian{}) || OrGaussian(l) != l {
		t.Errorf("%#v for none, %#v for %#v", OrGaussian(nil), OrGaussian(l), l)
	}
}
