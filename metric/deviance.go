package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// UnitDeviance returns that of Tweedie's law of a power between y and a mean above 0,
//
//	d(y, μ) = 2 (y^(2−p)/((1−p)(2−p)) − y μ^(1−p)/(1−p) + μ^(2−p)/(2−p))
//
// with its limits 2 (y log(y/μ) − y + μ) of p = 1, Poisson's, and 2 (log(μ/y) + y/μ − 1) of
// p = 2, gamma's. It is 0 where y is the mean and above 0 elsewhere; NaN where the law gives
// no such y. It panics on other powers than 0, and those from 1 to 3.
func UnitDeviance(y, mean, power float64) float64 {
	switch {
	case power == 0:
		return (y - mean) * (y - mean)
	case !(power >= 1 && power <= 3):
		panic(fmt.Sprintf("metric: a deviance of power %g", power))
	case !(mean > 0) || y < 0 || power >= 2 && y == 0:
		return math.NaN()
	case power == 1:
		if y == 0 {
			return 2 * mean
		}
		return 2 * (y*math.Log(y/mean) - y + mean)
	case power == 2:
		return 2 * (math.Log(mean/y) + y/mean - 1)
	}
	return 2 * (math.Pow(y, 2-power)/((1-power)*(2-power)) - y*math.Pow(mean, 1-power)/(1-power) + math.Pow(mean, 2-power)/(2-power))
}

// Deviance gathers the mean deviance of rows that come one by one, and how well predicted
// means order them, in memory that does not grow beyond 24 MB. The zero value, with its power,
// holds no rows.
type Deviance struct {
	Power float64 // of [UnitDeviance]
	// Brief says that the mean alone is asked for, and spares memory.
	Brief bool

	n int

	total    sum
	observed sum
	exposure sum
	kept     places
	rows     []ordered
}

// ordered is a row by what was predicted of one unit of its exposure.
type ordered struct{ rate, observed, exposure float64 }

// Add takes in a row, with the exposure that the observed value and the mean are of: 1 where
// there is none.
func (d *Deviance) Add(y, mean, exposure float64) {
	d.total.add(UnitDeviance(y, mean, d.Power))
	d.observed.add(y)
	d.exposure.add(exposure)
	d.n++
	if d.Brief {
		return
	}
	d.kept.room = MedianRows
	row := ordered{mean / exposure, y, exposure}
	switch at := d.kept.next(); {
	case at == len(d.rows):
		d.rows = append(d.rows, row)
	case at >= 0:
		d.rows[at] = row
	}
}

// N returns the number of rows so far.
func (d *Deviance) N() int { return d.n }

// Mean returns the mean of [UnitDeviance], every row counting the same. It panics before the
// first row.
func (d *Deviance) Mean() float64 {
	if d.N() == 0 {
		panic(errEmpty)
	}
	return d.total.value() / float64(d.N())
}

// Gini returns 1 − 2 ∫ L, where L(s) is the share of all that was observed in the share s of
// the exposure with the lowest predictions of a unit: 0 where predictions tell nothing, and
// the nearer to 1 the more of it is in few rows that were told. Rows of equal predictions
// come together. NaN where nothing was observed. Of more than [MedianRows] rows it is that of
// a sample.
func (d *Deviance) Gini() float64 {
	share, observed := d.lorenz()
	area := 0.0
	for i := 1; i < len(share); i++ {
		area += (share[i] - share[i-1]) * (observed[i] + observed[i-1]) / 2
	}
	return 1 - 2*area
}

// Lift returns how many times more of it than on average was observed in a unit of the tenth
// of the exposure with the highest predictions. NaN as [Deviance.Gini].
func (d *Deviance) Lift() float64 {
	share, observed := d.lorenz()
	const from = 0.9
	i, _ := slices.BinarySearch(share, from)
	at := observed[i]
	if share[i] > from {
		at = observed[i-1] + (observed[i]-observed[i-1])*(from-share[i-1])/(share[i]-share[i-1])
	}
	return (1 - at) / (1 - from)
}

// lorenz returns the points of L, the ends included.
func (d *Deviance) lorenz() (share, observed []float64) {
	if d.N() == 0 {
		panic(errEmpty)
	}
	rows := slices.Clone(d.rows)
	slices.SortStableFunc(rows, func(a, b ordered) int { return cmp.Compare(a.rate, b.rate) })
	var s, o sum
	share, observed = []float64{0}, []float64{0}
	for i, row := range rows {
		s.add(row.exposure)
		o.add(row.observed)
		if i+1 < len(rows) && rows[i+1].rate == row.rate {
			continue
		}
		share, observed = append(share, s.value()), append(observed, o.value())
	}
	for i := range share {
		share[i] /= s.value()
		observed[i] /= o.value()
	}
	share[len(share)-1] = 1
	return share, observed
}
