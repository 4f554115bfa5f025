package predictive

import "math"

// tilted is a mixture whose density is multiplied by w(F(y)).
type tilted struct {
	mixture
	density []float64 // w at the nodes
}

// logDensity is log w(F(y)) p(y); of a single point that has a probability of its own, at the lower end of the
// support, the logarithm of what w makes of that.
func (t tilted) logDensity(y float64) float64 {
	u := t.cdf(y)
	if lo, _ := t.law.Support(); y == lo && u > 0 {
		return math.Log(MassBelow(t.density, u))
	}
	return t.mixture.logDensity(y) + math.Log(DensityAt(t.density, u))
}

// steps is how many there are in a deviation of the table of a tilted distribution, and reaching how many deviations
// it goes from the centre at most.
const (
	tableSteps = 12
	tableReach = 60
)

// rough is the density of the mixture, by a few values of f where that is enough.
func (t tilted) rough(y float64) float64 {
	if _, _, width := t.law.Place(y); t.std > 0 {
		if p, ok := t.smooth(width, func(f float64) float64 { return math.Exp(t.law.LogDensity(y, f)) }); ok {
			return p
		}
	}
	return t.probability(y)
}

// table returns targets in ascending order, and the probabilities below them: F of the mixture adds up its
// density, as in the CRPS, and w takes it to that of the tilted distribution.
func (t tilted) table() (at, below []float64) {
	lo, hi := t.law.Support()
	c := chart{lo, hi}
	centre, std := t.guess(c, 0)
	if math.IsNaN(centre) || math.IsInf(centre, 0) {
		return nil, nil
	}
	h := std / tableSteps
	half := func(side float64) (densities []float64) { // of the chart, from the centre on, in steps of four
		for largest := 0.0; len(densities) <= tableReach*tableSteps; {
			v := centre + side*h*float64(len(densities))
			if side*v > c.edge() {
				break
			}
			p := 0.0
			if y := c.from(v); c.slope(y) > 0 {
				p = t.rough(y) * c.slope(y)
			}
			densities = append(densities, p)
			if largest = max(largest, p); len(densities)%4 == 1 && p <= rounding*largest && len(densities) > 4*tableSteps {
				break
			}
		}
		return densities[:(len(densities)-1)/4*4+1]
	}
	down, up := half(-1), half(1)
	densities := make([]float64, 0, len(down)+len(up)-1)
	for i := len(down) - 1; i > 0; i-- {
		densities = append(densities, down[i])
	}
	densities = append(densities, up...)
	first := centre - h*float64(len(down)-1)
	masses := masses(t.density)
	sum := t.cdf(c.from(first))
	add := func(i int, u float64) {
		at, below = append(at, c.from(first+h*float64(i))), append(below, massBelow(t.density, &masses, min(u, 1)))
	}
	add(0, sum)
	for i := 0; i+4 < len(densities); i += 4 {
		values := (*[5]float64)(densities[i:])
		for k := range cumulated {
			add(i+k+1, sum+h*dot(&cumulated[k], values))
		}
		sum += h * dot(&cumulated[3], values)
	}
	return at, below
}

// moments are those of the table, between whose targets they are taken as uniform: to some 1e-3 of a deviation.
func (t tilted) moments() (mean, std float64) {
	at, below := t.table()
	if at == nil || t.unknown(0) {
		return math.NaN(), math.NaN()
	}
	centre := at[len(at)/2]
	first := below[0] * (at[0] - centre)
	second := first * (at[0] - centre)
	for i := range len(at) - 1 {
		p, y, next := below[i+1]-below[i], at[i]-centre, at[i+1]-centre
		first += p * (y + next) / 2
		second += p * (y*y + y*next + next*next) / 3
	}
	last := at[len(at)-1] - centre
	rest := 1 - below[len(below)-1]
	first, second = first+rest*last, second+rest*last*last
	return centre + first, math.Sqrt(max(second-first*first, 0))
}

// crps is ∫ (F(s) − 1{y ≤ s})² ds, F linear between the targets of the table.
func (t tilted) crps(y float64) float64 {
	at, below := t.table()
	switch {
	case at == nil || t.unknown(y):
		return math.NaN()
	case math.IsInf(y, 0):
		return math.Inf(1)
	}
	lo, hi := t.law.Support()
	inside := min(max(y, lo), hi)
	sum := math.Abs(y-inside) + max(0, at[0]-inside, inside-at[len(at)-1])
	add := func(s0, f0, s1, f1 float64) { // both on one side of y
		if s0 >= inside {
			f0, f1 = 1-f0, 1-f1
		}
		sum += (s1 - s0) * (f0*f0 + f0*f1 + f1*f1) / 3
	}
	for i := range len(at) - 1 {
		s0, s1, f0, f1 := at[i], at[i+1], below[i], below[i+1]
		if s0 < inside && inside < s1 {
			f := f0 + (f1-f0)*(inside-s0)/(s1-s0)
			add(s0, f0, inside, f)
			add(inside, f, s1, f1)
			continue
		}
		add(s0, f0, s1, f1)
	}
	return sum
}
