package predictive

import "math"

// Moments returns mean and deviation of the target.
func (d Distribution) Moments() (mean, std float64) {
	d.check()
	switch {
	case d.plain() && d.Family.Transformed():
		return log1pMoments(d.Location, d.Scale)
	case d.Scale == 0:
		return d.Back(d.Location), 0
	case d.Density == nil:
		return d.Location, d.Scale * d.Family.Deviation()
	}
	return d.numericMoments()
}

// numericMoments integrates over the cells of the finer nodes, in each of which the
// target is taken as uniform.
func (d Distribution) numericMoments() (mean, std float64) {
	f := d.Family
	centre := d.Back(d.Location)
	below := masses(d.Density)
	var first, second float64
	before, y := 0.0, d.Back(d.Location+d.Scale*f.z[0])-centre
	for i, u := range f.u[1:] {
		mass := massBelow(d.Density, &below, u)
		next := d.Back(d.Location+d.Scale*f.z[i+1]) - centre
		first += (mass - before) * (y + next) / 2
		second += (mass - before) * (y*y + y*next + next*next) / 3
		before, y = mass, next
	}
	return centre + first, math.Sqrt(max(second-first*first, 0))
}

// CRPS returns the continuous ranked probability score ∫ (F(t) − 1{y ≤ t})² dt.
func (d Distribution) CRPS(y float64) float64 {
	d.check()
	switch {
	case d.Scale == 0:
		return math.Abs(y - d.Back(d.Location))
	case d.plain() && d.Family.Transformed():
		return log1pCRPS(y, d.Location, d.Scale)
	case d.plain():
		return crps(y, d.Location, d.Scale)
	}
	return d.numericCRPS(y)
}

// numericCRPS integrates over the cells of the finer nodes, in each of which F is
// taken as linear.
func (d Distribution) numericCRPS(y float64) float64 {
	f := d.Family
	if y != y {
		return y
	}
	var sum float64
	add := func(t0, f0, t1, f1 float64) { // both on one side of y
		if t0 >= y {
			f0, f1 = 1-f0, 1-f1
		}
		sum += (t1 - t0) * (f0*f0 + f0*f1 + f1*f1) / 3
	}
	var below [Nodes]float64
	if d.Density != nil {
		below = masses(d.Density)
	}
	t, before := d.Back(d.Location+d.Scale*f.z[0]), 0.0
	if y < t {
		sum = t - y
	}
	for i, u := range f.u[1:] {
		next, mass := d.Back(d.Location+d.Scale*f.z[i+1]), u
		if d.Density != nil {
			mass = massBelow(d.Density, &below, u)
		}
		if t < y && y < next {
			at := d.CDF(y)
			add(t, before, y, at)
			add(y, at, next, mass)
		} else {
			add(t, before, next, mass)
		}
		t, before = next, mass
	}
	if y > t {
		sum += y - t
	}
	return sum
}
