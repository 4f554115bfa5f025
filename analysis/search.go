package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/table"
)

// Extremum is where a drawn function is largest, or smallest, of all points that it was asked at.
type Extremum struct {
	// At are the values of the inputs there, in the model's order and on their own scales; of a category
	// the number of its level.
	At []float64
	F  float64 // in the units of the (transformed) target
	// Held tells that predictions are held within the model's limits there, and so is F.
	Held bool
}

// SearchOptions choose how a drawn function is searched. The zero value is the documented default.
type SearchOptions struct {
	Smallest bool // the smallest value in the place of the largest
	Points   int  // at which the function is asked, 512 by default and [MostJoint] at most; at least [LeastSearch]
}

const (
	DefaultSearch = 512 // points of a search
	LeastSearch   = 8   // at least
)

var errOther = errors.New("the analysis is of another model than the function")

// PartError reports that a search would have to choose the parts of a date. [Function.At] takes rows
// that may be chosen.
type PartError struct{ Input, Column string }

func (e *PartError) Error() string {
	return fmt.Sprintf("input %q is a part of the date %q, and parts do not go together at will", e.Input, e.Column)
}

// Search returns where the function is largest under the laws of an analysis of its model, as Thompson's sampling
// asks: half of the points are spread over all inputs by their laws' quantiles (scrambled Halton), the others in
// four rounds around the best so far, in cubes of quantiles that are ± ¼, ⅛, … wide. The values are those of one
// function, and later calls of [Function.At] agree with them, where predictions are not held within limits. Where they are, far from
// all rows, f would be largest just because nothing is known of it: the limits of the mean μ and of the deviation s hold it, too,
//
//	held μ + (f − μ) · min(1, limit/s)
//
// Of a category, levels that share a node are not tried. It fails with a [*PartError] where inputs are parts of a date, which do not go together at will.
func (f *Function) Search(ctx context.Context, a *Analysis, o SearchOptions) (*Extremum, error) {
	if a.model != f.m {
		return nil, errOther
	}
	for i := range a.inputs {
		if in := &a.inputs[i]; in.Part != "" && in.Part != box.Absent {
			return nil, &PartError{Input: in.Name, Column: in.Source()}
		}
	}
	if o.Points == 0 {
		o.Points = DefaultSearch
	}
	if o.Points < LeastSearch || o.Points > MostJoint {
		return nil, &limit.OptionError{Option: "points", Problem: fmt.Sprintf("%d; a search takes from %d to %d", o.Points, LeastSearch, MostJoint)}
	}
	const rounds = 4
	d := len(a.inputs)
	src := rand.New(rand.NewPCG(f.rng.Uint64(), 0x736561726368)) // the letters "search"
	spread := uniforms(o.Points-rounds*(o.Points/(2*rounds)), d, src.Uint64(), 0)
	first, _ := spread.Dims()
	points := make([][]float64, first)
	for p := range points {
		points[p] = spread.RawRowView(p)
	}
	var best *Extremum
	var around []float64
	for round := range rounds + 1 {
		t, err := a.tableOf(points)
		if err != nil {
			return nil, err
		}
		from := f.known
		if _, err := f.At(ctx, t); err != nil {
			return nil, err
		}
		for p, u := range points {
			v, held := f.held(from + p)
			if best == nil || v > best.F != o.Smallest && v != best.F {
				best, around = &Extremum{a.valuesOf(u), v, held}, u
			}
		}
		points = points[:0]
		for range o.Points / (2 * rounds) {
			u := slices.Clone(around)
			for i := range u {
				half := math.Ldexp(0.5, -1-round)
				u[i] = min(max(u[i]+half*(2*src.Float64()-1), 0), 1)
			}
			points = append(points, u)
		}
	}
	return best, nil
}

// held returns the function at row i of all so far within the limits of the model's predictions, and whether
// they hold it.
func (f *Function) held(i int) (v float64, held bool) {
	out := f.m.Output()
	v = f.value(i)
	if out.Limits == nil {
		return v, false
	}
	row := f.l.RawRowView(i)[:i+1]
	own := []float64{(f.mean[i] - out.Target.Mean) / out.Target.SD}
	out.Limits.Clamp(own)
	mean, shrunk := out.Target.Mean+out.Target.SD*own[0], 1.0
	if limit := out.Limits.Variance * out.Target.SD * out.Target.SD; limit > 0 {
		shrunk = min(1, math.Sqrt(limit/dot(row, row)))
	}
	return mean + shrunk*(v-f.mean[i]), shrunk < 1 || math.Abs(mean-f.mean[i]) > 1e-9*out.Target.SD
}

// valuesOf returns the values of the inputs at a point whose inputs are below a share u of their laws.
func (a *Analysis) valuesOf(u []float64) []float64 {
	values := make([]float64, len(u))
	for i := range u {
		in := &a.inputs[i]
		if in.Part == box.Absent {
			continue // every value that is tried is known
		}
		if values[i] = in.rule.Quantile(u[i]); in.Kind == table.Category {
			if values[i] = min(values[i], float64(len(in.Levels)-1)); values[i] < 0 {
				values[i] = math.NaN() // all levels share a node
			}
		}
	}
	return values
}

// tableOf returns points as rows.
func (a *Analysis) tableOf(points [][]float64) (*table.Table, error) {
	values := make([][]float64, len(points))
	for p, u := range points {
		values[p] = a.valuesOf(u)
	}
	var columns []table.Column
	for i := range a.inputs {
		in := &a.inputs[i]
		if in.Part == box.Absent {
			continue // which the column of the values tells
		}
		own := make([]float64, len(points))
		for p := range points {
			own[p] = values[p][i]
		}
		columns = append(columns, table.Column{Name: in.Source(), Kind: in.Kind, Levels: in.Levels, Values: own})
	}
	return table.New(columns...)
}
