package descent

import (
	"errors"
	"math/rand/v2"
	"slices"

	"beziergp/internal/comm"
	"beziergp/internal/process/elbo"
)

// windowBlocks is the number of blocks, drawn at random, whose rows are mixed where
// nothing else is asked for: a mini-batch comes from so many places of the table.
const windowBlocks = 64

// windows draws mini-batches from a source: every epoch shuffles the blocks, takes
// them by windows of about as many blocks and shuffles the rows of a window. An epoch visits
// each row once at least; the last batch of a window is filled with its first rows. Rows
// that are left out make way for others of their window, so that the steps of an epoch are
// always the same. Batches are a function of the seed and the step alone. The next window is
// read while one is in use.
type windows struct {
	part          Part // behind a source
	seed          uint64
	batch         int
	starts        []int // of the windows of an epoch: step; and its steps at the end
	most          int   // rows of a window
	now           *window
	next          chan *window
	spare         *window
	started       bool // whether a window is being read: this one
	nextEpoch, at int
	apart         *comm.Apart
	drawn         []int // of rows apart, those of the last batch
}

// window is the rows of some blocks, and which of them are drawn in which order.
type window struct {
	epoch, at int
	rows      elbo.Batch
	order     []int32
	places    []place
	err       error
}

// place is where a block begins, in a window and among all rows.
type place struct{ at, row int }

func newWindows(of Part, seed uint64, batch int) *windows {
	if of.windowBlocks == 0 {
		of.windowBlocks = windowBlocks
	}
	s := &windows{part: of, seed: seed, next: make(chan *window, 1), starts: []int{0}, apart: of.of.apart()}
	least := of.Len()
	var rows []int // of the windows
	for at := range (of.of.Source.Blocks() + of.windowBlocks - 1) / of.windowBlocks {
		from, to := s.blocksOf(at)
		rows = append(rows, min(to*of.of.Source.BlockRows(), of.of.Len())-from*of.of.Source.BlockRows())
		least, s.most = min(least, rows[at]), max(s.most, rows[at])
	}
	s.batch = min(batch, least) // of one window
	for at, n := range rows {
		s.starts = append(s.starts, s.starts[at]+(n+s.batch-1)/s.batch)
	}
	return s
}

// blocksOf returns which of the blocks, in an epoch's order, make a window: of about equally
// many each.
func (s *windows) blocksOf(at int) (from, to int) {
	blocks := s.part.of.Source.Blocks()
	n := (blocks + s.part.windowBlocks - 1) / s.part.windowBlocks
	return at * blocks / n, (at + 1) * blocks / n
}

func (s *windows) epochSteps() int { return s.starts[len(s.starts)-1] }

// At fills b with the batch of a step.
func (s *windows) At(step int, b elbo.Batch) error {
	epoch, within := step/s.epochSteps(), step%s.epochSteps()
	at, exact := slices.BinarySearch(s.starts, within)
	if !exact {
		at--
	}
	if s.now == nil || s.now.epoch != epoch || s.now.at != at {
		if err := s.turn(epoch, at); err != nil {
			return err
		}
	}
	from, order, d := (within-s.starts[at])*s.batch, s.now.order, s.part.of.Inputs
	s.drawn = s.drawn[:0]
	for p := range s.batch {
		row := int(order[(from+p)%len(order)])
		if s.apart != nil {
			s.drawn = append(s.drawn, s.now.number(row))
		}
		to, drawn := b.Part(d, p, p+1), s.now.rows.Part(d, row, row+1)
		copy(to.X, drawn.X)
		copy(to.Y, drawn.Y)
		copy(to.Weights, drawn.Weights)
	}
	return nil
}

// Complete fills in the rows of b, the batch of the last step, that other ranks have.
func (s *windows) Complete(b elbo.Batch) error {
	if s.apart == nil {
		return nil
	}
	return s.part.of.complete(s.apart, b, func(p int) int { return s.drawn[p] })
}

// number tells which of all rows one of the window is.
func (w *window) number(row int) int {
	k, found := slices.BinarySearchFunc(w.places, row, func(p place, row int) int { return p.at - row })
	if !found {
		k--
	}
	return w.places[k].row + row - w.places[k].at
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

// errNoRows says that a window has no row that may be drawn.
var errNoRows = errors.New("so many rows are left out that a part of the table has no others")

// read reads a window of an epoch into the memory of another, or into its own.
func (s *windows) read(w *window, epoch, at int) *window {
	of := s.part.of
	if w == nil {
		w = &window{rows: of.NewBatch(s.most), order: make([]int32, 0, s.most)}
	}
	w.epoch, w.at, w.err, w.order, w.places = epoch, at, nil, w.order[:0], w.places[:0]
	rng := Random(s.seed, StreamBatches+uint64(epoch))
	rng = rand.New(rand.NewPCG(rng.Uint64(), uint64(at)))
	n, blocks := 0, s.blocks(epoch)
	from, to := s.blocksOf(at)
	for _, block := range blocks[from:to] {
		rows, err := of.block(block, w.rows.Part(of.Inputs, n, w.rows.Len()))
		if err != nil {
			w.err = err
			return w
		}
		w.places = append(w.places, place{n, block * of.Source.BlockRows()})
		w.take(n, rows, block*of.Source.BlockRows(), s.part.without)
		n += rows
	}
	if len(w.order) == 0 {
		w.err = errNoRows
	}
	rng.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	return w
}

// take has the rows of a block drawn, which are n to n + rows in the window and have numbers
// from first on, but those without.
func (w *window) take(n, rows, first int, without []int) {
	next, _ := slices.BinarySearch(without, first)
	for p := range rows {
		if next < len(without) && without[next] == first+p {
			next++
			continue
		}
		w.order = append(w.order, int32(n+p))
	}
}

// blocks returns the order of an epoch's blocks. The last of the source, which may
// be short, stays the last, so that the windows of all epochs have the same rows.
func (s *windows) blocks(epoch int) []int {
	rng := Random(s.seed, StreamBatches+uint64(epoch))
	return append(rng.Perm(s.part.of.Source.Blocks()-1), s.part.of.Source.Blocks()-1)
}

// Wait ends the reading of the next window, if there is one being read.
func (s *windows) Wait() {
	if s.started {
		s.spare = <-s.next
		s.started = false
	}
}
