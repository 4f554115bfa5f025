// Package box carries columns of a table to the domain of the bases and back:
// inputs to [0, 1], the target to mean zero and deviation one.
package box

import (
	"fmt"
	"math"
)

// Bounds is a closed interval of an input's values, in the input's units.
type Bounds struct {
	Lo, Hi float64
}

// Input maps one column to [0, 1], linearly or by ranks. An input with Lo = Hi is
// constant: every value goes to 0.
type Input struct {
	Name string  `json:"name"`
	Lo   float64 `json:"lo"` // in the column's units
	Hi   float64 `json:"hi"`
	// Declared tells that the user gave the bounds; otherwise they are the smallest
	// and the largest training value.
	Declared bool `json:"declared,omitempty"`
	// Knots are values from Lo to Hi and Ranks their coordinates, both ascending; in
	// between the scaling is linear. Nil for a scaling that is linear throughout.
	Knots []float64 `json:"knots,omitempty"`
	Ranks []float64 `json:"ranks,omitempty"`
}

// Constant tells whether the training rows held one value only.
func (in Input) Constant() bool { return in.Lo == in.Hi }

// FitInput returns the min-max scaling of a column of training values.
func FitInput(name string, values []float64) (Input, error) {
	in := Input{Name: name, Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, v := range values {
		in.Lo, in.Hi = min(in.Lo, v), max(in.Hi, v)
	}
	return in, in.Check()
}

// DeclareInput returns the scaling to declared bounds. It fails with a
// [BoundsError] when a training value lies outside them.
func DeclareInput(name string, bounds Bounds, values []float64) (Input, error) {
	in := Input{Name: name, Lo: bounds.Lo, Hi: bounds.Hi, Declared: true}
	if err := in.Check(); err != nil {
		return Input{}, err
	}
	for row, v := range values {
		if v < in.Lo || v > in.Hi {
			return Input{}, &BoundsError{Row: row + 1, Input: in, Value: v}
		}
	}
	return in, nil
}

// BoundsError reports a training value outside the bounds declared for its input.
type BoundsError struct {
	Row   int // of the training rows, counted from 1
	Input Input
	Value float64
}

func (e *BoundsError) Error() string {
	return fmt.Sprintf("row %d, column %q: %g lies outside the declared bounds [%g, %g]; widen the bounds or remove the row", e.Row, e.Input.Name, e.Value, e.Input.Lo, e.Input.Hi)
}

// Check returns an error unless the bounds are finite and in order, and the knots
// are, if any.
func (in Input) Check() error {
	switch width := in.Hi - in.Lo; {
	case math.IsNaN(in.Lo) || math.IsNaN(in.Hi) || in.Lo > in.Hi:
		return fmt.Errorf("column %q: bounds [%g, %g] are not an interval", in.Name, in.Lo, in.Hi)
	case math.IsInf(width, 0):
		return fmt.Errorf("column %q: the range [%g, %g] is too wide for a float64; rescale the column", in.Name, in.Lo, in.Hi)
	}
	return in.checkRanks()
}

// coordinate returns the image of v in [0, 1] and whether v lies in the bounds;
// a value outside goes to the nearer face.
func (in Input) coordinate(v float64) (float32, bool) {
	switch {
	case v < in.Lo:
		return 0, false
	case v > in.Hi:
		if in.Constant() {
			return 0, false
		}
		return 1, false
	case in.Constant():
		return 0, true
	case in.Knots != nil:
		return float32(interpolate(v, in.Knots, in.Ranks)), true
	}
	return float32((v - in.Lo) / (in.Hi - in.Lo)), true
}

// Policy says what becomes of a value outside the box when predicting.
type Policy string

const (
	// Clip moves the value to the nearer face and flags its row.
	Clip Policy = "clip"
	// Refuse fails with an [OutsideError].
	Refuse Policy = "error"
	// Flag flags the row, which gets no prediction.
	Flag Policy = "flag"
)

// ParsePolicy returns the policy of that name.
func ParsePolicy(name string) (Policy, error) {
	switch p := Policy(name); p {
	case Clip, Refuse, Flag:
		return p, nil
	}
	return "", fmt.Errorf("out-of-box policy %q is unknown; choose %s, %s or %s", name, Refuse, Clip, Flag)
}

// OutsideError reports a value outside the box under [Refuse].
type OutsideError struct {
	Row   int // counted from 1
	Input Input
	Value float64
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("row %d, column %q: %g lies outside the box, [%g, %g]; mend the value, train on a wider range, or choose the policy %q", e.Row, e.Input.Name, e.Value, e.Input.Lo, e.Input.Hi, Clip)
}

// Box maps rows of a table to [0, 1]^d.
type Box struct {
	Inputs []Input
}

// Map writes the coordinates of n rows to dst, [n, d] by rows, from columns,
// [d][n], in the box's order, and inside[row] whether the whole row lies in the
// box. outside[i] is increased by the number of values of input i outside its
// bounds. Under [Refuse] the first such value is an error. Values that are not
// finite are always one, an infinite one included: there is no nearer face that
// it could stand for.
func (b *Box) Map(dst []float32, columns [][]float64, policy Policy, inside []bool, outside []int) error {
	d := len(b.Inputs)
	for row := range inside {
		inside[row] = true
	}
	for i, in := range b.Inputs {
		for row, v := range columns[i][:len(inside)] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &ValueError{Row: row + 1, Column: in.Name, Value: v}
			}
			t, ok := in.coordinate(v)
			if !ok {
				if policy == Refuse {
					return &OutsideError{Row: row + 1, Input: in, Value: v}
				}
				inside[row] = false
				outside[i]++
			}
			dst[row*d+i] = t
		}
	}
	return nil
}

// ValueError reports a value that is not a finite number.
type ValueError struct {
	Row    int // counted from 1
	Column string
	Value  float64
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("row %d, column %q: %g is not a finite number; mend the value or remove the row", e.Row, e.Column, e.Value)
}
