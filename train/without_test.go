package train

import (
	"context"
	"testing"

	"beziergp/internal/process/basis"
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
			there = o.Shapes[0].Scaling != Linear
		case Fine:
			for _, s := range o.Shapes {
				for _, c := range s.Components {
					there = there || c.Kind == basis.KindSpline
				}
			}
		case Smooth:
			there = o.Shapes[0].Smoothness != 0 && o.Shapes[0].Scaling == ByRanks
		case Average:
			there = r.Posterior.Groups() != len(o.Shapes[0].Components)
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
