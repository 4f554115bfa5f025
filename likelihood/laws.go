package likelihood

import (
	"fmt"
	"reflect"
	"strings"

	"beziergp/box"
	"beziergp/table"
)

// Description is what files keep of a law.
type Description struct {
	Name string `json:"-"` // files keep it apart
	// Parameters are those of a [Scalar] law, in its order, or the floors of classes.
	Parameters []float64 `json:"parameters,omitempty"`
	// Base is that of a [Law], or of every class.
	Base []float64 `json:"base,omitempty"`
}

// Describe returns the description of a law, of which [Restore] makes the law again. That of
// a [Gaussian] is the zero one.
func Describe(l Likelihood) Description {
	switch l := l.(type) {
	case Gaussian:
		return Description{}
	case Law:
		d := Description{Name: l.Name(), Base: []float64{l.Base}}
		for _, p := range l.Parameters() {
			d.Parameters = append(d.Parameters, p.Value)
		}
		return d
	case Classes:
		return Description{Name: l.Name(), Base: l.Base, Parameters: l.Floors}
	}
	return Description{Name: l.Name()}
}

// Restore returns the law of a description; no name is that of a [Gaussian], as files have
// it.
func Restore(d Description) (Likelihood, error) {
	if (d.Name == "" || d.Name == gaussianName) && d.Parameters == nil && d.Base == nil {
		return Gaussian{}, nil
	}
	if d.Name == classesName {
		law := Classes{Base: d.Base, Floors: d.Parameters}
		return law, law.check()
	}
	s, err := ScalarNamed(d.Name)
	if err != nil {
		return nil, fmt.Errorf("%.40q is unknown; this version knows %s", d.Name, strings.Join(Names(), ", "))
	}
	if len(d.Base) != 1 || !finite(d.Base...) || !finite(d.Parameters...) {
		return nil, fmt.Errorf("%q: base %v and parameters %v are no finite numbers of the right count", d.Name, d.Base, d.Parameters)
	}
	if s, err = s.With(d.Parameters); err != nil {
		return nil, fmt.Errorf("%q: %w", d.Name, err)
	}
	return NewLaw(s, d.Base[0]), nil
}

// Named returns the law of a name as training begins with it: what it has to learn is not
// known yet. Behind a colon may stand parameters that are given, as in "tweedie:power=1.5" ([Holder]).
func Named(text string) (Likelihood, error) {
	name, given, isGiven := strings.Cut(text, ":")
	switch {
	case isGiven && (name == gaussianName || name == classesName):
		return nil, fmt.Errorf("%s takes no parameter as given", name)
	case name == gaussianName:
		return Gaussian{}, nil
	case name == classesName:
		return Classes{}, nil
	}
	s, err := ScalarNamed(name)
	if err != nil {
		return nil, fmt.Errorf("%.40q is unknown; choose one of %s", name, strings.Join(Names(), ", "))
	}
	if isGiven {
		if s, err = hold(s, given); err != nil {
			return nil, err
		}
	}
	return NewLaw(s, 0), nil
}

// Names returns those of all laws.
func Names() []string {
	names := []string{gaussianName, classesName}
	for _, s := range scalars {
		names = append(names, s.Name())
	}
	return names
}

// Check returns an error unless [Restore] returns the law for its description: no model of
// another could be written and read.
func Check(l Likelihood) error {
	again, err := Restore(Describe(l))
	if err != nil {
		return err
	}
	return sameKind(l, again)
}

// sameKind returns an error unless a law has the type of that which its name stands for: laws of two
// types may have one name, and parameters alike.
func sameKind(l, named Likelihood) error {
	if own := kind(l); own != kind(named) {
		return fmt.Errorf("%v is not the law %q that this version knows", own, l.Name())
	}
	return nil
}

// kind is the type of a law, of a [Law] that of its [Scalar].
func kind(l Likelihood) reflect.Type {
	if law, ok := l.(Law); ok {
		return reflect.TypeOf(law.Scalar)
	}
	return reflect.TypeOf(l)
}

// Known returns an error unless files can name the law, whatever of it is not learned yet.
func Known(l Likelihood) error {
	switch l.(type) {
	case Gaussian, Classes:
		return nil
	case Law:
		if s, err := ScalarNamed(l.Name()); err == nil {
			return sameKind(l, NewLaw(s, 0))
		}
	}
	return fmt.Errorf("%.40q is unknown; this version knows %s", l.Name(), strings.Join(Names(), ", "))
}

// OfTarget returns the law that a target calls for where none is asked for.
func OfTarget(t box.Target) Likelihood {
	switch {
	case t.Kind == table.Boolean, t.Kind == table.Category && len(t.Levels) == 2:
		return NewLaw(Bernoulli{}, 0)
	case t.Kind == table.Category:
		return Classes{}
	}
	return Gaussian{}
}

// Classifies tells whether a law is one of classes, whose targets are their codes.
func Classifies(l Likelihood) bool {
	switch l := l.(type) {
	case Classes:
		return true
	case Law:
		lo, hi := l.Support()
		return l.Discrete() && lo == 0 && hi == 1
	}
	return false
}

// TakesOffset tells whether an offset can be added to the natural parameter.
func TakesOffset(l Likelihood) bool {
	_, ok := l.(Law)
	return ok
}

// Starter is a law that begins at what the targets say.
type Starter interface {
	// Started returns the law as training begins with it, given n targets and the offsets
	// of their rows, nil where there are none.
	Started(n int, values, offsets Values) (Likelihood, error)
}

// Several is a law of several natural parameters, a process each.
type Several interface {
	Likelihood
	// Latents returns how many there are.
	Latents() int
	// Losses returns −log p(y | f) at g, [Latents], and writes its derivatives.
	Losses(g []float64, y []float32, slope []float64) float64
	// Probabilities writes those of the classes where g ~ N(mean, variance), with one
	// variance for all.
	Probabilities(mean []float64, variance float64, p []float64)
}

// Latents returns the number of processes that a law needs.
func Latents(l Likelihood) int {
	if s, ok := l.(Several); ok {
		return s.Latents()
	}
	return 1
}

// OrGaussian returns the likelihood, a [Gaussian] for nil.
func OrGaussian(l Likelihood) Likelihood {
	if l == nil {
		return Gaussian{}
	}
	return l
}

// IsGaussian tells whether a law is a [Gaussian]; nil is.
func IsGaussian(l Likelihood) bool { return l == nil || l.Name() == gaussianName }
