// Package box carries columns of a table to the domain of the bases and back:
// inputs to [0, 1], the target to mean zero and deviation one.
package box

import (
	"fmt"
	"math"
	"slices"

	"beziergp/table"
)

// Bounds is a closed interval of an input's values, in the input's units.
type Bounds struct {
	Lo, Hi float64
}

// Input maps a column, a part of a date-time, or whether a column has a value, to the domain of its bases: a
// number to [0, 1], linearly or by ranks, a category's level to the number of its node. An input
// with one value in all training rows is constant: every value goes to 0.
type Input struct {
	Name string `json:"name"`
	// Column is the column that the input comes from, if it has another name.
	Column string `json:"column,omitempty"`
	// Parts are the columns that this one is made of, as in [table.Field].
	Parts []string   `json:"parts,omitempty"`
	Kind  table.Kind `json:"kind,omitempty"` // of the column
	Part  Part       `json:"part,omitempty"` // of a date-time, or [Absent]
	Lo    float64    `json:"lo"`             // in the column's or the part's units
	Hi    float64    `json:"hi"`
	// Declared tells that the user gave the bounds; otherwise they are the smallest
	// and the largest training value.
	Declared bool `json:"declared,omitempty"`
	// Knots are values from Lo to Hi and Ranks their coordinates, both ascending; in
	// between the scaling is linear. Nil for a scaling that is linear throughout.
	Knots []float64 `json:"-"`
	Ranks []float64 `json:"-"`
	// Levels of a category have a node each; those of Pooled share one more. A level
	// that is none of them goes to that node, too, or counts as missing if there is
	// none.
	Levels []string            `json:"levels,omitempty"`
	Pooled *table.Fingerprints `json:"-"` // nil for none
	// Missing tells that values were missing in training rows.
	Missing bool `json:"missing,omitempty"`
	// MissingLevel tells that rows without a value of a category have a function of their own,
	// behind those of the nodes, as rows of one more level have.
	MissingLevel bool `json:"missing_level,omitempty"`
}

// Source returns the name of the column that the input comes from.
func (in Input) Source() string {
	if in.Column != "" {
		return in.Column
	}
	return in.Name
}

// Field returns the column that the input comes from, with the levels that it knows,
// which must not be changed.
func (in Input) Field() table.Field {
	f := table.Field{Name: in.Source(), Kind: in.Kind, Parts: in.Parts}
	if in.Kind == table.Category {
		f.Levels, f.Pooled = in.Levels, in.Pooled
	}
	return f
}

// Constant tells whether the training rows held one value only.
func (in *Input) Constant() bool {
	if in.Kind == table.Category {
		return in.Functions() == 1
	}
	return in.Lo == in.Hi
}

// FitInput returns the min-max scaling of a column of training values. It fails
// where none is known.
func FitInput(name string, values []float64) (Input, error) {
	in := Input{Name: name, Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, v := range values {
		if math.IsNaN(v) {
			in.Missing = true
			continue
		}
		in.Lo, in.Hi = min(in.Lo, v), max(in.Hi, v)
	}
	if math.IsInf(in.Lo, 1) {
		return in, &EmptyError{Column: name}
	}
	return in, in.Check()
}

// EmptyError reports a column without a value in any training row.
type EmptyError struct{ Column string }

func (e *EmptyError) Error() string {
	return fmt.Sprintf("column %q has no value in any training row; exclude it", e.Column)
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
			return Input{}, &BoundsError{Place{Row: row + 1, Column: name}, in, v}
		}
		in.Missing = in.Missing || math.IsNaN(v)
	}
	return in, nil
}

// Check returns an error unless the bounds are finite and in order, the knots are,
// if any, and a category has levels.
func (in Input) Check() error {
	if in.Kind == table.Category {
		return in.checkLevels()
	}
	if err := in.checkPart(); err != nil {
		return err
	}
	if len(in.Levels) > 0 || in.Pooled != nil || in.MissingLevel {
		return fmt.Errorf("column %q: levels of what is no category", in.Name)
	}
	switch width := in.Hi - in.Lo; {
	case math.IsInf(in.Lo, 0) || !(in.Lo <= in.Hi):
		return fmt.Errorf("column %q: bounds [%g, %g] are not an interval", in.Name, in.Lo, in.Hi)
	case math.IsInf(width, 0):
		return fmt.Errorf("column %q: the range [%g, %g] is too wide for a float64; rescale the column", in.Name, in.Lo, in.Hi)
	}
	return in.checkRanks()
}

// coordinate returns the image of a value of the column and whether it lies in the
// bounds; a value outside goes to the nearer face. A missing value stays NaN where it has no
// function of its own, and is outside if there was none in the training rows.
func (in *Input) coordinate(v float64) (float32, bool) {
	switch {
	case in.Part == Absent:
		return in.linear(in.Of(v))
	case math.IsNaN(v) && in.MissingLevel:
		return float32(in.Nodes()), true
	case math.IsNaN(v):
		return float32(v), in.Missing
	case in.Kind == table.Category:
		return in.node(v)
	}
	return in.linear(in.Of(v))
}

// Clip returns the coordinate of a value of the column; one outside the bounds has that
// of the nearer one, a missing one none, NaN, but where it has a function of its own.
func (in *Input) Clip(v float64) float32 {
	t, _ := in.coordinate(v)
	return t
}

// Of returns what the input takes of a value of its column: a part of a date-time, whether the
// value is missing, else the value itself. What is missing stays so.
func (in *Input) Of(v float64) float64 {
	switch {
	case in.Part == Absent && math.IsNaN(v):
		return 1
	case in.Part == Absent:
		return 0
	case in.Part == "" || math.IsNaN(v):
		return v
	}
	return in.Part.of(v)
}

// linear is coordinate for a number.
func (in *Input) linear(v float64) (float32, bool) {
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
	// Extrapolate leaves the value as it is and flags its row: only for methods whose
	// domain does not end at the box.
	Extrapolate Policy = "extrapolate"
)

// ParsePolicy returns the policy of that name, [Extrapolate] excepted.
func ParsePolicy(name string) (Policy, error) {
	switch p := Policy(name); p {
	case Clip, Refuse, Flag:
		return p, nil
	case Extrapolate:
		return "", fmt.Errorf("out-of-box policy %q is for other methods: polynomials explode beyond the box; choose %s, %s or %s", name, Refuse, Clip, Flag)
	}
	return "", fmt.Errorf("out-of-box policy %q is unknown; choose %s, %s or %s", name, Refuse, Clip, Flag)
}

// Box maps rows of a table to the domains of the bases.
type Box struct {
	Inputs  []Input
	columns []table.Field
	from    []int // of input i, its column
}

// New returns the box of these inputs. Inputs that come from one column stand next
// to each other.
func New(inputs []Input) Box {
	b := Box{Inputs: inputs}
	for _, in := range inputs {
		if last := len(b.columns) - 1; in.Column == "" || last < 0 || b.columns[last].Name != in.Column {
			b.columns = append(b.columns, in.Field())
		}
		b.from = append(b.from, len(b.columns)-1)
	}
	return b
}

// Columns returns the columns that the inputs come from, in order. They must not be
// changed.
func (b *Box) Columns() []table.Field { return b.columns }

// Column returns which of them input i comes from.
func (b *Box) Column(i int) int { return b.from[i] }

// Check returns an error unless the inputs are sound, and their names and those of the
// columns differ from each other and from the targets'.
func (b *Box) Check(targets ...string) error {
	inputs, columns := slices.Clone(targets), slices.Clone(targets)
	for _, in := range b.Inputs {
		if err := in.Check(); err != nil {
			return err
		}
		inputs = append(inputs, in.Name)
	}
	for _, c := range b.columns {
		columns = append(columns, c.Name)
	}
	if err := table.CheckNames(inputs); err != nil {
		return err
	}
	return table.CheckNames(columns)
}

// Pick returns the columns out of a table, in order, as the inputs understand them:
// levels that they do not know are those that they pool. It fails where one is missing
// or of another kind.
func (b *Box) Pick(t *table.Table) ([][]float64, error) {
	columns := make([][]float64, len(b.columns))
	for i, want := range b.columns {
		var err error
		if columns[i], err = t.ValuesAs(want); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

// mappedRows are mapped at a time, all inputs of them: long rows of many would be written
// to places that lie far apart.
const mappedRows = 64

// Map writes the coordinates of n rows to dst, [n, d] by rows, from columns, those
// of [Box.Columns], and inside[row] whether the whole row lies in the box.
// outside[i] is increased by the number of values of input i outside its bounds.
// Under [Refuse] the first such value is an error. Infinite values are always one:
// there is no nearer face that they could stand for.
func (b *Box) Map(dst []float32, columns [][]float64, policy Policy, inside []bool, outside []int) error {
	d, n := len(b.Inputs), len(inside)
	for row := range inside {
		inside[row] = true
	}
	for from := 0; from < n; from += mappedRows {
		to := min(from+mappedRows, n)
		for i := range b.Inputs {
			beyond, ok := b.Inputs[i].mapTo(dst[from*d+i:], d, columns[b.from[i]][from:to], inside[from:to])
			if !ok || beyond > 0 && policy == Refuse {
				return b.fault(columns, n, policy)
			}
			outside[i] += beyond
		}
	}
	return nil
}

// mapTo writes the coordinates of values to every d-th place of dst, and counts those
// outside the bounds. It is not ok where a value is infinite.
func (in *Input) mapTo(dst []float32, d int, values []float64, inside []bool) (beyond int, ok bool) {
	for row, v := range values {
		if math.IsInf(v, 0) {
			return beyond, false
		}
		t, within := in.coordinate(v)
		if !within {
			inside[row] = false
			beyond++
		}
		dst[row*d] = t
	}
	return beyond, true
}

// fault returns the error of the first value, column by column, that is one.
func (b *Box) fault(columns [][]float64, n int, policy Policy) error {
	for i := range b.Inputs {
		in := &b.Inputs[i]
		for row, v := range columns[b.from[i]][:n] {
			if math.IsInf(v, 0) {
				return &ValueError{Place{Row: row + 1, Column: in.Source()}, v}
			}
			if _, ok := in.coordinate(v); !ok && policy == Refuse {
				return &OutsideError{Place{Row: row + 1, Column: in.Source()}, *in, in.Of(v)}
			}
		}
	}
	return nil
}
