package beziergp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"beziergp/box"
	"beziergp/elbo"
	"beziergp/internal/seen"
	"beziergp/table"
	"beziergp/tablecache"
	"beziergp/train"
)

// FitCache is [Fit] on a table that memory does not hold. Scalings are fitted to the
// extremes of all rows and to a sample of them, the weights to all rows, which are
// read from the cache again in every epoch. Every row has a target and a weight
// above 0, if there are weights: see [Keeps].
func FitCache(ctx context.Context, c *tablecache.Cache, target string, o Options) (*Model, error) {
	if o.Recipe == nil {
		o.Recipe = train.Auto{}
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
	err := errors.Join(numeric(sample, "target", target), enough(c.Rows()))
	if o.Weights != "" {
		err = errors.Join(err, numeric(sample, "weights", o.Weights))
	}
	if err != nil {
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
	s, err := o.fitBox(sampled{inputs, c, places}, target)
	if err != nil {
		return nil, dataError(err)
	}
	r := &cached{scaled: s, cache: c, rows: c.Rows()}
	r.target = places[target]
	r.weights, r.weighted = places[o.Weights]
	for _, want := range s.box.Columns() {
		r.columns, r.wanted = append(r.columns, places[want.Name]), append(r.wanted, want)
	}
	if err := r.survey(ctx, target, o); err != nil {
		return nil, err
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
	mean     float64 // of the weights
	buffers  sync.Pool
}

// survey finds mean and deviation of the transformed target, by Welford's updates, the
// mean weight, and what is remembered of the rows, in one pass over them.
func (r *cached) survey(ctx context.Context, name string, o Options) error {
	t := box.Target{Name: name, Transform: o.TargetTransform, Range: o.Range}
	hasher, rows := seen.NewHasher(&r.scaled.box, name), seen.Recorder{}
	var squares, weights float64
	low, high, count := math.Inf(1), math.Inf(-1), 0
	var b tablecache.Buffer
	for i := range r.cache.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.cache.Read(i, &b)
		if err != nil {
			return err
		}
		columns, err := r.pick(b.Columns, nil)
		if err != nil {
			return err
		}
		for p, y := range b.Columns[r.target][:n] {
			rows.Add(hasher.Sum(columns, p, y))
			count++
			z, err := t.Apply(y, count)
			if err != nil {
				return dataError(err)
			}
			d := z - t.Mean
			t.Mean += d / float64(count)
			squares += d * (z - t.Mean)
			low, high = min(low, y), max(high, y)
			if r.weighted {
				weights += b.Columns[r.weights][p]
			}
		}
	}
	t.SD = math.Sqrt(squares / float64(count))
	if low == high {
		return dataError(fmt.Errorf("target %q is %g in every training row: there is nothing to learn; choose another target", t.Name, low))
	}
	r.scaled.target, r.mean, r.scaled.seen = t, weights/float64(count), rows.Rows(o.Split)
	if err := t.Check(); err != nil {
		return dataError(err)
	}
	return nil
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
			dst.Weights[p] = float32(v / r.mean)
		}
	}
	return n, nil
}

var _ train.Source = (*cached)(nil)
