package describe

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/table"
)

// series is a column as it is compared with others.
type series struct {
	table.Field
	values []float64
	ranks  []float64 // of the values; NaN where missing; nil of a category
	known  int       // values that are not missing
}

// hasGaps tells whether a value is missing.
func (s series) hasGaps() bool { return s.known < len(s.values) }

func newSeries(f table.Field, values []float64) series {
	s := series{Field: f, values: values}
	for _, v := range values {
		if v == v {
			s.known++
		}
	}
	if f.Kind != table.Category {
		s.ranks = ranks(values)
	}
	return s
}

// measure says how two columns are compared.
type measure string

const (
	spearman measure = "spearman" // ρ, of numbers, times and truth values
	pearson  measure = "pearson"  // r, of these
	ratio    measure = "eta"      // correlation ratio η of a category and a number
)

// associate returns how closely two columns go together, and by which measure: from −1 to 1,
// or 0 to 1 of a ratio. Rows without one of the two are passed over. Two categories, few
// rows and a constant cannot be compared: the value is NaN then.
func associate(a, b series) (float64, measure) {
	switch {
	case a.ranks == nil && b.ranks == nil:
		return math.NaN(), ratio
	case a.ranks == nil:
		x, y := both(a.values, b.values)
		return correlationRatio(x, y, len(a.Levels)), ratio
	case b.ranks == nil:
		return associate(b, a)
	case a.hasGaps() || b.hasGaps():
		x, y := both(a.values, b.values)
		return correlation(ranks(x), ranks(y)), spearman
	}
	return correlation(a.ranks, b.ranks), spearman
}

// screen is [associate] but for the ranks of columns with gaps, which are not counted anew
// for the rows that have both.
func screen(a, b series) float64 {
	if a.ranks != nil && b.ranks != nil && (a.hasGaps() || b.hasGaps()) {
		return correlation(both(a.ranks, b.ranks))
	}
	value, _ := associate(a, b)
	return value
}

// both returns the rows that have a value in either column.
func both(a, b []float64) (x, y []float64) {
	for i, v := range a {
		if v == v && b[i] == b[i] {
			x, y = append(x, v), append(y, b[i])
		}
	}
	return x, y
}

// correlation is Pearson's of values without gaps, NaN of few rows.
func correlation(x, y []float64) float64 {
	if len(x) < few {
		return math.NaN()
	}
	return stat.Correlation(x, y, nil)
}

// correlationRatio is the root of the share of the variance of y that the levels with these
// codes explain, less what as many levels would explain by chance (ε², Kelley 1935).
func correlationRatio(codes, y []float64, levels int) float64 {
	if len(y) < few {
		return math.NaN()
	}
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
		return math.NaN()
	}
	return math.Sqrt(max(0, 1-within/float64(free)/stat.Variance(y, nil)))
}

// ranks returns the rank of every value, equal ones sharing their mean rank; NaN of NaN.
func ranks(values []float64) []float64 {
	rank := make([]float64, len(values))
	var order []int
	for i, v := range values {
		if v == v {
			order = append(order, i)
		} else {
			rank[i] = math.NaN()
		}
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
