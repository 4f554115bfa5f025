package analysis

import (
	"math"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/measure"
	"beziergp/table"
)

// profiled returns the law of the training rows that have a value, as the scaling of input i tells it
// by its knots, or a profile by its bins. Levels are as they were, and so are whole numbers that
// have a bin each; of other numbers even says that they are taken as evenly spread within a bin.
func profiled(in box.Input, p *profile.Profile, i int) (r *measure.Rule, even bool, err error) {
	var values, weights []float64
	switch counted := p != nil && len(p.Inputs) > i; {
	case in.Part != "" && in.Part != box.Time && in.Part != box.Absent: // of which no law makes a date
	case in.Kind == table.Category && counted:
		values, weights = counts(p.Inputs[i].Counts[:p.Inputs[i].Nodes])
	case in.Kind == table.Category:
	case in.Lo == in.Hi:
		values, weights = []float64{in.Lo}, []float64{1}
	case len(in.Knots) > 0:
		values, weights = support(in, nil, 0)
	case counted && p.Inputs[i].Known() > 0:
		values, weights, even = binned(&p.Inputs[i])
	}
	if values == nil {
		return nil, false, &measure.LawError{Input: in.Name, Problem: "the model does not tell how it was distributed in the training rows; give it a distribution by --input, or a value by --at"}
	}
	return measure.Points(values, weights), even, nil
}

// counts returns the numbers 0, 1, … of which there are any, and how many.
func counts(all []int) (values, weights []float64) {
	for k, n := range all {
		if n > 0 {
			values, weights = append(values, float64(k)), append(weights, float64(n))
		}
	}
	return values, weights
}

// binned returns values of a number by its bins with their counts.
func binned(c *profile.Column) (values, weights []float64, even bool) {
	inner := c.Counts[1 : len(c.Counts)-1] // those before and behind are not of training rows
	if wholeBins(c) {
		if values, weights = counts(inner); values != nil {
			for k := range values {
				values[k] += c.Lo
			}
		}
		return values, weights, false
	}
	const each = 16 // points of a bin
	edges := append(append([]float64{c.Lo}, c.Cuts...), c.Hi)
	for k, n := range inner {
		for j := 0; n > 0 && j < each; j++ {
			values = append(values, edges[k]+(edges[k+1]-edges[k])*(float64(j)+0.5)/each)
			weights = append(weights, float64(n)/each)
		}
	}
	return values, weights, true
}

// wholeBins tells whether every bin has one whole number, and these follow each other.
func wholeBins(c *profile.Column) bool {
	for k, cut := range c.Cuts {
		if cut != c.Lo+float64(k)+0.5 {
			return false
		}
	}
	return c.Lo == math.Floor(c.Lo) && c.Hi == c.Lo+float64(len(c.Cuts))
}
