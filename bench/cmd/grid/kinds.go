package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp"
)

// kind is a kind of tables: how their inputs and noise are drawn, and what the target
// is without the noise.
type kind struct {
	name, about string
	input       func(*rand.Rand) float64
	target      func(x []float64) float64
	noise       func(*rand.Rand) float64
	scale       float64 // of the noise
	copies      int     // of every row
}

var kinds = []kind{
	{"linear", "a sum of three inputs with noise of half its deviation", uniform, few, gaussian, 0.5, 1},
	{"all", "a weighted sum of all inputs with the same noise", uniform, all, gaussian, 0.5, 1},
	{"exact", "a sum of three inputs, no noise", uniform, few, gaussian, 0, 1},
	{"wave", "a wave of one input and a product of two", uniform, wave, gaussian, 0.2, 1},
	{"skewed", "a sum of three log-normal inputs", logNormal, few, gaussian, 0.5, 1},
	{"levels", "a sum of three inputs of four values each", levels, few, gaussian, 0.5, 1},
	{"gaps", "a sum of three inputs, a fifth of all inputs missing", gaps, few, gaussian, 0.5, 1},
	{"copies", "a sum of three inputs, every row five times", uniform, few, gaussian, 0.5, 5},
	{"tails", "a sum of three inputs with noise of Student's t of 2.5 degrees of freedom", uniform, few, student, 0.5, 1},
	{"noise", "nothing but noise", uniform, nothing, gaussian, 1, 1},
	{"rare", "one in the rare case that a sum of three inputs is large, or else zero", uniform, rare, gaussian, 0, 1},
}

func kindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Inputs.
func uniform(rng *rand.Rand) float64   { return rng.Float64() }
func logNormal(rng *rand.Rand) float64 { return math.Exp(rng.NormFloat64()) }
func levels(rng *rand.Rand) float64    { return float64(rng.IntN(4)) }
func gaps(rng *rand.Rand) float64 {
	if x := rng.Float64(); rng.Float64() > 0.2 {
		return x
	}
	return math.NaN()
}

// Noise, to be scaled.
func gaussian(rng *rand.Rand) float64 { return rng.NormFloat64() }
func student(rng *rand.Rand) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: 2.5, Src: rng}.Rand()
}

// Targets. A missing input counts as one half.
func known(x float64) float64 {
	if math.IsNaN(x) {
		return 0.5
	}
	return x
}

func few(x []float64) (sum float64) {
	for i, v := range x[:min(3, len(x))] {
		sum += 2 * math.Pow(-1, float64(i)) * known(v)
	}
	return sum
}

func all(x []float64) (sum float64) {
	for i, v := range x {
		sum += math.Sin(float64(i+1)) * known(v)
	}
	return sum * 5 / math.Sqrt(float64(len(x)))
}

func wave(x []float64) float64 {
	return math.Sin(6*x[0]) + 2*(x[len(x)/2]-0.5)*(x[len(x)-1]-0.5)
}

func nothing([]float64) float64 { return 0 }

func rare(x []float64) float64 {
	sum := 0.0
	for _, v := range x[:min(3, len(x))] {
		sum += v
	}
	if sum > 0.8*float64(min(3, len(x))) {
		return 1
	}
	return 0
}

// draw returns a table of n rows and d inputs x0, x1, … and the target y, and the
// targets without noise. Inputs are held within what those of another table span, nil
// for none: beyond it least squares extrapolate and a model does not, and neither is wrong.
func (k kind) draw(n, d int, within *beziergp.Table, rng *rand.Rand) (*beziergp.Table, []float64, error) {
	lo, hi := make([]float64, d), make([]float64, d)
	for i := range d {
		lo[i], hi[i] = math.Inf(-1), math.Inf(1)
		if within != nil {
			lo[i], hi[i] = span(within, i)
		}
	}
	columns := make([]beziergp.Column, d+1)
	for i := range columns {
		columns[i].Name, columns[i].Values = fmt.Sprint("x", i), make([]float64, n)
	}
	columns[d].Name = "y"
	clean, x := make([]float64, n), make([]float64, d)
	for row := range n {
		if row%k.copies == 0 {
			for i := range x {
				x[i] = min(max(k.input(rng), lo[i]), hi[i])
			}
			clean[row] = k.target(x)
			columns[d].Values[row] = clean[row] + k.scale*k.noise(rng)
		} else {
			clean[row], columns[d].Values[row] = clean[row-1], columns[d].Values[row-1]
		}
		for i, v := range x {
			columns[i].Values[row] = v
		}
	}
	t, err := beziergp.NewTable(columns...)
	return t, clean, err
}

// span returns the range of an input, infinite where it is missing everywhere.
func span(t *beziergp.Table, input int) (lo, hi float64) {
	values, _ := t.Column(fmt.Sprint("x", input))
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v == v {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		return hi, lo
	}
	return lo, hi
}
