package basis

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"beziergp/internal/splitmix"
)

// Averaged is a basis that takes NaN for a coordinate that is not known: its
// functions then have the values given, which are their averages over the training
// rows. That integrates the input out of f, mean and variance alike, for f is
// linear in the functions of one input.
type Averaged struct {
	Basis
	average []float32
	zeros   []float32
}

// NewAveraged returns b with values for an unknown coordinate, one a function, not
// negative and adding up to one.
func NewAveraged(b Basis, average []float64) (Averaged, error) {
	if len(average) != b.Nodes() {
		return Averaged{}, fmt.Errorf("%d averages for %d functions", len(average), b.Nodes())
	}
	a := Averaged{Basis: b, zeros: make([]float32, b.Nodes())}
	var sum float64
	for _, v := range average {
		if !(v >= 0 && v <= 1) {
			return Averaged{}, fmt.Errorf("the average of a function is %g; it must be from 0 to 1", v)
		}
		sum += v
		a.average = append(a.average, float32(v))
	}
	if math.Abs(sum-1) > 1e-4 {
		return Averaged{}, fmt.Errorf("the functions' averages add up to %g, not to 1", sum)
	}
	return a, nil
}

// averageRows is the number of rows that averages are taken over where there are more: that many tell an average of functions to
// 0.004.
const averageRows = 1 << 14

// AverageOverColumn is [AverageOver] of column i of rows of d coordinates, [n, d], or of averageRows of them: those at the fractions of
// multiples of the golden ratio, which lie evenly and not in step with what recurs in rows.
func AverageOverColumn(b Basis, x []float32, d, i int) (Averaged, error) {
	n := len(x) / d
	t := make([]float32, min(n, averageRows))
	for k := range t {
		row := uint64(k)
		if len(t) < n {
			row, _ = bits.Mul64(row*splitmix.Gamma, uint64(n))
		}
		t[k] = x[int(row)*d+i]
	}
	return AverageOver(b, t)
}

// AverageOver returns b with the averages of its functions over the coordinates t,
// those that are NaN left out. Where all are NaN they are those over b's domain.
func AverageOver(b Basis, t []float32) (Averaged, error) {
	const block = 256
	support := b.Support()
	values, first, known := make([]float32, support*block), make([]int32, block), make([]float32, 0, block)
	sums, rows := make([]float64, b.Nodes()), 0
	add := func() {
		b.LocalValues(first, values, known, len(known), support)
		for p := range known {
			for i, v := range values[p*support:][:support] {
				sums[int(first[p])+i] += float64(v)
			}
		}
		rows += len(known)
		known = known[:0]
	}
	for _, v := range t {
		if v == v {
			known = append(known, v)
		}
		if len(known) == block {
			add()
		}
	}
	add()
	if rows == 0 {
		return NewAveraged(b, b.Mean())
	}
	for i := range sums {
		sums[i] = min(max(sums[i]/float64(rows), 0), 1)
	}
	return NewAveraged(b, sums)
}

// Average returns the values for an unknown coordinate, one a function. They must not be
// changed.
func (a Averaged) Average() []float32 { return a.average }

// Bare returns a basis without its averages, if it has any.
func Bare(b Basis) Basis {
	if a, ok := b.(Averaged); ok {
		return a.Basis
	}
	return b
}

// Values fills dst, as [Basis] says, where a coordinate may be NaN.
func (a Averaged) Values(dst, t []float32, n, ld int) {
	a.fill(dst, t, n, ld, a.Basis.Values, a.average)
}

// LocalValues fills values with zeros where a coordinate is NaN and no function vanishes.
func (a Averaged) LocalValues(first []int32, values, t []float32, n, slot int) {
	for at := 0; at < n; {
		if isNaN(t[at]) {
			first[at] = 0
			clear(values[at*slot:][:slot])
			at++
			continue
		}
		to := at + 1
		for to < n && !isNaN(t[to]) {
			to++
		}
		a.Basis.LocalValues(first[at:], values[at*slot:], t[at:to], to-at, slot)
		at = to
	}
}

// Derivatives fills dst; they are zero where a coordinate is NaN.
func (a Averaged) Derivatives(dst, t []float32, n, ld int) {
	a.fill(dst, t, n, ld, a.Basis.Derivatives, a.zeros)
}

// fill calls values a block of points at a time, with zeros in the place of NaN while
// it lasts: t is as it was afterwards, and no memory is made.
func (a Averaged) fill(dst, t []float32, n, ld int, values func(dst, t []float32, n, ld int), unknown []float32) {
	if !slices.ContainsFunc(t[:n], isNaN) {
		values(dst, t, n, ld)
		return
	}
	const most = 256
	var at [most]bool
	for from := 0; from < n; from += most {
		block := t[from:min(from+most, n)]
		for p, v := range block {
			if at[p] = isNaN(v); at[p] {
				block[p] = 0
			}
		}
		values(dst[from:], block, len(block), ld)
		for p := range block {
			if at[p] {
				block[p] = nan
				for i, x := range unknown {
					dst[from+i*ld+p] = x
				}
			}
		}
	}
}

var nan = float32(math.NaN())

func isNaN(v float32) bool { return v != v }

// Spec describes the basis with its averages.
func (a Averaged) Spec() Spec {
	s := a.Basis.Spec()
	for _, v := range a.average {
		s.Average = append(s.Average, float64(v))
	}
	return s
}
