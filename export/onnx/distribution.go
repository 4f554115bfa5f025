package onnx

import (
	"math"

	"beziergp/model"
	"beziergp/predictive"
)

var nan = math.NaN()

// prediction is what is known of a row's distribution, [rows] each but the density, which is
// [rows, predictive.Nodes], and "" where it is 1 everywhere. Location and scale are of the
// transformed target.
type prediction struct {
	location, scale, density value
}

// moments returns mean and deviation of the target, as [model.Marginal] has them.
func (g *graph) moments(o *model.Output, p prediction) (mean, std value) {
	family, limits, means := o.Family(), o.Target.Range, o.Means()
	transformed := family.Transformed()
	if limits != nil && limits.Open() {
		limits = nil
	}
	if limits != nil {
		p.location = g.clamp(p.location, forth(transformed, limits.Lo), forth(transformed, limits.Hi))
	}
	switch {
	case limits != nil || transformed && p.density != "":
		mean, std = g.numericMoments(family, limits, p)
	case transformed:
		mean, std = g.log1pMoments(p)
	case p.density == "":
		mean, std = p.location, g.mul(p.scale, g.number(family.Deviation()))
	default:
		mean, std = p.location, g.shapedDeviation(family, p)
	}
	if means != nil {
		mean = g.clamp(mean, means.Lo, means.Hi)
		std = g.op("Min", std, g.number((means.Hi-means.Lo)/2))
	}
	if !transformed {
		mean = p.location
	}
	if limits != nil {
		mean = g.clamp(mean, limits.Lo, limits.Hi)
	}
	return mean, std
}

// forth takes an end of a range to the transformed target.
func forth(transformed bool, y float64) float64 {
	if transformed {
		return math.Log1p(max(y, -1))
	}
	return y
}

// back takes the transformed target to the target.
func (g *graph) back(transformed bool, v value) value {
	if !transformed {
		return v
	}
	return g.sub(g.op("Exp", v), g.number(1))
}

// log1pMoments are those of y where log(1 + y) is N(location, scale²):
//
//	E y = exp(location + scale²/2) − 1,  Var y = (exp(scale²) − 1) exp(2 location + scale²)
func (g *graph) log1pMoments(p prediction) (mean, std value) {
	square := g.mul(p.scale, p.scale)
	unit := g.op("Exp", g.add(p.location, g.mul(g.number(0.5), square)))
	return g.sub(unit, g.number(1)), g.mul(unit, g.op("Sqrt", g.sub(g.op("Exp", square), g.number(1))))
}

// cells are what the finer nodes of a family make of densities.
type cells struct {
	u, z []float64
	mass []float64 // [predictive.Nodes, cells]: what a density's values weigh in the mass of a cell
}

func cellsOf(f *predictive.Family) cells {
	var c cells
	c.u, c.z = f.FinerNodes()
	n := len(c.u) - 1
	c.mass = make([]float64, predictive.Nodes*n)
	for k := range predictive.Nodes {
		unit := make([]float64, predictive.Nodes)
		unit[k] = 1
		before := 0.0
		for i := range n {
			below := predictive.MassBelow(unit, c.u[i+1])
			c.mass[k*n+i] = below - before
			before = below
		}
	}
	return c
}

// shapedDeviation is that of a target that is not transformed: between the finer nodes it is
// uniform, so that moments of z are linear in the density.
func (g *graph) shapedDeviation(f *predictive.Family, p prediction) value {
	c := cellsOf(f)
	n := len(c.u) - 1
	var first, second [predictive.Nodes]float64
	for k := range predictive.Nodes {
		for i := range n {
			a, b := c.z[i], c.z[i+1]
			first[k] += c.mass[k*n+i] * (a + b) / 2
			second[k] += c.mass[k*n+i] * (a*a + a*b + b*b) / 3
		}
	}
	moment := func(w [predictive.Nodes]float64) value {
		return g.sum(g.mul(p.density, g.float64s([]int{len(w)}, w[:]...)), 1)
	}
	return g.mul(p.scale, g.spread(moment(first), moment(second)))
}

// spread is the deviation of what has a first and a second moment.
func (g *graph) spread(first, second value) value {
	return g.op("Sqrt", g.op("Max", g.sub(second, g.mul(first, first)), g.number(0)))
}

// numericMoments integrates over the cells of the finer nodes, in each of which the target is
// uniform, under the condition that it lies within limits, nil for none.
func (g *graph) numericMoments(f *predictive.Family, limits *predictive.Range, p prediction) (mean, std value) {
	transformed := f.Transformed()
	c := cellsOf(f)
	n := len(c.u) - 1
	location, scale := g.unsqueeze(p.location, 1), g.unsqueeze(p.scale, 1)
	y := g.back(transformed, g.add(location, g.mul(scale, g.float64s([]int{n + 1}, c.z...)))) // [rows, n+1]
	below := g.float64s([]int{1, n}, c.u[1:]...)                                              // [rows, n] of the cells' ends
	if p.density != "" {
		masses := make([]float64, len(c.mass))
		for k := range predictive.Nodes {
			sum := 0.0
			for i := range n {
				sum += c.mass[k*n+i]
				masses[k*n+i] = sum
			}
		}
		below = g.op("MatMul", p.density, g.float64s([]int{predictive.Nodes, n}, masses...))
	}
	centre := g.back(transformed, location)
	narrow := value("")
	if limits != nil {
		lo, mass := g.inRange(f, *limits, p)
		narrow = g.op("LessOrEqual", mass, g.number(leastMass))
		below = g.clamp(g.div(g.sub(below, lo), mass), 0, 1)
		y = g.clamp(y, limits.Lo, limits.Hi)
	}
	y = g.sub(y, centre)
	// The mass of a cell is the difference of what lies below its ends; below the first node
	// there is none.
	before := g.mul(g.slice(below, 0, 1), g.number(0))
	if n > 1 {
		before = g.concat(1, before, g.slice(below, 0, n-1))
	}
	mass := g.sub(below, before)
	a, b := g.slice(y, 0, n), g.slice(y, 1, n+1)
	first := g.sum(g.mul(mass, g.mul(g.number(0.5), g.add(a, b))), 1)
	squares := g.add(g.add(g.mul(a, a), g.mul(a, b)), g.mul(b, b))
	second := g.sum(g.mul(mass, g.div(squares, g.number(3))), 1)
	at := g.op("Squeeze", centre, g.indices(1))
	mean, std = g.add(at, first), g.spread(first, second)
	if narrow != "" {
		narrow = g.op("Squeeze", narrow, g.indices(1))
		std = g.pick(narrow, g.number(0), std)
		mean = g.pick(narrow, g.clamp(at, limits.Lo, limits.Hi), mean)
	}
	return mean, std
}

// leastMass is the mass of a range up to which all of it lies on the nearer end, as
// predictive has it.
const leastMass = 1e-12

// inRange returns the probability below a range and within it, [rows, 1].
func (g *graph) inRange(f *predictive.Family, r predictive.Range, p prediction) (below, mass value) {
	below, above := g.number(0), g.number(1)
	if end := forth(f.Transformed(), r.Lo); !math.IsInf(end, -1) {
		below = g.cdf(f, p, end)
	}
	if end := forth(f.Transformed(), r.Hi); !math.IsInf(end, 1) {
		above = g.cdf(f, p, end)
	}
	return below, g.sub(above, below)
}

// cdf is F(v) of the transformed target, [rows, 1]. F₀ is a table over s = z/(1 + |z|), from
// −1 to 1, of which a linear function lies between neighbours: it is off by some 10⁻⁹.
func (g *graph) cdf(f *predictive.Family, p prediction, v float64) value {
	const places = 1 << 14
	reference := predictive.Distribution{Scale: 1, Family: f}
	if f.Transformed() {
		reference.Family = nil // a Gaussian's, which that of log(1 + y) always is
	}
	table := make([]float64, places+1)
	for i := range table {
		s := 2*float64(i)/places - 1
		switch i {
		case 0:
		case places:
			table[i] = 1
		default:
			z := s / (1 - math.Abs(s))
			table[i] = reference.CDF(z)
		}
	}
	z := g.div(g.sub(g.number(v), p.location), p.scale)
	s := g.div(z, g.add(g.number(1), g.op("Abs", z)))
	u := g.look(g.float64s([]int{places + 1}, table...), places, g.mul(g.add(s, g.number(1)), g.number(places/2)))
	if p.density == "" {
		return g.unsqueeze(u, 1)
	}
	return g.massBelow(p.density, u)
}

// look returns the table's value at a place among its nodes, linear in between.
func (g *graph) look(table value, last int, at value) value {
	left := g.clamp(g.floor(at), 0, float64(last-1))
	share := g.sub(at, left)
	i := g.cast(left, int64s)
	a, b := g.gather(table, 0, i), g.gather(table, 0, g.add(i, g.whole(1)))
	return g.add(a, g.mul(share, g.sub(b, a)))
}

// massBelow is the integral of densities, [rows, predictive.Nodes], from 0 to u, [rows]; as
// [rows, 1].
func (g *graph) massBelow(w, u value) value {
	const last = predictive.Nodes - 1
	to := make([]float64, predictive.Nodes*predictive.Nodes) // masses from 0 to every node
	for k := range predictive.Nodes {
		unit := make([]float64, predictive.Nodes)
		unit[k] = 1
		for i := range predictive.Nodes {
			to[k*predictive.Nodes+i] = predictive.MassBelow(unit, float64(i)/last)
		}
	}
	masses := g.op("MatMul", w, g.float64s([]int{predictive.Nodes, predictive.Nodes}, to...))
	at := g.unsqueeze(g.mul(u, g.number(last)), 1)
	left := g.clamp(g.floor(at), 0, last-1)
	t, i := g.sub(at, left), g.cast(left, int64s)
	pick := func(v value, i value) value {
		return g.with("GatherElements", []attribute{{name: "axis", value: 1}}, v, i)
	}
	a, b := pick(w, i), pick(w, g.add(i, g.whole(1)))
	rise := g.mul(g.number(0.5), g.mul(t, g.sub(b, a)))
	return g.op("Min", g.add(pick(masses, i), g.mul(g.div(t, g.number(last)), g.add(a, rise))), g.number(1))
}
