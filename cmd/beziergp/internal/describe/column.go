package describe

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/table"
)

// column is what there is to say of one. What it has no number for is nil.
type column struct {
	Name     string     `json:"name"`
	Kind     table.Kind `json:"kind"`
	Missing  int        `json:"missing"`
	Distinct int        `json:"distinct"`
	Min      *float64   `json:"min,omitempty"` // not of a category
	Max      *float64   `json:"max,omitempty"`
	// Of numbers and truth values:
	Zeros *int     `json:"zeros,omitempty"`
	Mean  *float64 `json:"mean,omitempty"`
	Std   *float64 `json:"std,omitempty"`
	Skew  *float64 `json:"skew,omitempty"`
	// Quantiles of numbers and times.
	Quantiles *quantiles `json:"quantiles,omitempty"`
	// Of a category:
	Levels int     `json:"levels,omitempty"`
	Top    []level `json:"top,omitempty"` // those that occur most
	known  int     // values that are not missing
}

// quantiles lie at 5, 25, 50, 75 and 95 % of the values.
type quantiles struct {
	P05 float64 `json:"0.05"`
	P25 float64 `json:"0.25"`
	P50 float64 `json:"0.5"`
	P75 float64 `json:"0.75"`
	P95 float64 `json:"0.95"`
}

type level struct {
	Level string `json:"level"`
	Count int    `json:"count"`
}

// top is how many levels are named.
const top = 5

// newColumn returns the description of a column, and its values in order, without
// those that are missing.
func newColumn(f table.Field, values []float64) (column, []float64) {
	c := column{Name: f.Name, Kind: f.Kind}
	if c.Kind == "" {
		c.Kind = table.Numeric
	}
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	c.known, c.Missing = len(sorted), len(values)-len(sorted)
	slices.Sort(sorted)
	zeros := 0
	var levels []level
	for i := 0; i < len(sorted); {
		end := i
		for end < len(sorted) && sorted[end] == sorted[i] {
			end++
		}
		c.Distinct++
		switch {
		case c.Kind == table.Category:
			levels = append(levels, level{f.Levels[int(sorted[i])], end - i})
		case sorted[i] == 0:
			zeros = end - i
		}
		i = end
	}
	switch {
	case c.Kind == table.Category:
		c.Levels = len(f.Levels)
		slices.SortStableFunc(levels, func(a, b level) int { return b.Count - a.Count })
		c.Top = levels[:min(top, len(levels))]
	case len(sorted) > 0:
		c.Min, c.Max = &sorted[0], &sorted[len(sorted)-1]
		if c.Kind != table.Boolean {
			c.Quantiles = &quantiles{quantile(sorted, 0.05), quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75), quantile(sorted, 0.95)}
		}
		if c.Kind != table.DateTime {
			mean, std := stat.MeanStdDev(sorted, nil)
			c.Zeros, c.Mean, c.Std, c.Skew = &zeros, finite(mean), finite(std), finite(stat.Skew(sorted, nil))
		}
	}
	return c, sorted
}

// finite returns v, or nil where it is no number that JSON has: one value has no
// deviation, and no skew has what does not vary.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// quantile interpolates linearly between values in order, the first one being at 0 and the
// last at 1 (Hyndman and Fan, Sample quantiles in statistical packages, 1996: type 7).
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	t := at - float64(i)
	return (1-t)*sorted[i] + t*sorted[i+1]
}
