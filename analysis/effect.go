package analysis

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"beziergp/box"
	"beziergp/internal/process/linear"
	"beziergp/table"
)

// Effect is E[f | x_S] over a grid of values of one input or two, the others being
// integrated out under their laws, in the units of the (transformed) target.
type Effect struct {
	Inputs []int       // of the model, one or two
	Grid   [][]float64 // values by input; of a category, nodes
	// Mean is the posterior mean, and Std the posterior deviation of E[f | x_S]: at every value,
	// or, of two inputs, every pair, those of the second running fastest. They are NaN at what is no value
	// of an input. NaN in a grid is a missing value, for which averages over the training rows stand in.
	Mean, Std []float64
}

// Effects are those of every input alone.
type Effects struct {
	Base    Number // E[f]
	Effects []Effect
}

// Number is a value of the process: its posterior mean and deviation.
type Number struct{ Mean, Std float64 }

// Effects returns the effects of all inputs, over grids of values one an input; an input of
// an empty grid has none. They take one forward and one backward pass along every buttress:
// E[f | x_γ] = Σ_j c_j φ_j(x_γ), Var E[f | x_γ] = a Σ_j v_j ς_j φ_j(x_γ)².
func (a *Analysis) Effects(grids [][]float64) Effects {
	means, variances := a.mean.Mean().NewFunctional(), a.variance.Variance().NewFunctional()
	base := a.mean.Mean().NewPass().Coefficients(a.meanOver, means)
	spread := a.variance.Variance().NewPass().Coefficients(a.variance.Product(a.varianceOver, a.varianceOver), variances)
	all := a.over()
	out := Effects{Base: a.number(base, spread, all)}
	for i, grid := range grids {
		if len(grid) == 0 {
			continue
		}
		e := Effect{Inputs: []int{i}, Grid: [][]float64{grid}}
		phi, width := valuesAt(a.mean.Stack(i), a.inputs[i].Input, grid), a.mean.Stack(i).Width()
		wide, wideWidth := valuesAt(a.variance.Stack(i), a.inputs[i].wide, grid), a.variance.Stack(i).Width()
		for p := range grid {
			own := wide[p*wideWidth:][:wideWidth]
			n := a.number(dot(means[i], phi[p*width:][:width]), dot(variances[i], a.variance.ProductOf(i, own, own)), all+a.given(i, grid[p]))
			e.Mean, e.Std = append(e.Mean, n.Mean), append(e.Std, n.Std)
		}
		out.Effects = append(out.Effects, e)
	}
	return out
}

// Pair returns E[f | x_i, x_k] over the pairs of two grids. i and k must differ.
func (a *Analysis) Pair(i, k int, first, second []float64) Effect {
	c := a.mean.Mean().NewPass().Pair(a.meanOver, i, k)
	v := a.variance.Variance().NewPass().Pair(a.variance.Product(a.varianceOver, a.varianceOver), i, k)
	mean := bilinear(c, matrix(a.mean.Stack(i), valuesAt(a.mean.Stack(i), a.inputs[i].Input, first)),
		matrix(a.mean.Stack(k), valuesAt(a.mean.Stack(k), a.inputs[k].Input, second)))
	variance := bilinear(v, a.squares(i, first), a.squares(k, second))
	e := Effect{Inputs: []int{i, k}, Grid: [][]float64{first, second}}
	all := a.over()
	for p, x := range first {
		for q, z := range second {
			n := a.number(mean.At(p, q), variance.At(p, q), all+a.given(i, x)+a.given(k, z))
			e.Mean, e.Std = append(e.Mean, n.Mean), append(e.Std, n.Std)
		}
	}
	return e
}

// squares returns ς φ(x)² of the variance at values of an input, a row a value.
func (a *Analysis) squares(i int, x []float64) *mat.Dense {
	m := matrix(a.variance.Stack(i), valuesAt(a.variance.Stack(i), a.inputs[i].wide, x))
	for p := range x {
		row := m.RawRowView(p)
		copy(row, a.variance.ProductOf(i, row, row))
	}
	return m
}

func matrix(s *linear.Stack, values []float64) *mat.Dense {
	return mat.NewDense(len(values)/s.Width(), s.Width(), values)
}

// bilinear returns A C Bᵀ.
func bilinear(c, a, b *mat.Dense) *mat.Dense {
	var half, out mat.Dense
	half.Mul(a, c)
	out.Mul(&half, b.T())
	return &out
}

// number maps a mean and a variance of the process to the units of the target, and adds the
// variance of the error that is common to places whose inputs have so much excess. Where that is NaN, so is all.
func (a *Analysis) number(mean, variance, excess float64) Number {
	if math.IsNaN(excess) {
		return Number{excess, excess}
	}
	return Number{a.target.Mean + a.target.SD*mean, math.Sqrt(max(0, a.factor*variance) + a.common.variance(excess))}
}

// over returns the excess of all laws.
func (a *Analysis) over() (sum float64) {
	for _, v := range a.excess {
		sum += v
	}
	return sum
}

// given returns what is added to it where an input has a value in the place of its law, NaN where it has no such value.
func (a *Analysis) given(i int, v float64) float64 {
	if !hasValue(a.inputs[i].Input, v) {
		return math.NaN()
	}
	return a.common.at(i, coordinate(a.inputs[i].Input, v)) - a.excess[i]
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// Grid returns values of an input at which to show it, as [Grid] does.
func (a *Analysis) Grid(i, points int) []float64 { return Grid(a.inputs[i].Input, points) }

// Grid returns values of an input at which to show it: its levels, a missing one too where it has a function, or days of the week, or so
// many from its lowest to its highest value, evenly spaced.
func Grid(in box.Input, points int) (grid []float64) {
	switch {
	case in.Kind == table.Category:
		for j := range in.Functions() {
			grid = append(grid, float64(j))
		}
	case in.Lo == in.Hi:
		grid = []float64{in.Lo}
	case in.Kind == table.Boolean, in.Part == box.Absent:
		grid = []float64{0, 1}
	case in.Part == box.Weekday:
		for day := in.Lo; day <= in.Hi; day++ {
			grid = append(grid, day)
		}
	default:
		for k := range points {
			share := float64(k) / float64(points-1)
			grid = append(grid, in.Lo*(1-share)+in.Hi*share)
		}
	}
	return grid
}
