package beziergp

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"beziergp/box"
	"beziergp/dataset/seen"
	"beziergp/internal/process/elbo"
	"beziergp/table"
	"beziergp/tablecache"
	"beziergp/train"
	"beziergp/train/auto"
)

// FitCache is [Fit] on a table that memory does not hold. The inputs are scaled by the
// extremes of all rows and a sample of them, the target and the weights by all rows.
// [paper.Recipe] then learns from all rows, which it reads from the cache again in every
// epoch; [auto.Recipe] from as many as memory holds, drawn by lot: Training().Sampled of
// the model says how many. A table whose rows the sample holds gives the model that Fit
// gives, but for the order in which [paper.Recipe] draws rows. Every row has a target and a
// weight above 0, if there are weights: see [Keeps]. Rows in errors are those of the cache.
func FitCache(ctx context.Context, c *tablecache.Cache, target string, o Options) (*Model, error) {
	if o.Recipe == nil {
		o.Recipe = auto.Recipe{}
	}
	rows, err := o.onDisk(ctx, c, target)
	if err != nil {
		return nil, err
	}
	return o.fit(ctx, rows.scaled, rows.rows, c.Dropped())
}

// onDisk returns the training set of a cache.
func (o Options) onDisk(ctx context.Context, c *tablecache.Cache, target string) (*cached, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	sample := c.Sample()
	if err := numeric(sample, "target", target); err != nil {
		return nil, dataError(err)
	}
	names, err := o.inputNames(sample, target)
	if err != nil {
		return nil, dataError(err)
	}
	inputs, err := sample.Select(names...)
	if err != nil {
		return nil, dataError(err)
	}
	places := make(map[string]int, len(c.Fields()))
	for j, f := range c.Fields() {
		places[f.Name] = j
	}
	if o.Weights != "" {
		if err := numeric(sample, "weights", o.Weights); err != nil {
			return nil, dataError(err)
		}
	}
	if err := enough(c.Rows()); err != nil {
		return nil, dataError(err)
	}
	r := &cached{scaled: &scaled{}, cache: c, rows: c.Rows(), target: places[target]}
	if o.Weights != "" {
		r.weights, r.weighted = places[o.Weights], true
	}
	if err := r.fitWeights(ctx, o.Weights); err != nil {
		return nil, dataError(err)
	}
	if err := r.fitTarget(ctx, box.Target{Name: target, Transform: o.TargetTransform, Range: o.Range}); err != nil {
		return nil, dataError(err)
	}
	s, err := o.fitBox(sampled{inputs, c, places}, target)
	var bounds *box.BoundsError
	if errors.As(err, &bounds) { // found in the sample: the first row of all is meant
		in := bounds.Input
		row, failed := r.find(ctx, places[in.Name], func(v float64) bool {
			bounds.Value = v
			return v < in.Lo || v > in.Hi
		})
		if failed != nil {
			return nil, failed
		}
		bounds.Row = row
	}
	if err != nil {
		return nil, dataError(err)
	}
	s.target, r.scaled = r.scaled.target, s
	for _, want := range s.box.Columns() {
		r.columns, r.wanted = append(r.columns, places[want.Name]), append(r.wanted, want)
	}
	if err := r.remember(ctx, target, o.Split); err != nil {
		return nil, dataError(err)
	}
	x, err := s.coordinates(inputs)
	if err != nil {
		return nil, err
	}
	if s.data.Bases, err = o.bases(s.inputs, x); err != nil {
		return nil, err
	}
	s.data.Source, s.data.Weighted, s.data.Inputs = r, r.weighted, s.inputs
	return r, nil
}

// sampled is the sample of a cache, with the extremes of all rows.
type sampled struct {
	*Table
	cache  *tablecache.Cache
	places map[string]int // of its columns
}

// Rows returns the number of all rows.
func (s sampled) Rows() int { return s.cache.Rows() }

func (s sampled) summary(name string) tablecache.Summary {
	return s.cache.Summary(s.places[name])
}

func (s sampled) column(name string) (table.Field, []float64) {
	f, values := inMemory{s.Table}.column(name)
	known := s.summary(name)
	if s.Table.Rows() == s.cache.Rows() {
		return f, values
	}
	values = append(slices.Clone(values), known.Lo, known.Hi) // NaN where there is none
	if known.Missing > 0 {
		values = append(values, math.NaN())
	}
	return f, values
}

func (s sampled) levels(name string) (rows []int, missing bool) {
	known := s.summary(name)
	return known.Counts, known.Missing > 0
}

// cached gives the rows of a cache as coordinates and standardised targets.
type cached struct {
	*scaled
	cache    *tablecache.Cache
	rows     int
	target   int // columns of the cache
	weights  int
	weighted bool
	columns  []int // of the box's
	wanted   []table.Field
	weighing weighing
	buffers  sync.Pool
}

// each visits all blocks of the cache in order, column by column.
func (r *cached) each(ctx context.Context, visit func(columns [][]float64, rows int) error) error {
	var b tablecache.Buffer
	for i := range r.cache.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.cache.Read(i, &b)
		if err != nil {
			return err
		}
		if err := visit(b.Columns, n); err != nil {
			return err
		}
	}
	return nil
}

// values visits all values of a column in order.
func (r *cached) values(ctx context.Context, column int, visit func(part []float64) error) error {
	return r.each(ctx, func(columns [][]float64, n int) error { return visit(columns[column][:n]) })
}

// remember finds what a model remembers of the rows.
func (r *cached) remember(ctx context.Context, target, split string) error {
	hasher, rows := seen.NewHasher(&r.scaled.box, target), seen.Recorder{}
	err := r.each(ctx, func(columns [][]float64, n int) error {
		picked, err := r.pick(columns, nil)
		if err != nil {
			return err
		}
		for i, y := range columns[r.target][:n] {
			rows.Add(hasher.Sum(picked, i, y))
		}
		return nil
	})
	r.scaled.seen = rows.Rows(split)
	return err
}

// find returns the first row, counted from 1, whose value in a column is one, or 0.
func (r *cached) find(ctx context.Context, column int, is func(v float64) bool) (row int, err error) {
	errFound := errors.New("found")
	err = r.values(ctx, column, func(part []float64) error {
		for _, v := range part {
			if row++; is(v) {
				return errFound
			}
		}
		return nil
	})
	if err == errFound {
		return row, nil
	}
	return 0, err
}

// fitTarget fits the scaling of the target, in two passes as in memory.
func (r *cached) fitTarget(ctx context.Context, t box.Target) (err error) {
	r.scaled.target, err = t.Fit(r.rows, func(visit func([]float64) error) error { return r.values(ctx, r.target, visit) })
	return err
}

// fitWeights finds the average of the weights, if there are any.
func (r *cached) fitWeights(ctx context.Context, name string) error {
	if !r.weighted {
		return nil
	}
	known := r.cache.Summary(r.weights)
	r.weighing = newWeighing(r.rows, known.Hi)
	err := r.values(ctx, r.weights, func(part []float64) error {
		r.weighing.add(part)
		return nil
	})
	if err != nil {
		return err
	}
	if r.weighing.check(0, name, known.Lo) == nil && r.weighing.check(0, name, known.Hi) == nil {
		return nil
	}
	var bad error
	row, err := r.find(ctx, r.weights, func(v float64) bool {
		bad = r.weighing.check(0, name, v)
		return bad != nil
	})
	if err != nil {
		return err
	}
	return box.MoveRow(bad, func(int) int { return row })
}

// Rows returns the number of rows.
func (r *cached) Rows() int { return r.rows }

// Blocks returns the number of blocks.
func (r *cached) Blocks() int { return r.cache.Blocks() }

// BlockRows returns the number of rows of a block that is not the last.
func (r *cached) BlockRows() int { return r.cache.BlockRows() }

// work is what reading a block needs.
type work struct {
	buffer  tablecache.Buffer
	columns [][]float64
	inside  []bool
	outside []int
}

// pick appends to dst the box's columns of a block.
func (r *cached) pick(block, dst [][]float64) ([][]float64, error) {
	for k, j := range r.columns {
		values, err := table.NewColumn(r.cache.Fields()[j], block[j]).As(r.wanted[k])
		if err != nil {
			return nil, err
		}
		dst = append(dst, values)
	}
	return dst, nil
}

// Block reads a block; see [train.Source].
func (r *cached) Block(i int, dst elbo.Batch) (int, error) {
	w, ok := r.buffers.Get().(*work)
	if !ok {
		w = &work{inside: make([]bool, r.cache.BlockRows()), outside: make([]int, len(r.inputs))}
	}
	defer r.buffers.Put(w)
	n, err := r.cache.Read(i, &w.buffer)
	if err != nil {
		return 0, err
	}
	if w.columns, err = r.pick(w.buffer.Columns, w.columns[:0]); err != nil {
		return 0, err
	}
	if err := r.box.Map(dst.X, w.columns, box.Clip, w.inside[:n], w.outside); err != nil {
		return 0, err
	}
	r.scaled.target.Standardize(dst.Y, w.buffer.Columns[r.target])
	if r.weighted {
		for p, v := range w.buffer.Columns[r.weights] {
			dst.Weights[p] = r.weighing.of(v)
		}
	}
	return n, nil
}

var _ train.Source = (*cached)(nil)
