package describe

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/table"
)

// almostAll is the share from which an input determines the target.
const almostAll = 0.999

// leak says how an input gives the target y away, or nothing. Rows without one of
// the two are passed over.
func leak(f table.Field, values, y []float64) string {
	var a, b []float64
	for i, v := range values {
		if v == v && y[i] == y[i] {
			a, b = append(a, v), append(b, y[i])
		}
	}
	if len(a) < few {
		return ""
	}
	if f.Kind == table.Category {
		if share := explained(a, b, len(f.Levels)); share > almostAll {
			return fmt.Sprintf("explains %.2f %% of the target's variance: it may give the target away", 100*share)
		}
		return ""
	}
	// Of a constant, the correlation is not a number, and no comparison holds.
	if r := stat.Correlation(a, b, nil); math.Abs(r) > almostAll {
		return fmt.Sprintf("has correlation %.5f with the target: it may give the target away", r)
	}
	if r := stat.Correlation(ranks(a), ranks(b), nil); math.Abs(r) > almostAll {
		return fmt.Sprintf("has rank correlation %.5f with the target: it may give the target away", r)
	}
	return ""
}

// explained returns the share of the variance of y that the levels explain, less
// what as many levels would explain by chance (ε², Kelley 1935).
func explained(codes, y []float64, levels int) float64 {
	count, mean := make([]float64, levels+1), make([]float64, levels+1)
	for i, v := range codes {
		k := int(v)
		count[k]++
		mean[k] += (y[i] - mean[k]) / count[k]
	}
	used := 0
	for _, n := range count {
		if n > 0 {
			used++
		}
	}
	within := 0.0
	for i, v := range codes {
		d := y[i] - mean[int(v)]
		within += d * d
	}
	free := len(y) - used
	if free == 0 { // a level a row explains anything
		return 0
	}
	return 1 - within/float64(free)/stat.Variance(y, nil)
}

// ranks returns the rank of every value, equal ones sharing their mean rank.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case values[i] < values[j]:
			return -1
		case values[i] > values[j]:
			return 1
		}
		return 0
	})
	rank := make([]float64, len(values))
	for i := 0; i < len(order); {
		end := i
		for end < len(order) && values[order[end]] == values[order[i]] {
			end++
		}
		for _, at := range order[i:end] {
			rank[at] = float64(i+end-1) / 2
		}
		i = end
	}
	return rank
}
