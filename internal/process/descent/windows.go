package descent

import (
	"math/rand/v2"

	"beziergp/internal/process/elbo"
)

// windowBlocks is the number of blocks, drawn at random, whose rows are mixed: a
// mini-batch comes from so many places of the table.
const windowBlocks = 64

// windows draws mini-batches from a source: every epoch shuffles the blocks, takes
// them by windows and shuffles the rows of a window. An epoch visits each row at
// most once and leaves out less than a batch a window. Batches are a function of the
// seed and the step alone. The next window is read while one is in use.
type windows struct {
	of            Rows // behind a source
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

func newWindows(of Rows, seed uint64, batch int) *windows {
	s := &windows{of: of, seed: seed, next: make(chan *window, 1)}
	rows := s.windowRows()
	s.batch = min(batch, of.Len(), rows) // of one window
	s.starts = []int{0}
	// A last window of less than a batch is left out.
	for left := of.Len(); left >= s.batch; left -= rows {
		steps := min(rows, left) / s.batch
		s.starts = append(s.starts, s.starts[len(s.starts)-1]+steps)
	}
	return s
}

func (s *windows) windowRows() int { return windowBlocks * s.of.Source.BlockRows() }

// At fills b with the batch of a step.
func (s *windows) At(step int, b elbo.Batch) error {
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
		to, drawn := b.Part(s.of.Inputs, p, p+1), s.now.rows.Part(s.of.Inputs, row, row+1)
		copy(to.X, drawn.X)
		copy(to.Y, drawn.Y)
		copy(to.Weights, drawn.Weights)
	}
	return nil
}

// turn makes a window the present one and begins to read the one after it.
func (s *windows) turn(epoch, at int) error {
	old := s.now
	if s.started && s.nextEpoch == epoch && s.at == at {
		s.now, s.started = <-s.next, false
	} else {
		s.Wait()
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
func (s *windows) read(w *window, epoch, at int) *window {
	if w == nil {
		w = &window{rows: s.of.NewBatch(min(s.windowRows(), s.of.Len()))}
	}
	w.epoch, w.at, w.err = epoch, at, nil
	blocks := s.blocks(epoch)
	rng := Random(s.seed, StreamBatches+uint64(epoch))
	rng = rand.New(rand.NewPCG(rng.Uint64(), uint64(at)))
	n := 0
	for _, block := range blocks[at*windowBlocks : min((at+1)*windowBlocks, len(blocks))] {
		rows, err := s.of.Source.Block(block, w.rows.Part(s.of.Inputs, n, w.rows.Len()))
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
func (s *windows) blocks(epoch int) []int {
	rng := Random(s.seed, StreamBatches+uint64(epoch))
	return append(rng.Perm(s.of.Source.Blocks()-1), s.of.Source.Blocks()-1)
}

// Wait ends the reading of the next window, if there is one being read.
func (s *windows) Wait() {
	if s.started {
		s.spare = <-s.next
		s.started = false
	}
}
