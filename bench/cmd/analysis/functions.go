package main

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/measure"
)

// known is a function whose Sobol indices are known, or, where first is nil, those that
// sampling of the function itself tells.
type known struct {
	name         string
	inputs       []variable
	rows         int
	f            func(x []float64) float64
	first, total []float64
}

// variable is an input's distribution on its bounds.
type variable struct {
	lo, hi float64
	law    string // as measure.Parse reads it
}

func (v variable) quantile(u float64) float64 {
	var q interface {
		CDF(float64) float64
		Quantile(float64) float64
	}
	switch v.law {
	case wellRadius:
		q = distuv.Normal{Mu: 0.1, Sigma: 0.0161812}
	case influenceRadius:
		q = distuv.LogNormal{Mu: 7.71, Sigma: 1.0056}
	default:
		q = distuv.Uniform{Min: v.lo, Max: v.hi}
	}
	below, above := q.CDF(v.lo), q.CDF(v.hi)
	return min(max(q.Quantile(below+u*(above-below)), v.lo), v.hi)
}

func (v variable) parsed() (measure.Law, error) { return measure.Parse(v.law) }

const (
	wellRadius      = "normal(0.1,0.0161812)"
	influenceRadius = "lognormal(7.71,1.0056)"
)

func uniforms(d int, lo, hi float64) (all []variable) {
	for range d {
		all = append(all, variable{lo, hi, "uniform"})
	}
	return all
}

// product returns the indices of Π g_i(x_i), where Var g_i/(E g_i)² are given.
func product(relative []float64) (first, total []float64) {
	all := 1.0
	for _, v := range relative {
		all *= 1 + v
	}
	for _, v := range relative {
		first, total = append(first, v/(all-1)), append(total, v*all/(1+v)/(all-1))
	}
	return first, total
}

func knownFunctions() []known {
	return []known{ishigami(), gFunction(10, 1000), gFunction(50, 2000), sobolLevitan(), borehole()}
}

// ishigami is sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁ (Ishigami & Homma, 1990).
func ishigami() known {
	pi4 := math.Pow(math.Pi, 4)
	v1, v2, v13 := 0.5*math.Pow(1+0.1*pi4/5, 2), 49./8, 0.01*pi4*pi4*(1./18-1./50)
	v := v1 + v2 + v13
	return known{"Ishigami", uniforms(3, -math.Pi, math.Pi), 1000, func(x []float64) float64 {
		return math.Sin(x[0])*(1+0.1*math.Pow(x[2], 4)) + 7*math.Pow(math.Sin(x[1]), 2)
	}, []float64{v1 / v, v2 / v, 0}, []float64{(v1 + v13) / v, v2 / v, v13 / v}}
}

// gFunction is Π (|4x − 2| + a)/(1 + a) of Saltelli & Sobol' (1995), a = 0, 1, 4.5, 9, 99, 99, ….
func gFunction(d, rows int) known {
	a, relative := []float64{0, 1, 4.5, 9}, []float64(nil)
	for len(a) < d {
		a = append(a, 99)
	}
	for _, v := range a {
		relative = append(relative, 1/(3*(1+v)*(1+v)))
	}
	first, total := product(relative)
	return known{"g-function", uniforms(d, 0, 1), rows, func(x []float64) float64 {
		p := 1.0
		for i, v := range x {
			p *= (math.Abs(4*v-2) + a[i]) / (1 + a[i])
		}
		return p
	}, first, total}
}

// sobolLevitan is exp(Σ b x) − Π (eᵇ − 1)/b of Sobol' & Levitan (1999), b = 1.5, nine times
// 0.9, ten times 0.4 (Moon, Dean & Santner, 2012).
func sobolLevitan() known {
	b, relative := []float64{1.5}, []float64(nil)
	for len(b) < 20 {
		b = append(b, map[bool]float64{true: 0.9, false: 0.4}[len(b) < 10])
	}
	mean := 1.0
	for _, v := range b {
		own := math.Expm1(v) / v
		mean *= own
		relative = append(relative, math.Expm1(2*v)/(2*v)/(own*own)-1)
	}
	first, total := product(relative)
	return known{"Sobol–Levitan", uniforms(20, 0, 1), 1000, func(x []float64) float64 { return math.Exp(along(b, x)) - mean }, first, total}
}

// borehole is the flow of water through a borehole (Harper & Gupta, 1983), its inputs
// distributed as there, within bounds. Its indices are those that the peer's sampling of the function
// itself tells.
func borehole() known {
	return known{name: "borehole", rows: 1000, inputs: []variable{
		{0.05, 0.15, wellRadius}, {100, 50000, influenceRadius}, {63070, 115600, "uniform"}, {990, 1110, "uniform"},
		{63.1, 116, "uniform"}, {700, 820, "uniform"}, {1120, 1680, "uniform"}, {9855, 12045, "uniform"},
	}, f: func(x []float64) float64 {
		rw, r, tu, hu, tl, hl, l, kw := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
		log := math.Log(r / rw)
		return 2 * math.Pi * tu * (hu - hl) / (log * (1 + 2*l*tu/(log*rw*rw*kw) + tu/tl))
	}}
}
