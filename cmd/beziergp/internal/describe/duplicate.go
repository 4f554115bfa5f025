package describe

import (
	"math"
	"slices"

	"beziergp/internal/splitmix"
	"beziergp/table"
)

// hashColumn returns a hash by which columns know each other that tell the same: those of
// few distinct values, and categories, if each value of one goes with one value of the
// other, and others if they are equal.
func hashColumn(c column, values []float64) uint64 {
	const mostCodes = 10_000
	coded := c.Kind == table.Category || c.Distinct <= min(c.known/2, mostCodes)
	var sum uint64
	codes := map[float64]float64{}
	for _, v := range values {
		if coded && v == v {
			code, met := codes[v]
			if !met { // values are numbered as they come
				code = float64(len(codes) + 1)
				codes[v] = code
			}
			v = code
		}
		sum = extend(sum, v)
	}
	return sum
}

// extend takes a value into a hash.
func extend(sum uint64, v float64) uint64 {
	bits := math.Float64bits(v)
	switch {
	case v == 0: // of two signs
		bits = 0
	case v != v:
		bits = math.Float64bits(math.NaN())
	}
	return splitmix.Mix((sum + splitmix.Gamma) ^ bits)
}

// repeatedRows returns how many rows equal one before them in all columns.
func repeatedRows(t *table.Table) int {
	sums := make([]uint64, t.Rows())
	for _, name := range t.Names() {
		values, _ := t.Column(name)
		for i, v := range values {
			sums[i] = extend(sums[i], v)
		}
	}
	slices.Sort(sums)
	return len(sums) - len(slices.Compact(sums))
}
