package predictive

import "math"

// Moments returns mean and deviation of the target.
func (d Distribution) Moments() (mean, std float64) {
	d.check()
	if m, ok := d.mixture(); ok {
		if d.Density != nil {
			return tilted{m, d.Density}.moments()
		}
		return m.moments()
	}
	var h *truncated
	if d.Range != nil {
		own := d.truncated()
		d, h = own.free, &own
	}
	switch {
	case d.Scale == 0:
		return d.Back(d.Location), 0
	case h != nil:
	case d.plain() && d.Family.Transformed():
		return log1pMoments(d.Location, d.Scale)
	case d.Density == nil:
		return d.Location, d.Scale * d.Family.Deviation()
	case d.Family.Transformed():
		return d.shapedLog1pMoments()
	default:
		return d.shapedMoments()
	}
	return d.numericMoments(h)
}

// node returns the target at the i-th of the finer nodes and the probability below it,
// below being the masses of the density, if there is one.
func (d Distribution) node(f *Family, i int, below *[Nodes]float64, h *truncated) (y, mass float64) {
	y, mass = d.Back(d.Location+d.Scale*f.z[i]), f.u[i]
	if d.Density != nil {
		mass = massBelow(d.Density, below, mass)
	}
	if h != nil {
		y, mass = h.Clamp(y), h.share(mass)
	}
	return y, mass
}

// masses are those of the density, if there is one.
func (d Distribution) masses() (m [Nodes]float64) {
	if d.Density != nil {
		m = masses(d.Density)
	}
	return m
}

// numericMoments integrates over the cells of the finer nodes, in each of which the
// target is taken as uniform.
func (d Distribution) numericMoments(h *truncated) (mean, std float64) {
	f, centre, below := d.Family.nodes(), d.Back(d.Location), d.masses()
	var first, second float64
	before := 0.0
	y, _ := d.node(f, 0, &below, h)
	y -= centre
	for i := range f.u[1:] {
		next, mass := d.node(f, i+1, &below, h)
		next -= centre
		first += (mass - before) * (y + next) / 2
		second += (mass - before) * (y*y + y*next + next*next) / 3
		before, y = mass, next
	}
	return centre + first, math.Sqrt(max(second-first*first, 0))
}

// CRPS returns the continuous ranked probability score ∫ (F(t) − 1{y ≤ t})² dt.
func (d Distribution) CRPS(y float64) float64 {
	d.check()
	if m, ok := d.mixture(); ok {
		if d.Density != nil {
			return tilted{m, d.Density}.crps(y)
		}
		return m.crps(y)
	}
	var h *truncated
	if d.Range != nil {
		own := d.truncated()
		d, h = own.free, &own
	}
	switch {
	case d.Scale == 0:
		return math.Abs(y - d.Back(d.Location))
	case h != nil:
	case d.plain() && d.Family.Transformed():
		return log1pCRPS(y, d.Location, d.Scale)
	case d.plain():
		return crps(y, d.Location, d.Scale)
	}
	return d.numericCRPS(y, h)
}

// numericCRPS integrates over the cells of the finer nodes, in each of which F is
// taken as linear.
func (d Distribution) numericCRPS(y float64, h *truncated) float64 {
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
	f, below, before := d.Family.nodes(), d.masses(), 0.0
	t, _ := d.node(f, 0, &below, h)
	if y < t {
		sum = t - y
	}
	for i := range f.u[1:] {
		next, mass := d.node(f, i+1, &below, h)
		if t < y && y < next {
			at := d.CDF(y)
			if h != nil {
				at = h.share(at)
			}
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
