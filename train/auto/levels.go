package auto

import (
	"math"
	"slices"

	"beziergp/train"
)

// A category of very many levels has a function of each of the most frequent ones, and one of all others, for few rows tell of each and
// a function of every level would multiply the weights of all components. A component of ties alone has a function of
// every level, where these explain residuals.

// TriesLevels tells from how many levels on that share a node a function of each is tried; 0 for never.
func (o Recipe) TriesLevels() int {
	if o.lacks(Ties) {
		return 0
	}
	return fewestTied
}

// withLevels returns the data with what is known of all levels of categories, in the order of the rows that were given.
func (d *dataset) withLevels(given func() ([]train.Levels, error)) (*dataset, error) {
	if given == nil {
		return d, nil
	}
	all, err := given()
	if err != nil {
		return nil, err
	}
	own, places := *d, d.places()
	own.levels = make([]*train.Levels, d.Inputs)
	for _, l := range all {
		codes := make([]float32, d.Len())
		for j := range codes {
			codes[j] = l.Codes[d.standsFor(places[j])[0]]
		}
		l.Codes = codes
		own.levels[l.Input] = &l
	}
	return own.scaled(d.X, d.inputs), nil
}

// levelsOf returns all levels of an input, nil where it has none beyond its functions.
func (d *dataset) levelsOf(input int) *train.Levels {
	if d.levels == nil || input >= len(d.levels) {
		return nil
	}
	return d.levels[input]
}

// tiedBy returns the rows with no more levels than the structures tell apart.
func (d *dataset) tiedBy(structures []structure) *dataset {
	tells := func(s structure) bool { return slices.ContainsFunc(s.Components, component.tellsApart) }
	if d.few == nil || slices.ContainsFunc(structures, tells) {
		return d
	}
	return d.few
}

// tellsLevels tells whether the coordinates of an input are those of all its levels.
func (d *dataset) tellsLevels(input int) bool {
	return d.levelsOf(input) != nil && d.inputs[input].Nodes() == d.levels[input].All.Nodes()
}

// keptInputs returns the inputs of the given ones that the data have, nil for all as they were given.
func (d *dataset) keptInputs() []int {
	if given := upTo(d.Inputs - len(d.neighbours.tables())); d.kept == nil && slices.ContainsFunc(given, d.tellsLevels) {
		return given
	}
	return d.kept
}

// tieAt returns the value of an input by which a row is tied to others, NaN for none: levels of a category that have functions
// of their own in all components tell nothing more.
func (d *dataset) tieAt(j, input int) float32 {
	l := d.levelsOf(input)
	if l == nil {
		return d.Row(j)[input]
	}
	if code := int(l.Codes[j]); l.Codes[j] == l.Codes[j] && code >= l.Own && code < l.All.Nodes() {
		return l.Codes[j]
	}
	return float32(math.NaN())
}
