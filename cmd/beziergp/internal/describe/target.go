package describe

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"beziergp/dataset"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/table"
)

// aboutTarget says what there is to know before a column is learned.
func aboutTarget(c column, f table.Field, sorted []float64) (texts []string) {
	switch {
	case c.Kind == table.Category && len(f.Levels) > 1 && !dataset.LikeNames(len(f.Levels), c.known) && !dataset.LikeNumbers(f):
		return []string{fmt.Sprintf("has %d classes, which fit learns: predictions are their probabilities", len(f.Levels))}
	case c.Kind == table.Category || c.Kind == table.DateTime:
		return []string{dataset.NoNumber(f)}
	case c.Kind == table.Boolean:
		return []string{"is true or false, which fit learns: predictions are the probabilities of both"}
	case c.Distinct > 2 && c.Distinct <= 10 && len(sorted) >= 10*few && isWhole(sorted):
		texts = append(texts, fmt.Sprintf("has %d whole numbers alone: if they name classes, give fit --column %s=category", c.Distinct, printable.Name(c.Name)))
	}
	why, laws := likelihood.Suggested(sorted)
	named := strings.Join(laws, " or ")
	switch {
	case isSkewed(sorted) && laws != nil:
		texts = append(texts, fmt.Sprintf("%s (skewness %.1f): try --likelihood %s, or --target-transform log1p, and compare the scores", why, *c.Skew, named))
	case isSkewed(sorted):
		texts = append(texts, fmt.Sprintf("is skewed (%.1f) and not negative: try --target-transform log1p, and compare the scores", *c.Skew))
	case laws != nil:
		texts = append(texts, fmt.Sprintf("%s: try --likelihood %s, and compare the scores", why, named))
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
