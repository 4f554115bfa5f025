package auto

import (
	"context"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/train"
)

// What is left out is not there, and the rest still learns the function.
func TestAblation(t *testing.T) {
	if testing.Short() {
		t.Skip("fits several models")
	}
	data := fixture(t, 400)
	for _, name := range ingredients {
		r, err := Recipe{Effort: Fast, Ablation: []Ingredient{name}}.Fit(context.Background(), data, train.Environment{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		o := r.Options.(options)
		var there bool
		switch name {
		case Ranks:
			there = o.Structures[0].Scaling != train.Linear
		case Fine:
			for _, s := range o.Structures {
				for _, c := range s.Components {
					there = there || c.Kind == basis.KindSpline
				}
			}
		case Smoothness:
			there = o.Structures[0].Smoothness != 0 && o.Structures[0].Scaling == train.ByRanks
		case Averaging:
			there = r.Posterior.Groups() != len(o.Structures[0].Components)
		case VaryingNoise:
			there = r.Varying != nil
		case HeavyTails:
			there = r.Tails != 0
		case DensityRatio:
			there = r.DensityRatio != nil
		}
		if there || r.RMSE > 0.2 {
			t.Errorf("without %s: error %g, options %+v", name, r.RMSE, o)
		}
	}
	if _, err := ParseIngredients("ranks,salt"); err == nil {
		t.Error("salt is an ingredient")
	}
}
