package dataset

import (
	"context"
	"math"

	"beziergp/box"
)

// Keeps tells whether a row can be learned from: whether all its targets y are known and,
// if weight is not nil, it has a weight above 0. It fails with a [*box.WeightError], whose
// place is the caller's to fill in, where the weight is none.
func Keeps(weight *float64, y ...float64) (bool, error) {
	if weight != nil && !(*weight >= 0 && *weight <= math.MaxFloat64) {
		return false, &box.WeightError{Value: *weight}
	}
	for _, v := range y {
		if v != v {
			return false, nil
		}
	}
	return weight == nil || *weight > 0, nil
}

// weighing scales weights to an average of 1, so that they leave the number of rows as it
// is.
type weighing struct {
	exponent int     // weights are divided by two to the power of it first, exactly, so that no sum overflows
	rows     float64 // number of the weights
	sum      float64
	ofClass  []float64 // what they are multiplied by, by the code of the target; nil for nothing
}

// newWeighing returns one whose sum is not known yet.
func (s *Set) newWeighing() *weighing {
	w := &weighing{rows: float64(s.Rows)}
	if column := s.columns.weights; column >= 0 {
		_, w.exponent = math.Frexp(s.rows.Summary(column).Hi)
	}
	return w
}

// fitWeights finds the average of the weights, if there are any.
func (s *Set) fitWeights(ctx context.Context, o Options) error {
	column := s.columns.weights
	if !o.ClassWeights.None() {
		return s.fitClassWeights(ctx, o.ClassWeights)
	}
	if column < 0 {
		return nil
	}
	known, w := s.rows.Summary(column), s.newWeighing()
	err := values(ctx, s.rows, column, func(part []float64) error {
		for _, v := range part {
			w.sum += math.Ldexp(v, -w.exponent)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.weights = w
	if w.check(known.Lo, 1) == nil && w.check(known.Hi, 1) == nil {
		return nil
	}
	var bad *box.WeightError
	row, err := find(ctx, s.rows, column, func(v float64) bool {
		bad = w.check(v, 1)
		return bad != nil
	})
	if err != nil {
		return err
	}
	bad.Row, bad.Column = row, s.rows.Fields()[column].Name
	return bad
}

// weigh writes the scaled weights of rows whose columns these are.
func (s *Set) weigh(columns [][]float64, weights []float32) {
	for i := range weights {
		v, factor := 1.0, 1.0
		if s.columns.weights >= 0 {
			v = columns[s.columns.weights][i]
		}
		if s.weights.ofClass != nil {
			factor = s.weights.ofClass[int(columns[s.columns.targets[0]][i])]
		}
		weights[i] = s.weights.of(v, factor)
	}
}

// of returns the scaled weight of a row whose class has a factor.
func (w *weighing) of(v, factor float64) float32 {
	return float32(math.Ldexp(v, -w.exponent) * factor * w.rows / w.sum)
}

// check refuses the weight of a row that would not count at all beside the others, or by
// which no other would; nil for any other. It refuses the smallest or the largest if any.
func (w *weighing) check(v, factor float64) *box.WeightError {
	switch scaled := float64(w.of(v, factor)); {
	case !(scaled > smallestWeight):
		return &box.WeightError{Value: v, Mean: math.Ldexp(w.sum/w.rows, w.exponent)}
	case scaled > largestShare*w.rows:
		return &box.WeightError{Value: v, Share: scaled / w.rows}
	}
	return nil
}

// smallestWeight is that of a row whose weight is still a number when it is multiplied by
// a squared error, beside an average of 1.
const smallestWeight = 1e-30

// largestShare is the share of all weights above which a row decides alone.
const largestShare = 0.9
