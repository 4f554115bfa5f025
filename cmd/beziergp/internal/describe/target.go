package describe

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"beziergp/dataset"
	"beziergp/table"
)

// aboutTarget says what there is to know before a column is learned.
func aboutTarget(c column, f table.Field, sorted []float64) (texts []string) {
	switch {
	case c.Kind == table.Category || c.Kind == table.DateTime:
		return []string{dataset.NoNumber(f)}
	case c.Kind == table.Boolean, c.Distinct == 2 && sorted[0] == 0 && sorted[len(sorted)-1] == 1:
		return []string{"is yes or no, which is learned as the number 1 or 0: the mean predicted estimates the probability of 1, predict --range 0:1 keeps it within these, " +
			"and the interval means nothing; classification is not there yet"}
	case c.Distinct > 2 && c.Distinct <= 10 && len(sorted) >= 10*few && isWhole(sorted):
		texts = append(texts, fmt.Sprintf("has %d whole numbers alone: if they name classes, there is nothing to learn from their order, and classification is not there yet", c.Distinct))
	}
	if isSkewed(sorted) {
		texts = append(texts, fmt.Sprintf("is skewed (%.1f) and not negative: try --target-transform log1p, and compare the scores", *c.Skew))
	}
	return texts
}

// isSkewed tells whether the logarithm of values in order, of which none is negative, is much
// less skewed than they are.
func isSkewed(sorted []float64) bool {
	if len(sorted) < few || sorted[0] < 0 {
		return false
	}
	logs := make([]float64, len(sorted))
	for i, v := range sorted {
		logs[i] = math.Log1p(v)
	}
	skew := stat.Skew(sorted, nil)
	return skew > 1 && math.Abs(stat.Skew(logs, nil)) < skew/2
}
