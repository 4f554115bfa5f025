package beziergp

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"beziergp/box"
	"beziergp/dataset/seen"
	"beziergp/internal/process/basis"
	"beziergp/model/modelfile"
	"beziergp/table"
	"beziergp/train"
)

// scaled is a training set with the scalings that made it.
type scaled struct {
	data   train.Data
	inputs []box.Input
	box    box.Box
	target box.Target
	policy Policy
	seen   *seen.Rows
}

// scale fits the box and chooses every input's basis. Rows in errors are those picked.
func (o Options) scale(rows *picked, target string) (*scaled, error) {
	scaling, err := box.FitTarget(target, rows.y, o.TargetTransform, o.Range)
	if err != nil {
		return nil, err
	}
	s, err := o.fitBox(inMemory{rows.inputs}, target)
	if err != nil {
		return nil, err
	}
	s.target = scaling
	if s.data.X, err = s.coordinates(rows.inputs); err != nil {
		return nil, err
	}
	if s.data.Bases, err = o.bases(s.inputs, s.data.X); err != nil {
		return nil, err
	}
	s.data.Y, s.data.Weights, s.data.Inputs = make([]float32, len(rows.y)), rows.weights, s.inputs
	s.target.Standardize(s.data.Y, rows.y)
	return s, nil
}

// check refuses options that no table could go with.
func (o Options) check() error {
	if o.OutOfBox != "" {
		if _, err := box.ParsePolicy(string(o.OutOfBox)); err != nil {
			return &OptionError{Option: "out of box", Problem: err.Error()}
		}
	}
	if _, err := box.ParseTransform(string(o.TargetTransform)); err != nil {
		return &OptionError{Option: "target transform", Problem: err.Error()}
	}
	if o.Range != nil {
		if err := o.Range.Check(); err != nil {
			return &OptionError{Option: "range", Problem: err.Error()}
		}
	}
	return nil
}

// sample is what scalings are fitted to: columns of all training rows, or of as many
// of them as tell what they are like, among them those with the extremes.
type sample interface {
	Names() []string
	Rows() int // that there are
	column(name string) (f table.Field, values []float64)
	levels(name string) (rows []int, missing bool) // of a category
}

// inMemory is all rows.
type inMemory struct{ *Table }

func (t inMemory) column(name string) (table.Field, []float64) {
	f, _ := t.Field(name)
	values, _ := t.Column(name)
	return f, values
}

func (t inMemory) levels(name string) (rows []int, missing bool) {
	f, values := t.column(name)
	return box.CountLevels(f, values)
}

// fitBox fits the scalings of the inputs. A column without any value makes none: it says
// nothing. It fails where no file could hold them.
func (o Options) fitBox(t sample, target string) (*scaled, error) {
	s := &scaled{policy: o.OutOfBox}
	if s.policy == "" {
		s.policy = Clip
	}
	if err := o.checkNames(t.Names()); err != nil {
		return nil, err
	}
	for _, name := range t.Names() {
		inputs, err := o.inputs(t, name)
		if empty := (*box.EmptyError)(nil); errors.As(err, &empty) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s.inputs = append(s.inputs, inputs...)
	}
	if !slices.ContainsFunc(s.inputs, func(in box.Input) bool { return !in.Constant() }) {
		return nil, fmt.Errorf("all %d training rows have the same inputs: there is nothing to learn from", t.Rows())
	}
	box.Distinguish(s.inputs, target)
	s.box = box.New(s.inputs)
	if err := s.box.Check(target); err != nil {
		return nil, err
	}
	return s, modelfile.CheckStorable(target, s.inputs)
}

// coordinates maps the rows of a table, [n, d] by rows.
func (s *scaled) coordinates(t *Table) ([]float32, error) {
	columns, err := s.box.Pick(t)
	if err != nil {
		return nil, err
	}
	d := len(s.inputs)
	x := make([]float32, t.Rows()*d)
	// Blocks of rows stay in cache while one input after the other is written to them.
	const block = 1 << 12
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < t.Rows(); from += block {
		to := min(from+block, t.Rows())
		work.Go(func() error {
			part := make([][]float64, len(columns))
			for k, c := range columns {
				part[k] = c[from:to]
			}
			return s.box.Map(x[from*d:to*d], part, box.Clip, make([]bool, to-from), make([]int, d))
		})
	}
	return x, work.Wait()
}

// averageRows is the number of rows, or up to twice as many, that averages of bases
// are taken over: more would not move a digit that counts.
const averageRows = 1 << 16

// bases returns the inputs' bases with their averages over the rows x, [n, d].
func (o Options) bases(inputs []box.Input, x []float32) ([]basis.Basis, error) {
	d := len(inputs)
	every := max(1, len(x)/d/averageRows)
	column := make([]float32, len(x)/d/every)
	var bases []basis.Basis
	for i, in := range inputs {
		b, err := o.Recipe.Basis(in)
		if err != nil {
			return nil, err
		}
		for row := range column {
			column[row] = x[row*every*d+i]
		}
		averaged, err := basis.AverageOver(b, column)
		if err != nil {
			return nil, err
		}
		bases = append(bases, averaged)
	}
	return bases, nil
}

// inputs returns the inputs that a column makes.
func (o Options) inputs(t sample, name string) ([]box.Input, error) {
	f, values := t.column(name)
	if _, bounded := o.Bounds[name]; bounded && (f.Kind == table.Category || f.Kind == table.DateTime) {
		return nil, &OptionError{Option: "bounds", Problem: fmt.Sprintf("the input %q is a %s, and only numbers have bounds; leave them out", name, f.Kind)}
	}
	switch f.Kind {
	case table.Category:
		rows, missing := t.levels(name)
		in, err := box.FitCategory(f, rows, missing)
		return []box.Input{in}, err
	case table.DateTime:
		return box.FitDateTime(name, values)
	}
	in, err := o.input(name, values)
	in.Kind = f.Kind
	return []box.Input{in}, err
}

func (o Options) input(name string, values []float64) (box.Input, error) {
	if bounds, ok := o.Bounds[name]; ok {
		return box.DeclareInput(name, bounds, values)
	}
	if o.Recipe != nil && o.Recipe.Scaling() == train.ByRanks { // a rival has none
		return box.RankInput(name, values)
	}
	return box.FitInput(name, values)
}

// checkNames returns an error when an option names an input that there is not.
func (o Options) checkNames(inputs []string) error {
	known := make(map[string]bool, len(inputs))
	for _, name := range inputs {
		known[name] = true
	}
	for name := range o.Bounds {
		if !known[name] {
			return &OptionError{Option: "bounds", Problem: table.Unknown(name, inputs).Error()}
		}
	}
	return nil
}
