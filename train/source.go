package train

import (
	"context"
	"math/rand/v2"

	"beziergp/internal/process/elbo"
)

// Source is a training set that memory does not hold, in blocks of rows.
type Source interface {
	Rows() int
	// Blocks returns the number of blocks; all but the last have BlockRows rows.
	Blocks() int
	BlockRows() int
	// Block reads the rows of block i into b's slices, which are long enough, and
	// returns their number. It may be called by several goroutines at a time.
	Block(i int, b elbo.Batch) (int, error)
}

// windowBlocks is the number of blocks, drawn at random, whose rows are mixed: a
// mini-batch comes from so many places of the table.
const windowBlocks = 64

// stream draws mini-batches from a source: every epoch shuffles the blocks, takes
// them by windows and shuffles the rows of a window. An epoch visits each row at
// most once and leaves out less than a batch a window. Batches are a function of the
// seed and the step alone. The next window is read while one is in use.
type stream struct {
	source        Source
	d             int
	weighted      bool
	seed          uint64
	batch         int
	starts        []int // of the windows of an epoch: step; and its steps at the end
	now           *window
	next          chan *window
	spare         *window
	started       bool // whether a window is being read: this one
	nextEpoch, at int
}

// window is the rows of some blocks in the order in which they are drawn.
type window struct {
	epoch, at int
	rows      elbo.Batch
	order     []int
	err       error
}

func newStream(source Source, d int, weighted bool, seed uint64, batch int) *stream {
	s := &stream{source: source, d: d, weighted: weighted, seed: seed, next: make(chan *window, 1)}
	rows := s.windowRows()
	s.batch = min(batch, source.Rows(), rows) // of one window
	s.starts = []int{0}
	// A last window of less than a batch is left out.
	for left := source.Rows(); left >= s.batch; left -= rows {
		steps := min(rows, left) / s.batch
		s.starts = append(s.starts, s.starts[len(s.starts)-1]+steps)
	}
	return s
}

func (s *stream) windowRows() int { return windowBlocks * s.source.BlockRows() }

// batchAt fills b with the batch of a step.
func (s *stream) batchAt(step int, b elbo.Batch) error {
	perEpoch := s.starts[len(s.starts)-1]
	epoch, within := step/perEpoch, step%perEpoch
	at := 0
	for within >= s.starts[at+1] {
		at++
	}
	if s.now == nil || s.now.epoch != epoch || s.now.at != at {
		if err := s.turn(epoch, at); err != nil {
			return err
		}
	}
	from := (within - s.starts[at]) * s.batch
	for p, row := range s.now.order[from : from+s.batch] {
		copy(b.X[p*s.d:(p+1)*s.d], s.now.rows.X[row*s.d:])
		b.Y[p] = s.now.rows.Y[row]
		if s.weighted {
			b.Weights[p] = s.now.rows.Weights[row]
		}
	}
	return nil
}

// turn makes a window the present one and begins to read the one after it.
func (s *stream) turn(epoch, at int) error {
	old := s.now
	if s.started && s.nextEpoch == epoch && s.at == at {
		s.now, s.started = <-s.next, false
	} else {
		s.wait()
		s.now = s.read(s.spare, epoch, at)
	}
	s.spare = old
	if s.now.err != nil {
		err := s.now.err
		s.now = nil
		return err
	}
	epoch, at = s.now.epoch, s.now.at+1
	if at == len(s.starts)-1 {
		epoch, at = epoch+1, 0
	}
	s.nextEpoch, s.at = epoch, at
	memory := s.spare
	s.spare = nil
	s.started = true
	go func() { s.next <- s.read(memory, epoch, at) }()
	return nil
}

// read reads a window of an epoch into the memory of another, or into its own.
func (s *stream) read(w *window, epoch, at int) *window {
	if w == nil {
		rows := min(s.windowRows(), s.source.Rows())
		w = &window{rows: elbo.Batch{X: make([]float32, rows*s.d), Y: make([]float32, rows)}}
		if s.weighted {
			w.rows.Weights = make([]float32, rows)
		}
	}
	w.epoch, w.at, w.err = epoch, at, nil
	blocks := s.blocks(epoch)
	rng := rand.New(rand.NewPCG(s.seed, streamBatches+uint64(epoch)))
	rng = rand.New(rand.NewPCG(rng.Uint64(), uint64(at)))
	n := 0
	for _, block := range blocks[at*windowBlocks : min((at+1)*windowBlocks, len(blocks))] {
		part := elbo.Batch{X: w.rows.X[n*s.d:], Y: w.rows.Y[n:]}
		if s.weighted {
			part.Weights = w.rows.Weights[n:]
		}
		rows, err := s.source.Block(block, part)
		if err != nil {
			w.err = err
			return w
		}
		n += rows
	}
	w.order = rng.Perm(n)
	return w
}

// blocks returns the order of an epoch's blocks. The last of the source, which may
// be short, stays the last, so that the windows of all epochs have the same rows.
func (s *stream) blocks(epoch int) []int {
	rng := rand.New(rand.NewPCG(s.seed, streamBatches+uint64(epoch)))
	return append(rng.Perm(s.source.Blocks()-1), s.source.Blocks()-1)
}

// wait ends the reading of the next window, if there is one being read.
func (s *stream) wait() {
	if s.started {
		s.spare = <-s.next
		s.started = false
	}
}

// batches draws the mini-batches of a run.
type batches interface {
	// batchAt fills b with the batch of a step.
	batchAt(step int, b elbo.Batch) error
	// wait ends what goes on in the background.
	wait()
}

// batches returns the mini-batches of a training set and their size.
func (d Data) batches(seed uint64, batch int) (batches, int) {
	if d.Source != nil {
		s := newStream(d.Source, len(d.Bases), d.Weighted, seed, batch)
		return s, s.batch
	}
	s := newSampler(seed, d.rows(), batch)
	return &memory{d, s, make([]int, s.batch)}, s.batch
}

// memory draws mini-batches from rows in memory.
type memory struct {
	data    Data
	sampler *sampler
	rows    []int
}

func (m *memory) batchAt(step int, b elbo.Batch) error {
	m.sampler.rowsAt(step, m.rows)
	m.data.gather(m.rows, b)
	return nil
}

func (m *memory) wait() {}

// newBatch returns memory for n rows.
func (d Data) newBatch(n int) elbo.Batch {
	b := elbo.Batch{X: make([]float32, n*len(d.Bases)), Y: make([]float32, n)}
	if d.weighted() {
		b.Weights = make([]float32, n)
	}
	return b
}

// each visits all rows in order, at most block at a time where they are in memory.
func (d Data) each(ctx context.Context, block int, visit func(rows elbo.Batch) error) error {
	if d.Source != nil {
		return d.eachBlock(ctx, visit)
	}
	for from := 0; from < d.rows(); from += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+block, d.rows())
		part := elbo.Batch{X: d.X[from*len(d.Bases) : to*len(d.Bases)], Y: d.Y[from:to]}
		if d.weighted() {
			part.Weights = d.Weights[from:to]
		}
		if err := visit(part); err != nil {
			return err
		}
	}
	return nil
}

func (d Data) eachBlock(ctx context.Context, visit func(rows elbo.Batch) error) error {
	memory := d.newBatch(d.Source.BlockRows())
	for i := range d.Source.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := d.Source.Block(i, memory)
		if err != nil {
			return err
		}
		part := elbo.Batch{X: memory.X[:n*len(d.Bases)], Y: memory.Y[:n]}
		if d.weighted() {
			part.Weights = memory.Weights[:n]
		}
		if err := visit(part); err != nil {
			return err
		}
	}
	return nil
}

// sampledValues is the number of coordinates that a recipe which needs its rows in
// memory takes at most.
const sampledValues = 1 << 25

// inMemory returns the rows of a source in memory, or as many of them as have so many
// coordinates, every set of so many being equally likely.
func (d Data) inMemory(ctx context.Context, seed uint64, values int) (Data, error) {
	if d.Source == nil {
		return d, nil
	}
	most := max(2, values/len(d.Bases))
	rng := rand.New(rand.NewPCG(seed, streamSample))
	kept, left := d, d.rows()
	kept.Source, kept.Weighted = nil, false
	wanted := min(most, left)
	err := d.eachBlock(ctx, func(rows elbo.Batch) error {
		for j, y := range rows.Y {
			// Selection sampling (Knuth, TAOCP 2, algorithm 3.4.2S).
			take := rng.IntN(left) < wanted
			left--
			if !take {
				continue
			}
			wanted--
			kept.X = append(kept.X, rows.X[j*len(d.Bases):(j+1)*len(d.Bases)]...)
			kept.Y = append(kept.Y, y)
			if rows.Weights != nil {
				kept.Weights = append(kept.Weights, rows.Weights[j])
			}
		}
		return nil
	})
	return kept, err
}
