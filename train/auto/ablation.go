package auto

import (
	"fmt"
	"slices"
	"strings"

	"beziergp/internal/process/basis"
)

// Ingredient is a part of the recipe that can be left out, to see what it is worth.
type Ingredient string

const (
	Ranks        Ingredient = "ranks"      // scaling by ranks: all is linear
	Fine         Ingredient = "fine"       // groups of splines
	Smoothness   Ingredient = "smoothness" // the prior by which neighbours are alike
	Averaging    Ingredient = "average"    // of the members: the first one stands alone
	VaryingNoise Ingredient = "noise"      // that varies with the inputs
	HeavyTails   Ingredient = "tails"      // a Student's t
	DensityRatio Ingredient = "tilt"       // to the Gaussian or Student's t
)

var ingredients = []Ingredient{Ranks, Fine, Smoothness, Averaging, VaryingNoise, HeavyTails, DensityRatio}

// ParseIngredients returns the ingredients named in a list separated by commas.
func ParseIngredients(list string) ([]Ingredient, error) {
	var all []Ingredient
	for _, name := range strings.Split(list, ",") {
		if name == "" {
			continue
		}
		if err := Ingredient(name).check(); err != nil {
			return nil, err
		}
		all = append(all, Ingredient(name))
	}
	return all, nil
}

func (i Ingredient) check() error {
	if !slices.Contains(ingredients, i) {
		return fmt.Errorf("ingredient %q is unknown; choose from %v", string(i), ingredients)
	}
	return nil
}

func (o Recipe) lacks(i Ingredient) bool { return slices.Contains(o.Ablation, i) }

// withoutSplines returns the sums of components without those of splines.
func withoutSplines(sums [][]component) (left [][]component) {
	for _, components := range sums {
		left = append(left, slices.DeleteFunc(slices.Clone(components), func(c component) bool { return c.Kind == basis.KindSpline }))
	}
	return distinctSums(left)
}

// distinctSums leaves out those that occurred before.
func distinctSums(sums [][]component) (distinct [][]component) {
	for _, own := range sums {
		if !slices.ContainsFunc(distinct, func(s []component) bool { return slices.Equal(s, own) }) {
			distinct = append(distinct, own)
		}
	}
	return distinct
}
