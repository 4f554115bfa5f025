package train

import (
	"context"
	"testing"

	"beziergp/basis"
)

// What is left out is not there, and the rest still learns the function.
func TestWithout(t *testing.T) {
	if testing.Short() {
		t.Skip("fits several models")
	}
	data := fixture(t, 400)
	for _, name := range ingredients {
		r, err := Auto{Effort: Fast, Without: []Ingredient{name}}.Fit(context.Background(), data, Environment{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		o := r.Options.(autoOptions)
		var there bool
		switch name {
		case Ranks:
			there = o.Shape.Scaling != Linear
		case Fine:
			for _, c := range o.Shape.Components {
				there = there || c.Kind == basis.KindSpline
			}
		case Smooth:
			there = o.Shape.Smoothness != 0 && o.Shape.Scaling == ByRanks
		case Average:
			there = r.Posterior.Groups() != len(o.Shape.Components)
		case Varying:
			there = r.Varying != nil
		case HeavyTails:
			there = r.Tails != 0
		case Shapes:
			there = r.Tilt != nil
		}
		if there || r.RMSE > 0.2 {
			t.Errorf("without %s: error %g, options %+v", name, r.RMSE, o)
		}
	}
	if _, err := ParseIngredients("ranks,salt"); err == nil {
		t.Error("salt is an ingredient")
	}
}
