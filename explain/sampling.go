package explain

import (
	"context"
	"errors"
	"fmt"
	"math"

	"beziergp/internal/limit"
	"beziergp/model"
)

// Function writes the predictions of n rows, columns [columns][n], to dst [n]: NaN of a row
// without one.
type Function func(ctx context.Context, columns [][]float64, dst []float64) error

// SamplingOptions chooses how much is sampled. The zero value is the documented default.
type SamplingOptions struct {
	// Permutations is N, the pairs of permutations of every background row, at least 2: by
	// default so many that there are 200 pairs, and 2 of 100 background rows or more.
	Permutations int
	Seed         uint64
	// Progress is called after every row; nil for nobody.
	Progress func()
}

// Sampler estimates Shapley values of any function of columns against m background rows. It
// goes from a background row z to the row x by taking over one column after another in the
// order of a permutation π, and takes the differences on the way for values (Castro, Gómez &
// Tejada, 2009):
//
//	φ_j = 1/m Σ_z E_π[f(x on the columns up to j in π, z elsewhere) − f(x on those before j, z elsewhere)]
//
// Every background row has N pairs of its own, of a permutation and its reverse (antithetic:
// Mitchell, Cooper, Frank & Holmes, 2022). The differences of a walk add up to f(x) − f(z), so
// that values and base add up to the prediction but for rounding. A standard error is that of a
// stratified mean, √(Σ_z s_z² / N) / m with the variance s_z² of the pairs of z.
//
// Permutations do not depend on the row: equal rows have equal values, in whatever block. A
// Sampler serves one caller at a time.
type Sampler struct {
	f          Function
	names      []string
	background [][]float64 // [columns][m]
	starts     []float64   // [m] f(z)
	base       float64
	options    SamplingOptions
	rows       int
}

// defaultPairs are those of all background rows together.
const defaultPairs = 200

// NewSampler returns a sampler of a function of the columns of these names against background
// rows, [columns][m]. It fails with an OptionError where an option is out of range, and where the
// function has no finite value at a background row.
func NewSampler(ctx context.Context, f Function, names []string, background [][]float64, o SamplingOptions) (*Sampler, error) {
	if len(names) == 0 || len(background) != len(names) {
		panic("explain: background rows of other columns")
	}
	m := len(background[0])
	if m == 0 {
		return nil, &limit.OptionError{Option: "background", Problem: "it has no rows; give at least one"}
	}
	if o.Permutations == 0 {
		o.Permutations = max(2, (defaultPairs+m-1)/m)
	}
	if err := limit.Check("permutations", o.Permutations, limit.Count); err != nil {
		return nil, err
	}
	if o.Permutations < 2 {
		return nil, &limit.OptionError{Option: "permutations", Problem: "1 pair has no deviation to tell an error by; take 2 or more"}
	}
	s := &Sampler{f: f, names: names, background: background, starts: make([]float64, m), options: o}
	if err := f(ctx, background, s.starts); err != nil {
		return nil, err
	}
	for row, v := range s.starts {
		if !isFinite(v) {
			return nil, fmt.Errorf("background row %d has no prediction; leave it out", row+1)
		}
		s.base += v / float64(m)
	}
	return s, nil
}

// Columns returns the names of the columns that values are told of.
func (s *Sampler) Columns() []string { return s.names }

// Permutations returns N.
func (s *Sampler) Permutations() int { return s.options.Permutations }

// Background returns m.
func (s *Sampler) Background() int { return len(s.starts) }

// Explain fills out with estimates at the rows of columns, [columns][n], with their standard
// errors. Rows in errors are counted over all blocks.
func (s *Sampler) Explain(ctx context.Context, columns [][]float64, out *Attributions) error {
	n, width := len(columns[0]), len(s.names)
	*out = Attributions{
		Columns: s.names, Base: s.base, Values: resize(out.Values, n*width), Errors: resize(out.Errors, n*width),
		Prediction: resize(out.Prediction, n), InBox: resize(out.InBox, n), Clamped: resize(out.Clamped, n),
	}
	if err := s.f(ctx, columns, out.Prediction); err != nil {
		return err
	}
	clear(out.Clamped)
	x := make([]float64, width)
	for row, end := range out.Prediction {
		if math.IsInf(end, 0) {
			return &model.RowError{Row: s.rows + row + 1, Err: errOverflow}
		}
		values, errs := out.Values[row*width:][:width], out.Errors[row*width:][:width]
		if out.InBox[row] = isFinite(end); !out.InBox[row] {
			for j := range values {
				values[j], errs[j] = math.NaN(), math.NaN()
			}
			continue
		}
		for j, c := range columns {
			x[j] = c[row]
		}
		if err := s.explain(ctx, x, end, values, errs); err != nil {
			var bad *model.RowError
			if errors.As(err, &bad) { // of rows that no table has
				err = &model.RowError{Row: s.rows + row + 1, Err: fmt.Errorf("with some columns of a background row: %w", bad.Err)}
			}
			return err
		}
		if s.options.Progress != nil {
			s.options.Progress()
		}
	}
	s.rows += n
	return ctx.Err()
}
