package train

import (
	"fmt"
	"slices"
	"strings"

	"beziergp/internal/process/basis"
)

// Ingredient is a part of [Auto] that can be left out, to see what it is worth.
type Ingredient string

const (
	Ranks      Ingredient = "ranks"      // scaling by ranks: all is linear
	Fine       Ingredient = "fine"       // groups of splines
	Smooth     Ingredient = "smoothness" // the prior by which neighbours are alike
	Average    Ingredient = "average"    // of the members: the first one stands alone
	Varying    Ingredient = "noise"      // that varies with the inputs
	HeavyTails Ingredient = "tails"      // a Student's t
	Shapes     Ingredient = "tilt"       // the shape of distributions
)

var ingredients = []Ingredient{Ranks, Fine, Smooth, Average, Varying, HeavyTails, Shapes}

// ParseIngredients returns the ingredients named in a list separated by commas.
func ParseIngredients(list string) ([]Ingredient, error) {
	var all []Ingredient
	for _, name := range strings.Split(list, ",") {
		if name == "" {
			continue
		}
		if !slices.Contains(ingredients, Ingredient(name)) {
			return nil, fmt.Errorf("ingredient %q is unknown; choose from %v", name, ingredients)
		}
		all = append(all, Ingredient(name))
	}
	return all, nil
}

func (o Auto) lacks(i Ingredient) bool { return slices.Contains(o.Without, i) }

// leaveOut takes candidates out of a choice.
func (o Auto) leaveOut(c choices) choices {
	if o.lacks(Smooth) {
		c.smoothness = []float64{0}
	}
	if !o.lacks(Fine) {
		return c
	}
	shapes := c.shapes
	c.shapes = nil
	for _, components := range shapes {
		left := slices.DeleteFunc(slices.Clone(components), func(c component) bool { return c.Kind == basis.KindSpline })
		if !slices.ContainsFunc(c.shapes, func(s []component) bool { return slices.Equal(s, left) }) {
			c.shapes = append(c.shapes, left)
		}
	}
	return c
}
