package onnx

import (
	"fmt"
	"math"

	"beziergp/internal/process/basis"
)

// slot is the values of one basis at one input, with what stands for them where it is missing.
type slot struct {
	input int
	spec  basis.Spec
}

// stacks are the values of the bases of a surface: those of bases with m functions in one
// tensor, [slots, rows, m].
type stacks struct {
	g     *graph
	at    scaled
	slots map[int][]slot // by m
	order []int          // the m, as they came
	known map[string]int // of a slot, its place among those of its m
	made  map[string]value
}

func newStacks(g *graph, at scaled) *stacks {
	return &stacks{g: g, at: at, slots: map[int][]slot{}, known: map[string]int{}, made: map[string]value{}}
}

// slot returns the place of a basis at an input among those with as many functions.
func (s *stacks) slot(input int, b basis.Basis) int {
	spec := averaged(b)
	key := fmt.Sprint(input, " ", spec.Key())
	place, ok := s.known[key]
	if !ok {
		m := spec.Nodes
		if s.slots[m] == nil {
			s.order = append(s.order, m)
		}
		place = len(s.slots[m])
		s.known[key] = place
		s.slots[m] = append(s.slots[m], slot{input, spec})
	}
	return place
}

// averaged returns the spec of a basis with averages: as a model file has it.
func averaged(b basis.Basis) basis.Spec {
	spec := b.Spec()
	if spec.Average == nil {
		spec.Average = b.Mean()
	}
	return spec
}

// values returns φ of all slots of m functions, or for a variance ς φ², [slots, rows, m]; all
// slots have been asked for before.
func (s *stacks) values(m int, variance bool, precision kind) (value, error) {
	key := fmt.Sprint(m, variance, precision)
	if made, ok := s.made[key]; ok {
		return made, nil
	}
	var v value
	var err error
	switch {
	case precision == float64s:
		if v, err = s.values(m, variance, float32s); err == nil {
			v = s.g.cast(v, float64s)
		}
	case variance:
		v, err = s.squares(m)
	default:
		v, err = s.phi(m)
	}
	s.made[key] = v
	return v, err
}

// squares returns ς φ².
func (s *stacks) squares(m int) (value, error) {
	phi, err := s.values(m, false, float32s)
	if err != nil {
		return "", err
	}
	var prior []float32
	for _, own := range s.slots[m] {
		b, err := basis.New(own.spec)
		if err != nil {
			return "", err
		}
		v, err := b.PriorVariance()
		if err != nil {
			return "", err
		}
		for _, x := range v {
			prior = append(prior, float32(x))
		}
	}
	return s.g.mul(s.g.mul(s.g.float32s([]int{len(s.slots[m]), 1, m}, prior...), phi), phi), nil
}

// phi returns the values of the slots' functions.
func (s *stacks) phi(m int) (value, error) {
	g, slots := s.g, s.slots[m]
	var parts []value
	place := make([]int, len(slots)) // in the parts, one after the other
	n := 0
	for _, kind := range basis.Kinds() {
		for _, levels := range []bool{false, true} {
			var own []slot
			for i, one := range slots {
				if one.spec.Kind == kind && s.at.category(one.input) == levels {
					place[i] = n
					n++
					own = append(own, one)
				}
			}
			if own == nil {
				continue
			}
			part, err := s.family(kind, levels, m, own)
			if err != nil {
				return "", err
			}
			parts = append(parts, part)
		}
	}
	return g.rows(g.concat(0, parts...), len(slots), place), nil
}

// family returns the values of slots of one kind of basis, of categories or of numbers.
func (s *stacks) family(kind basis.Kind, levels bool, m int, slots []slot) (value, error) {
	g := s.g
	var inputs []int // that differ
	var pools []basis.Pool
	var averages []float32
	from := make([]int, len(slots))
	known := map[int]int{}
	for k, own := range slots {
		row := s.at.row[own.input]
		if levels != isOfLevels(kind) && kind != basis.KindKnown {
			return "", fmt.Errorf("input %q has a basis of kind %q", s.at.inputs[own.input].Name, kind)
		}
		if _, ok := known[row]; !ok {
			known[row] = len(inputs)
			inputs, pools = append(inputs, row), append(pools, own.spec.Pool)
		}
		from[k] = known[row]
		for _, v := range own.spec.Average {
			averages = append(averages, float32(v))
		}
	}
	t, unknown, all := s.at.t, s.at.unknown, s.at.count[0]
	if levels {
		t, unknown, all = s.at.node, s.at.without, s.at.count[1]
	}
	t = g.rows(t, all, inputs)
	if kind == basis.KindPooled {
		t = g.pooled(t, pools)
	}
	values, err := g.functions(kind, m, t)
	if err != nil {
		return "", err
	}
	missing := g.rows(g.unsqueeze(g.rows(unknown, all, inputs), 2), len(inputs), from)
	return g.pick(missing, g.float32s([]int{len(slots), 1, m}, averages...), g.rows(values, len(inputs), from)), nil
}

func isOfLevels(kind basis.Kind) bool { return kind == basis.KindIndicator || kind == basis.KindPooled }

// pooled returns the functions of levels, [n, rows], of which those of a pool share one: t − min(max(t − from, 0), to − from − 1).
func (g *graph) pooled(t value, pools []basis.Pool) value {
	var from, shared []int
	for _, p := range pools {
		from, shared = append(from, p.From), append(shared, p.To-p.From-1)
	}
	beyond := g.op("Max", g.sub(t, g.int64s([]int{len(from), 1}, from...)), g.whole(0))
	return g.sub(t, g.op("Min", beyond, g.int64s([]int{len(from), 1}, shared...)))
}

// functions returns those of a basis at coordinates t, [n, rows], as [n, rows, m] float32.
func (g *graph) functions(kind basis.Kind, m int, t value) (value, error) {
	t = g.unsqueeze(t, 2)
	switch kind {
	case basis.KindIndicator, basis.KindPooled:
		return g.cast(g.op("Equal", t, g.indices(upTo(m)...)), float32s), nil
	case basis.KindKnown:
		return g.cast(g.op("Equal", g.op("Mul", g.cast(t, int64s), g.whole(0)), g.indices(upTo(m)...)), float32s), nil
	case basis.KindBernstein:
		return g.cast(g.bernstein(m-1, t), float32s), nil
	case basis.KindSpline:
		b, err := basis.NewSpline(m)
		if err != nil {
			return "", err
		}
		return g.spline(b, m, t), nil
	case basis.KindSteps:
		interval := g.clamp(g.floor(g.mul(t, g.number(float64(m)))), 0, float64(m-1))
		return g.cast(g.op("Equal", g.cast(interval, int64s), g.indices(upTo(m)...)), float32s), nil
	}
	return "", fmt.Errorf("a basis of kind %q is not exported", kind)
}

// upTo returns 0 … n−1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// bernstein returns C(ν, i) tⁱ (1 − t)^(ν−i).
func (g *graph) bernstein(order int, t value) value {
	choose, power, rest := []float64{1}, []float64{}, []float64{}
	for i := range order + 1 {
		if i > 0 {
			choose = append(choose, choose[i-1]*float64(order-i+1)/float64(i))
		}
		power, rest = append(power, float64(i)), append(rest, float64(order-i))
	}
	list := func(v []float64) value { return g.float64s([]int{len(v)}, v...) }
	return g.mul(g.mul(list(choose), g.op("Pow", t, list(power))), g.op("Pow", g.sub(g.number(1), t), list(rest)))
}

// spline returns B-splines: those that do not vanish on the interval that holds t, of which
// each is a cubic there, at their places among zeros.
func (g *graph) spline(b basis.Spline, m int, t value) value {
	functions := b.Support()
	intervals := m - functions + 1
	u := g.mul(t, g.number(float64(intervals)))
	interval := g.clamp(g.floor(u), 0, float64(intervals-1))
	x := g.sub(u, interval)
	powers := make([]float64, functions)
	for k := range powers {
		powers[k] = float64(k)
	}
	polynomials := g.float64s([]int{intervals, functions, functions}, polynomials(b, intervals)...)
	j := g.cast(interval, int64s)                                                    // [n, rows, 1]
	pieces := g.gather(polynomials, 0, g.op("Squeeze", j, g.indices(2)))             // [n, rows, functions, powers]
	monomials := g.op("Pow", x, g.float64s([]int{functions}, powers...))             // [n, rows, powers]
	local := g.sum(g.mul(pieces, g.unsqueeze(monomials, 2)), 3)                      // [n, rows, functions]
	zeros := g.mul(g.cast(t, float32s), g.float32s([]int{m}, make([]float32, m)...)) // [n, rows, m]
	return g.with("ScatterElements", []attribute{{name: "axis", value: 2}}, zeros, g.add(j, g.indices(upTo(functions)...)), g.cast(local, float32s))
}

// polynomials returns the coefficients of the functions on every interval, lowest power
// first, [intervals, functions, powers].
func polynomials(b basis.Spline, intervals int) (all []float64) {
	for j := range intervals {
		for _, coefficients := range b.Polynomials(j) {
			all = append(all, coefficients...)
		}
	}
	return all
}

// largestSquare returns a bound of Σ_i ς_i φ_i(t)² over t, and of the same of the averages.
func largestSquare(b basis.Basis) (float64, error) {
	prior, err := b.PriorVariance()
	if err != nil {
		return 0, err
	}
	spec, m := averaged(b), b.Nodes()
	sum := func(phi func(i int) float64) (all float64) {
		for i, s := range prior {
			all += s * math.Pow(phi(i), 2)
		}
		return all
	}
	most := sum(func(i int) float64 { return spec.Average[i] })
	if b.Support() == 1 { // one function of one
		return max(most, 1), nil
	}
	// A polynomial of degree n has a slope of at most 2 n² of its largest value between 0 and 1
	// (Markov): between points that are h apart it rises by n² h of it at most.
	const points = 8192
	t, phi := make([]float32, points+1), make([]float32, (points+1)*m)
	for p := range t {
		t[p] = float32(p) / points
	}
	basis.Bare(b).Values(phi, t, len(t), len(t))
	seen := 0.0
	for p := range t {
		seen = max(seen, sum(func(i int) float64 { return float64(phi[i*len(t)+p]) }))
	}
	degree, intervals := 2*float64(b.Support()-1), float64(m-b.Support()+1)
	return max(most, seen/(1-degree*degree*intervals/points)), nil
}
