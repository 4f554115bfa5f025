package auto

import (
	"fmt"
	"slices"
	"strings"
)

// Ingredient is a part of the recipe that an ablation leaves out.
type Ingredient string

const (
	Ranks        Ingredient = "ranks"      // scaling by ranks; without it all scalings are linear
	Fine         Ingredient = "fine"       // components of splines
	Smoothness   Ingredient = "smoothness" // the Gaussian prior of differences of neighbouring weights; without it λ = 0
	Averaging    Ingredient = "average"    // of the members; without it the model is the first one
	VaryingNoise Ingredient = "noise"      // that varies with the inputs; without it σ² is constant
	HeavyTails   Ingredient = "tails"      // a Student's t; without it the reference is Gaussian
	DensityRatio Ingredient = "tilt"       // w(u) to the reference; without it w = 1
	Neighbours   Ingredient = "neighbours" // inputs of means of the target over neighbouring rows
	Effects      Ingredient = "effects"    // main effects, which are learned before other components
	Ties         Ingredient = "ties"       // a function for each value of a number that many rows share
	Pruning      Ingredient = "pruning"    // leaving out inputs that are worth nothing
	Absences     Ingredient = "absences"   // inputs that tell where columns lack a value
)

var ingredients = []Ingredient{Ranks, Fine, Smoothness, Averaging, VaryingNoise, HeavyTails, DensityRatio, Neighbours, Effects, Ties, Pruning, Absences}

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
		left = append(left, slices.DeleteFunc(slices.Clone(components), component.isSpline))
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
