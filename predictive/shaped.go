package predictive

import "math"

// The moments of a distribution that has a density w without a range, as numericMoments has
// them: between the finer nodes the target is uniform. Of w at its nodes they are sums of
// which a family knows the factors.

// weight is the mass of a density between two neighbours among the finer nodes, which lie
// in one cell of its nodes; the first has what lies below it, too: left · w[cell] + right · w[cell+1].
type weight struct {
	cell        int
	left, right float64
}

// weigh fills in what follows from the finer nodes.
func (f *Family) weigh() {
	for i, to := range f.u[1:] {
		from, z, next := f.u[i], f.z[i], f.z[i+1]
		if i == 0 {
			from = 0
		}
		k, _ := place((from + to) / 2)
		// By the rule of midpoints, which is exact of a linear function.
		t := (from+to)/2/cell - float64(k)
		own := weight{k, (to - from) * (1 - t), (to - from) * t}
		f.weighs = append(f.weighs, own)
		first, second := (z+next)/2, (z*z+z*next+next*next)/3
		f.first[k] += own.left * first
		f.first[k+1] += own.right * first
		f.second[k] += own.left * second
		f.second[k+1] += own.right * second
	}
}

// shapedMoments are those where the target is not transformed: of z they are linear in w.
func (d Distribution) shapedMoments() (mean, std float64) {
	f := d.Family.nodes()
	var first, second float64
	for k, w := range d.Density {
		first += f.first[k] * w
		second += f.second[k] * w
	}
	return d.Location + d.Scale*first, d.Scale * math.Sqrt(max(second-first*first, 0))
}

// shapedLog1pMoments are those of y = exp(location + scale z) − 1.
func (d Distribution) shapedLog1pMoments() (mean, std float64) {
	f := d.Family.nodes()
	var first, second float64
	y := math.Exp(d.Scale*f.z[0]) - 1 // beyond the centre, in units of exp(location)
	for i := range f.weighs {
		own := &f.weighs[i]
		next := math.Exp(d.Scale*f.z[i+1]) - 1
		mass := own.left*d.Density[own.cell] + own.right*d.Density[own.cell+1]
		first += mass * (y + next) / 2
		second += mass * (y*y + y*next + next*next) / 3
		y = next
	}
	unit := math.Exp(d.Location)
	return d.Back(d.Location) + unit*first, unit * math.Sqrt(max(second-first*first, 0))
}
