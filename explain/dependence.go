package explain

import (
	"context"
	"math"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/model"
	"beziergp/table"
)

// Dependence is the partial dependence of E f on every input over rows that are added block by
// block: with c_j the mean over the rows of the derivatives by the functions φ_j of an input
//
//	PD(v) = 1/n Σ_rows E f(row with the input at v) = Σ_j φ_j(v) c_j
//
// One pass forward and one back through the rows tell it of all inputs at once. Inputs are
// those of [model.Model.Inputs]: of a date-time its parts. It serves one caller at a time; Close
// ends its workers.
type Dependence struct {
	model   *model.Model
	policy  box.Policy
	box     box.Box
	pool    *simd.Pool
	sums    *surface.Dependence
	blender *surface.Blender // of ICE; nil until it is asked for
	rows    int              // with values
	read    int
	outside []int
}

// NewDependence returns one of no rows. Workers and policy are as in [Options]; rows outside the
// box are left out under [box.Flag]. It fails with an OptionError where an option is out of
// range, and with [ErrNeighbours].
func NewDependence(m *model.Model, o Options) (*Dependence, error) {
	if err := Check(m); err != nil {
		return nil, err
	}
	o, err := o.withDefaults(m)
	if err != nil {
		return nil, err
	}
	d := &Dependence{model: m, policy: o.Policy, box: box.New(m.Inputs()), pool: simd.NewPool(o.Workers), outside: make([]int, len(m.Inputs()))}
	d.sums = surface.NewDependence(m.Posterior(), d.pool)
	return d, nil
}

// Close ends the workers.
func (d *Dependence) Close() { d.pool.Close() }

// Rows returns the number of rows that are averaged over.
func (d *Dependence) Rows() int { return d.rows }

// Add takes in the rows of columns, those of [model.Model.Columns]. Rows in errors are counted
// over all blocks.
func (d *Dependence) Add(ctx context.Context, columns [][]float64) error {
	x, at, err := mapRows(&d.box, columns, d.policy, d.outside)
	if err != nil {
		return box.Offset(err, d.read)
	}
	d.rows, d.read = d.rows+len(at), d.read+len(columns[0])
	return d.sums.Add(ctx, x)
}

// mapRows returns the rows that have values, [len(at), d], and which they are; outside counts by
// input the values outside its bounds.
func mapRows(b *box.Box, columns [][]float64, policy box.Policy, outside []int) (x []float32, at []int, err error) {
	n, width := 0, len(b.Inputs)
	if len(columns) > 0 {
		n = len(columns[0])
	}
	x = make([]float32, n*width)
	inside := make([]bool, n)
	if err := b.Map(x, columns, policy, inside, outside); err != nil {
		return nil, nil, err
	}
	for row, in := range inside {
		if in || policy != box.Flag {
			copy(x[len(at)*width:], x[row*width:(row+1)*width])
			at = append(at, row)
		}
	}
	return x[:len(at)*width], at, nil
}

// Outside returns, by input, how many values lay outside its bounds. It must not be changed.
func (d *Dependence) Outside() []int { return d.outside }

// At returns the partial dependence on an input at values of its column: of a category, numbers
// of levels in [model.Model.Columns]; of a part of a date-time, seconds; NaN for a missing
// value. Values beyond the bounds count as the nearer one. It is NaN of no rows.
func (d *Dependence) At(input int, values []float64) []float64 {
	return d.at(input, ofColumn(&d.box.Inputs[input], values))
}

// AtScale is At at values on the input's own scale: of a category, nodes, so that levels that share
// one have the number behind those of [box.Input.Levels]; of a part of a date-time, what the part
// counts, such as hours.
func (d *Dependence) AtScale(input int, values []float64) []float64 {
	return d.at(input, ofScale(&d.box.Inputs[input], values))
}

func (d *Dependence) at(input int, t []float32) []float64 {
	out := d.sums.At(input, t)
	target := d.model.Target()
	for i, v := range out {
		out[i] = target.Mean + target.SD*v/float64(d.rows)
	}
	return out
}

// ofColumn returns the coordinates of values of an input's column, and ofScale those of values
// on its own scale.
func ofColumn(in *box.Input, values []float64) []float32 {
	t := make([]float32, len(values))
	for i, v := range values {
		t[i] = in.Clip(v)
	}
	return t
}

func ofScale(in *box.Input, values []float64) []float32 {
	t := make([]float32, len(values))
	for i, v := range values {
		if t[i] = float32(v); in.Kind != table.Category {
			t[i] = in.Coordinate(v)
		}
	}
	return t
}

// ICE returns E f at every row of columns with an input at values in the place of its own, as At
// takes them, [n, values]: individual conditional expectations, whose means over rows At has. Of
// rows outside the box they are NaN under [box.Flag].
func (d *Dependence) ICE(ctx context.Context, columns [][]float64, input int, values []float64) ([]float64, error) {
	return d.along(ctx, columns, input, ofColumn(&d.box.Inputs[input], values))
}

// ICEScale is ICE at values as AtScale takes them.
func (d *Dependence) ICEScale(ctx context.Context, columns [][]float64, input int, values []float64) ([]float64, error) {
	return d.along(ctx, columns, input, ofScale(&d.box.Inputs[input], values))
}

func (d *Dependence) along(ctx context.Context, columns [][]float64, input int, t []float32) ([]float64, error) {
	x, at, err := mapRows(&d.box, columns, d.policy, make([]int, len(d.box.Inputs)))
	if err != nil {
		return nil, err
	}
	if d.blender == nil {
		d.blender = surface.NewBlender(d.model.Posterior(), d.pool)
	}
	n, width := len(columns[0]), len(t)
	own, out := make([]float64, len(at)*width), make([]float64, n*width)
	if err := d.blender.Along(ctx, x, input, t, own); err != nil {
		return nil, err
	}
	for i := range out {
		out[i] = math.NaN()
	}
	target := d.model.Target()
	for i, row := range at {
		for v := range width {
			out[row*width+v] = target.Mean + target.SD*own[i*width+v]
		}
	}
	return out, nil
}
