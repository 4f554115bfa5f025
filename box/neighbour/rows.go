package neighbour

import (
	"math"
	"math/bits"
)

// Rows are training rows by their positions.
type Rows struct {
	order    Order
	number   []int32
	position []float64 // of the same row
	unplaced []int32   // rows without a position
}

// Places are those of all rows in all columns, [columns][rows], −1 where the coordinate is
// missing: what many orders of the same columns have in common.
type Places [][]int32

// PlacesOf returns the places of rows x, [n, inputs], in columns.
func PlacesOf(columns []Column, x []float32, inputs int) Places {
	p := make(Places, len(columns))
	for i := range columns {
		c := &columns[i]
		p[i] = make([]int32, len(x)/inputs)
		for j := range p[i] {
			p[i][j] = -1
			if v := x[j*inputs+c.Input]; v == v {
				p[i][j] = int32(c.Place(v))
			}
		}
	}
	return p
}

// Sort returns the rows of these numbers in an order by some of the columns, by their
// numbers in it. Rows at one position stay as they were.
func Sort(columns []Column, places Places, by []int, numbers []int) *Rows {
	r := &Rows{number: make([]int32, 0, len(numbers))}
	for _, i := range by {
		r.order = append(r.order, columns[i])
	}
	keys := make([]uint64, 0, len(numbers))
	var most uint64
	for _, j := range numbers {
		var key uint64
		missing := false
		for _, i := range by {
			place := places[i][j]
			missing = missing || place < 0
			key = key*uint64(columns[i].Places) + uint64(place)
		}
		if missing {
			r.unplaced = append(r.unplaced, int32(j))
			continue
		}
		most = max(most, key)
		keys, r.number = append(keys, key), append(r.number, int32(j))
	}
	keys, r.number = radixSort(keys, r.number, bits.Len64(most))
	r.position = make([]float64, len(keys))
	for i, key := range keys {
		r.position[i] = float64(key)
	}
	return r
}

// radixSort sorts keys of so many bits, and numbers with them. It is stable.
func radixSort(keys []uint64, numbers []int32, width int) ([]uint64, []int32) {
	const digit = 11
	otherKeys, otherNumbers := make([]uint64, len(keys)), make([]int32, len(keys))
	for shift := 0; shift < width; shift += digit {
		var from [1<<digit + 1]int
		for _, key := range keys {
			from[key>>shift&(1<<digit-1)+1]++
		}
		for i := range from[1:] {
			from[i+1] += from[i]
		}
		for i, key := range keys {
			to := &from[key>>shift&(1<<digit-1)]
			otherKeys[*to], otherNumbers[*to] = key, numbers[i]
			*to++
		}
		keys, otherKeys = otherKeys, keys
		numbers, otherNumbers = otherNumbers, numbers
	}
	return keys, numbers
}

// Target is what rows have the means of: values by row, and weights, nil for equal ones.
type Target struct{ Y, Weights []float32 }

func (t Target) weight(j int32) float64 {
	if t.Weights == nil {
		return 1
	}
	return float64(t.Weights[j])
}

// knots are runs of neighbours: the first positions, and sums of weights, of weighted
// positions beyond the first, which float64 has exactly, and of weighted targets.
type knots struct {
	first, weight, beyond, sum []float64
	of                         []int32 // the knot of every row, in the order; −1 for rows that have no part
}

// knots joins neighbours, those at one position always, to runs of so many rows at least.
// Rows for which lacks is true have no part.
func (r *Rows) knots(t Target, least int, lacks func(j int32) bool) knots {
	k := knots{of: make([]int32, len(r.number))}
	rows := least // of the last knot; none is there yet
	last := math.NaN()
	for i, j := range r.number {
		if lacks != nil && lacks(j) {
			k.of[i] = -1
			continue
		}
		p := r.position[i]
		if rows >= least && p != last {
			k.first, k.weight, k.beyond, k.sum, rows = append(k.first, p), append(k.weight, 0), append(k.beyond, 0), append(k.sum, 0), 0
		}
		w, at := t.weight(j), len(k.sum)-1
		k.weight[at] += w
		k.beyond[at] += w * (p - k.first[at])
		k.sum[at] += w * float64(t.Y[j])
		k.of[i], last = int32(at), p
		rows++
	}
	if n := len(k.sum) - 1; rows < least && n > 0 {
		k.beyond[n-1] += k.beyond[n] + k.weight[n]*(k.first[n]-k.first[n-1])
		k.weight[n-1] += k.weight[n]
		k.sum[n-1] += k.sum[n]
		k.first, k.weight, k.beyond, k.sum = k.first[:n], k.weight[:n], k.beyond[:n], k.sum[:n]
		for i := len(k.of) - 1; i >= 0 && (k.of[i] < 0 || k.of[i] == int32(n)); i-- {
			if k.of[i] > 0 {
				k.of[i]--
			}
		}
	}
	return k
}

func (k *knots) means() (at, mean []float64) {
	for i, w := range k.weight {
		at, mean = append(at, k.first[i]+k.beyond[i]/w), append(mean, k.sum[i]/w)
	}
	return at, mean
}

// Values writes to dst, by row, the value that neighbours tell of every row: those rows for
// which lacks is not true, but never the row itself. A row without a position has NaN.
func (r *Rows) Values(dst []float64, t Target, least int, lacks func(j int32) bool) {
	k := r.knots(t, least, lacks)
	at, mean := k.means()
	for _, j := range r.unplaced {
		dst[j] = math.NaN()
	}
	for i, j := range r.number {
		p, own := r.position[i], k.of[i]
		if own < 0 {
			dst[j] = interpolate(p, at, mean)
			continue
		}
		w := t.weight(j)
		rest := k.weight[own] - w
		if rest <= 0 { // it has no neighbour at all
			dst[j] = math.NaN()
			continue
		}
		here := k.first[own] + (k.beyond[own]-w*(p-k.first[own]))/rest
		v := (k.sum[own] - w*float64(t.Y[j])) / rest
		switch {
		case p < here && own > 0:
			v = between(p, at[own-1], here, mean[own-1], v)
		case p > here && int(own) < len(at)-1:
			v = between(p, here, at[own+1], v, mean[own+1])
		}
		dst[j] = v
	}
}

// Table returns that of the rows for which lacks is not true.
func (r *Rows) Table(t Target, least int, lacks func(j int32) bool) Table {
	k := r.knots(t, least, lacks)
	at, mean := k.means()
	return Table{Order: r.order, At: at, Mean: mean}
}
