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

// tableSteps are those of a table in a deviation, and tableReach the deviations that it goes from the centre at most.
const (
	tableSteps = 6
	tableReach = 60
)

// table is a tilted distribution at equidistant nodes of the chart of its support, in blocks of four steps.
type table struct {
	step              float64
	at, slopes, below []float64 // targets, dy/dv there, and the probabilities below
	centre            int       // the block that begins with the typical target
}

// table returns that of the distribution, without nodes where there is no number to answer with: F of the mixture adds up its
// density, as in the CRPS, and w takes it to that of the tilted distribution.
func (t tilted) table() (all table) {
	lo, hi := t.law.Support()
	c := chart{lo, hi}
	centre, std := t.guess(c, 0)
	if math.IsNaN(centre) || math.IsInf(centre, 0) {
		return all
	}
	all.step = std / tableSteps
	half := func(side float64) (densities []float64) { // of the chart, from the centre on
		for largest := 0.0; len(densities) <= tableReach*tableSteps; {
			v := centre + side*all.step*float64(len(densities))
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
	first := centre - all.step*float64(len(down)-1)
	all.centre = (len(down) - 1) / 4
	masses := masses(t.density)
	sum := t.cdf(c.from(first))
	add := func(i int, u float64) {
		y := c.from(first + all.step*float64(i))
		all.at, all.slopes, all.below = append(all.at, y), append(all.slopes, c.slope(y)), append(all.below, massBelow(t.density, &masses, min(u, 1)))
	}
	add(0, sum)
	for i := 0; i+4 < len(densities); i += 4 {
		values := (*[5]float64)(densities[i:])
		for k := range cumulated {
			add(i+k+1, sum+all.step*dot(&cumulated[k], values))
		}
		sum += all.step * dot(&cumulated[3], values)
	}
	return all
}

// rough is the density of the mixture, by a few values of f where that is enough.
func (t tilted) rough(y float64) float64 {
	if p, ok := t.byFewTerms(y); ok {
		return p
	}
	return t.probability(y)
}

// blocks is the number of them.
func (t *table) blocks() int { return len(t.at) / 4 }

// integral is ∫ g(y, F(y)) dy over a block.
func (t *table) integral(block int, g func(y, u float64) float64) float64 {
	var values [5]float64
	for k := range values {
		i := 4*block + k
		values[k] = g(t.at[i], t.below[i]) * t.slopes[i]
	}
	return t.step * dot(&cumulated[3], &values)
}

// moments follow by parts: E (y − c)ᵏ is the integral of k (y − c)ᵏ⁻¹ (1 − F) above c less that of k (y − c)ᵏ⁻¹ F below.
func (t tilted) moments() (mean, std float64) {
	all := t.table()
	if all.at == nil || t.unknown(0) {
		return math.NaN(), math.NaN()
	}
	centre := all.at[4*all.centre]
	var first, second float64
	for block := range all.blocks() {
		beyond := func(u float64) float64 { return 1 - u }
		if block < all.centre {
			beyond = func(u float64) float64 { return -u }
		}
		first += all.integral(block, func(_, u float64) float64 { return beyond(u) })
		second += all.integral(block, func(y, u float64) float64 { return 2 * (y - centre) * beyond(u) })
	}
	return centre + first, math.Sqrt(max(second-first*first, 0))
}

// crps is ∫ (F(s) − 1{y ≤ s})² ds: in the block of y F is linear between targets.
func (t tilted) crps(y float64) float64 {
	all := t.table()
	switch {
	case all.at == nil || t.unknown(y):
		return math.NaN()
	case math.IsInf(y, 0):
		return math.Inf(1)
	}
	lo, hi := t.law.Support()
	inside := min(max(y, lo), hi)
	sum := math.Abs(y-inside) + max(0, all.at[0]-inside, inside-all.at[len(all.at)-1])
	add := func(s0, f0, s1, f1 float64) { // both on one side of y
		if s0 >= inside {
			f0, f1 = 1-f0, 1-f1
		}
		sum += (s1 - s0) * (f0*f0 + f0*f1 + f1*f1) / 3
	}
	for block := range all.blocks() {
		switch i := 4 * block; {
		case all.at[i+4] <= inside:
			sum += all.integral(block, func(_, u float64) float64 { return u * u })
		case all.at[i] >= inside:
			sum += all.integral(block, func(_, u float64) float64 { return (1 - u) * (1 - u) })
		default:
			for k := i; k < i+4; k++ {
				s0, s1, f0, f1 := all.at[k], all.at[k+1], all.below[k], all.below[k+1]
				if s0 < inside && inside < s1 {
					f := f0 + (f1-f0)*(inside-s0)/(s1-s0)
					add(s0, f0, inside, f)
					add(inside, f, s1, f1)
					continue
				}
				add(s0, f0, s1, f1)
			}
		}
	}
	return sum
}
