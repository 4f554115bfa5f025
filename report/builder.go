package report

import (
	"cmp"
	"errors"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/dataset/seen"
	"beziergp/explain"
	"beziergp/internal/limit"
	"beziergp/metric"
	"beziergp/model"
	"beziergp/monitor"
	"beziergp/serve"
	"beziergp/table"
)

// Options choose what a report shows. The zero value is the documented default.
type Options struct {
	Title   string // by default "Report on" the target
	Rows    int    // how many rows are drawn, by default 400, at most MostRows
	Seed    uint64 // of which rows these are, and of estimates
	Workers int    // 0 for one a processor; results do not depend on it
	// Policy says what becomes of rows outside the box, by default the model's: that of the
	// predictions that are added.
	Policy box.Policy
	// Background are rows that Shapley values are against; nil for the averages of the training
	// rows.
	Background *table.Table
	// Progress is told which share of what follows the rows is done; nil for nobody.
	Progress func(share float64)
}

const (
	defaultRows = 400
	// MostRows is the largest number of rows that a page draws.
	MostRows = 5000
	// most is how many columns of a row, inputs and pairs a page shows without being asked, and
	// largest how many rows of large errors it adds.
	most    = 20
	largest = 10
)

// Block is consecutive rows of a table, with what the model predicted of them.
type Block struct {
	Columns [][]float64 // of the model, [columns, n], as [model.Predictor] takes them
	Target  []float64   // [n], NaN where it is not known; nil where it is of no row
	Rows    []int64     // [n], their numbers in the table, counted from 1
	*model.Predictions
}

// Builder makes a report of rows that come block by block. It serves one caller at a time;
// Close ends its workers.
type Builder struct {
	model   serve.Model
	options Options
	box     box.Box
	layers  []int // the first input of every column
	split   string

	explainer *explain.Explainer // nil where there is none
	without   []Without
	values    explain.Attributions // of the last block

	n        int // rows
	scores   metric.Scores
	median   metric.Median
	pit      [profile.PITBins]int
	beyond   int // targets outside the range
	held     int // rows whose mean a limit holds
	outside  map[box.Reason]*blame
	watch    *monitor.Watch // nil where the model does not remember
	hasher   *seen.Hasher
	seen     *seen.Count // nil where the model does not remember
	columns  []Importance
	sums     []float64 // of |values|
	told     int       // rows with values
	base     float64
	kept     sample
	nothing  int // rows without a prediction
	observed int
}

// blame counts rows outside the box for a reason, and values by input.
type blame struct {
	rows   int
	values map[string]int
}

// New returns a builder that has no rows. It fails with a limit.OptionError where an option is
// out of range, and where a background row is none that the model can predict.
func New(m serve.Model, o Options) (*Builder, error) {
	o.Rows = cmp.Or(o.Rows, defaultRows)
	if err := errors.Join(limit.Check("rows", o.Rows, MostRows), limit.CheckWorkers(o.Workers)); err != nil {
		return nil, err
	}
	b := &Builder{model: m, options: o, box: box.New(m.Inputs()), outside: map[box.Reason]*blame{}, kept: sample{most: o.Rows, seed: o.Seed}}
	for i := range m.Inputs() {
		if b.box.Column(i) == len(b.layers) {
			b.layers = append(b.layers, i)
		}
	}
	for _, reason := range box.Reasons() {
		b.outside[reason] = &blame{values: map[string]int{}}
	}
	if watch, err := monitor.New(m); err == nil { // else a former version wrote the model
		b.watch = watch
	}
	if rows := m.Seen(); rows != nil {
		hasher := seen.NewHasher(&b.box, m.Target().Name)
		b.hasher, b.seen = hasher, rows.Count()
	}
	p, ok := m.(*model.Model)
	if !ok {
		b.leaveOut("Importance, effects and interactions", "they are closed forms of a Bézier process, and this is a model of another method")
		return b, nil
	}
	e, err := explain.New(p, explain.Options{Workers: o.Workers, Policy: o.Policy, Background: o.Background})
	switch {
	case errors.Is(err, explain.ErrNeighbours):
		b.leaveOut("Importance, effects and interactions", err.Error())
		return b, nil
	case err != nil:
		return nil, err
	}
	b.explainer, b.sums = e, make([]float64, len(e.Columns()))
	for _, name := range e.Columns() {
		b.columns = append(b.columns, Importance{Column: name})
	}
	return b, nil
}

// Taken says how the rows were taken of their table, as training remembers it: rows that training
// left out by the same split are known to be new.
func (b *Builder) Taken(split string) { b.split = split }

// Close ends the workers.
func (b *Builder) Close() {
	if b.explainer != nil {
		b.explainer.Close()
	}
}

func (b *Builder) leaveOut(section, why string) {
	b.without = append(b.without, Without{section, why})
}
