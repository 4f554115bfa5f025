package likelihood

import (
	"fmt"
	"reflect"
	"strings"
)

// laws are all there are: those that model files can name.
var laws = []Likelihood{Gaussian{}}

// Named returns the law of a name; no name is that of a [Gaussian], as files have it.
func Named(name string) (Likelihood, error) {
	if name == "" {
		return Gaussian{}, nil
	}
	var names []string
	for _, l := range laws {
		if l.Name() == name {
			return l, nil
		}
		names = append(names, l.Name())
	}
	return nil, fmt.Errorf("%.40q is unknown; this version knows %s", name, strings.Join(names, ", "))
}

// Tag returns the name of a law as files have it, of which [Named] makes the law again:
// that of a [Gaussian] is left out.
func Tag(l Likelihood) string {
	if name := l.Name(); name != (Gaussian{}).Name() {
		return name
	}
	return ""
}

// Check returns an error unless [Named] returns the law for its name: no model of another
// could be written and read.
func Check(l Likelihood) error {
	named, err := Named(l.Name())
	if err == nil && !reflect.DeepEqual(named, l) {
		err = fmt.Errorf("%T is not the law %q that this version knows", l, l.Name())
	}
	return err
}

// OrGaussian returns the likelihood, a [Gaussian] for nil.
func OrGaussian(l Likelihood) Likelihood {
	if l == nil {
		return Gaussian{}
	}
	return l
}
