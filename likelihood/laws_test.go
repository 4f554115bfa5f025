package likelihood

import (
	"strings"
	"testing"
)

// The table has every law once, by a name of its own, and the suite has all of them.
func TestTheTableOfLaws(t *testing.T) {
	if len(inhabitants) != len(laws) {
		t.Errorf("%d laws, %d in the suite that all pass", len(laws), len(inhabitants))
	}
	for _, l := range laws {
		named, err := Named(l.Name())
		if err != nil || named != l {
			t.Errorf("%q is %#v (%v), want %#v", l.Name(), named, err, l)
		}
		if again, err := Named(Tag(l)); err != nil || again != l {
			t.Errorf("in a file %q is %#v (%v), want %#v", Tag(l), again, err, l)
		}
		if inhabitants[l.Name()].law != l {
			t.Errorf("in the suite %q is %#v, want %#v", l.Name(), inhabitants[l.Name()].law, l)
		}
		if err := Check(l); err != nil {
			t.Error(err)
		}
	}
	if Tag(Gaussian{}) != "" {
		t.Errorf("files of today name the Gaussian %q", Tag(Gaussian{}))
	}
}

// other is a law that is not in the table.
type other struct {
	Gaussian
	name string
}

func (o other) Name() string { return o.name }

func TestUnknownLaws(t *testing.T) {
	if _, err := Named("geometric"); err == nil || !strings.Contains(err.Error(), `"geometric" is unknown`) || !strings.Contains(err.Error(), "knows gaussian") {
		t.Errorf("error %v", err)
	}
	for name, says := range map[string]string{"geometric": "unknown", "gaussian": "is not the law"} {
		l := other{name: name}
		if err := Check(l); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, says)
		}
	}
	if Tag(other{name: "geometric"}) != "geometric" {
		t.Error("the tag of a law is not its name")
	}
}

func TestTheLawIsGaussianByDefault(t *testing.T) {
	if l := (other{name: "geometric"}); OrGaussian(nil) != (Gaussian{}) || OrGaussian(l) != l {
		t.Errorf("%#v for none, %#v for %#v", OrGaussian(nil), OrGaussian(l), l)
	}
}
