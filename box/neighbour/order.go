// Package neighbour makes inputs of the target's mean over neighbouring training rows:
// leave-one-out target encoding (Micci-Barreca, SIGKDD Explorations 3, 2001) along an order
// of the rows, which is lexicographic by some of their inputs. It sees coordinates in the
// unit box, and neither tables nor surfaces.
package neighbour

import (
	"fmt"
	"math"
	"slices"
)

// Column is an input that rows are ordered by. A coordinate has a place from 0 to Places−1,
// ascending: that among Values, or else the whole part of its multiple by Scale.
type Column struct {
	Input  int       `json:"input"` // of the rows
	Values []float32 `json:"-"`     // ascending coordinates of an input of few values; nil for others
	Scale  float64   `json:"scale,omitempty"`
	Places int       `json:"places"`
}

const (
	// mostValues is up to where an input has few values: all of them are known by the knots
	// of its scaling.
	mostValues = 512
	// grid is the number of places of an input of many.
	grid = 1 << 20
	// mostPlaces is the largest product of places, up to which float64 has whole numbers.
	mostPlaces = 1 << 53
)

// NewColumn returns the column of an input whose coordinates in the rows these are: of a
// category of so many levels, 0 for a number.
func NewColumn(input int, coordinates []float32, levels int) Column {
	if levels > 0 {
		return Column{Input: input, Scale: 1, Places: levels}
	}
	seen := map[float32]bool{}
	for _, v := range coordinates {
		if v == v {
			seen[v] = true
		}
		if len(seen) > mostValues {
			return Column{Input: input, Scale: grid - 1, Places: grid}
		}
	}
	c := Column{Input: input, Places: len(seen)}
	for v := range seen {
		c.Values = append(c.Values, v)
	}
	slices.Sort(c.Values)
	return c
}

// Place returns that of a coordinate, which is not missing. One between two values has a
// fraction.
func (c *Column) Place(v float32) float64 {
	if c.Values == nil {
		return min(math.Floor(max(0, float64(v))*c.Scale), float64(c.Places-1))
	}
	i, exact := slices.BinarySearch(c.Values, v)
	switch {
	case exact || i == 0:
		return float64(i)
	case i == len(c.Values):
		return float64(i - 1)
	}
	return float64(i-1) + float64((v-c.Values[i-1])/(c.Values[i]-c.Values[i-1]))
}

// Order is lexicographic by columns. The position of a row is a number in the mixed radix of
// their places.
type Order []Column

// Fits tells whether numbers hold all positions.
func (o Order) Fits() bool {
	all := 1.0
	for _, c := range o {
		all *= float64(c.Places)
	}
	return all <= mostPlaces
}

// Position returns that of a row, NaN where one of its coordinates is missing. One between
// two values lies between all rows of these.
func (o Order) Position(row []float32) float64 {
	at, between := 0.0, false
	for i := range o {
		c := &o[i]
		v := row[c.Input]
		if v != v {
			return math.NaN()
		}
		at *= float64(c.Places)
		if between {
			continue
		}
		place := c.Place(v)
		if between = place != math.Floor(place) && i < len(o)-1; between {
			place = math.Ceil(place)
		}
		at += place
	}
	if between {
		return at - 0.5
	}
	return at
}

// check returns an error unless the order is one of rows with so many inputs.
func (o Order) check(inputs int) error {
	if len(o) == 0 || len(o) > inputs {
		return fmt.Errorf("an order by %d of %d inputs", len(o), inputs)
	}
	for _, c := range o {
		switch {
		case c.Input < 0 || c.Input >= inputs:
			return fmt.Errorf("an order by input %d of %d", c.Input, inputs)
		case c.Places < 1 || float64(c.Places) > mostPlaces:
			return fmt.Errorf("an input of %d places", c.Places)
		case c.Values == nil && !(c.Scale > 0 && c.Scale <= grid):
			return fmt.Errorf("places by a scale of %g", c.Scale)
		case c.Values != nil && len(c.Values) != c.Places:
			return fmt.Errorf("%d places of %d values", c.Places, len(c.Values))
		}
		for i := 1; i < len(c.Values); i++ {
			if !(c.Values[i-1] < c.Values[i]) {
				return fmt.Errorf("value %d does not ascend", i)
			}
		}
	}
	if !o.Fits() {
		return fmt.Errorf("an order of more than %d positions", int64(mostPlaces))
	}
	return nil
}
