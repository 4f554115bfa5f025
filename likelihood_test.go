package beziergp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/likelihood"
	"beziergp/table"
	"beziergp/train"
	"beziergp/train/paper"
)

// doubled is a law that learns targets as they are, in units of 2.
type doubled struct{ likelihood.Gaussian }

func (doubled) Name() string { return "doubled" }

func (doubled) Scale(t box.Target, _ int, _ likelihood.Values) (box.Target, error) {
	t.SD = 2
	return t, nil
}

// recorder is a recipe that keeps what it was given.
type recorder struct {
	paper.Recipe
	given *train.Data
}

func (r recorder) Fit(ctx context.Context, d train.Data, env train.Environment) (*train.Result, error) {
	*r.given = d
	return r.Recipe.Fit(ctx, d, env)
}

// The law of the options scales the target, goes to the recipe and is that of the model.
func TestTheLawGoesAllTheWay(t *testing.T) {
	tab, err := NewTable(table.ColumnOf("x", []int{1, 2, 3}), table.ColumnOf("y", []int{2, 8, 4}))
	if err != nil {
		t.Fatal(err)
	}
	r := recorder{paper.Recipe{Steps: 2, Orderings: 1, Order: 2}, new(train.Data)}
	o := Options{Likelihood: doubled{}, Recipe: r, OutOfBox: Clip, Workers: 1}
	s, err := dataset.FromTable(tab, o.dataset("y"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.fit(context.Background(), s, nil)
	if y := r.given.Y; r.given.Likelihood != (doubled{}) || y[0] != 1 || y[1] != 4 || y[2] != 2 {
		t.Errorf("the recipe has the law %v and the targets %v", r.given.Likelihood, y)
	}
	if err == nil || !strings.Contains(err.Error(), `likelihood "doubled" is unknown`) { // the model's law
		t.Errorf("error %v", err)
	}
}

// A law that no model file could name is refused before the table is looked at.
func TestUnknownLawsAreRefused(t *testing.T) {
	_, err := Fit(context.Background(), nil, "y", Options{Likelihood: doubled{}})
	var option *OptionError
	if !errors.As(err, &option) || option.Option != "likelihood" || !strings.Contains(option.Problem, "knows gaussian") {
		t.Errorf("error %v", err)
	}
}
