package auto

import (
	"math"
	"slices"

	"beziergp/box"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
)

// stream is all rows of a table that memory does not hold, which members learn from block by
// block. The data set is a random sample of them, by which everything else is learned.
type stream struct {
	descent.Rows       // behind a source
	numbers      []int // of the sample's rows as they were given, among all
	memory       int64 // that a run may take; 0 for no limit
}

// sampleShare is the part of the memory that the sample takes, in all of its scalings and with
// what is learned of its rows, and windowShare the part that blocks of a stream take.
const (
	sampleShare = 0.3
	windowShare = 0.25
)

// fewestCoordinates are taken whatever the memory, as a cache's own sample is.
const fewestCoordinates = 1 << 20

// mostCoordinates returns how many the rows of d inputs in memory have at most. A row takes four
// coordinates of four bytes for every one of its own, and about as many bytes as follow.
func (o Recipe) mostCoordinates(memory int64, d int) int {
	const most, row = 1 << 25, 128
	switch {
	case o.coordinates > 0:
		return o.coordinates
	case memory == 0:
		return most
	}
	return min(most, max(fewestCoordinates, d*int(sampleShare*float64(memory)/float64(16*d+row))))
}

// streaming returns the data with all rows behind them, of which they are a sample. Rows that
// are held out together are not streamed: all that belong to a fold would have to be known.
func (d *dataset) streaming(all descent.Rows, sample descent.Sample, memory int64) *dataset {
	if sample.Numbers == nil || sample.Len() == all.Len() {
		return d
	}
	if d.gaussian() {
		d.limits = limitsOf([]float32{sample.Lo, sample.Hi})
	}
	if d.keys.IsZero() {
		d.stream = &stream{all, sample.Numbers, memory}
	}
	return d
}

// size returns the number of rows that members learn from.
func (d *dataset) size() int {
	if d.stream != nil {
		return d.stream.Len()
	}
	return d.Len()
}

// in returns the stream with the coordinates of a data set in other scalings.
func (s *stream) in(of *dataset, to []box.Input) *stream {
	if s == nil {
		return nil
	}
	own := *s
	own.Source = rescaledSource{s.Source, of, to}
	return &own
}

// rescaledSource is a source in other scalings.
type rescaledSource struct {
	descent.Source
	of *dataset
	to []box.Input
}

func (s rescaledSource) Block(i int, b elbo.Batch) (int, error) {
	n, err := s.Source.Block(i, b)
	if err == nil {
		s.of.rescale(b.X[:n*len(s.to)], s.to)
	}
	return n, err
}

// without returns all rows but those that rows of the sample stand for, in the order that
// they are drawn in by so many fits at a time.
func (s *stream) without(data *dataset, held []int, fits int) descent.Part {
	var numbers []int
	places := data.places()
	for _, j := range held {
		for _, row := range data.standsFor(places[j]) {
			numbers = append(numbers, s.numbers[row])
		}
	}
	slices.Sort(numbers)
	return s.Rows.Without(numbers, s.windowBlocks(fits))
}

// windowBlocks returns how many blocks a window may have, of which a fit holds two; 0 for the
// usual number. It does not depend on how many fits there are at a time, so that no model does.
func (s *stream) windowBlocks(fits int) int {
	const usual, fewest = 64, 8
	if s.memory == 0 {
		return 0
	}
	row := 4 * (s.Inputs + s.Columns() + 2) // with a weight and a place in the order
	window := windowShare * float64(s.memory) / float64(2*fits)
	return min(usual, max(fewest, int(window/float64(row*s.Source.BlockRows()))))
}

// mostBatch is the largest batch that rows are streamed in: more steps are worth more than
// larger ones, and dearer.
const mostBatch = 1024

// pass returns the steps and the batch of a member that learns from a stream: so many that
// every row has its turn, as far as the time of the effort goes.
func (p plan) pass(s structure, of *stream) (steps, batch int) {
	whole := p
	whole.steps = p.unshortened
	steps = whole.stepsOf(s)
	rows := int(min(float64(of.Len()), p.streamed*1e9*mostBatch/p.memberCost(mostBatch).step(s)))
	batch = min(max(p.memberBatch, (rows+steps-1)/steps), mostBatch)
	steps = max(steps, rows/batch)
	if rows == of.Len() {
		steps = max(steps, of.Without(nil, of.windowBlocks(p.fits())).EpochSteps(batch))
	}
	return max(fewestSteps, int(float64(steps)*float64(p.steps)/float64(p.unshortened))), batch
}

// fits returns the number of members, replicates among them.
func (p plan) fits() int { return p.members + min(p.replicates, p.members) }

// streamSteps returns what the steps of a streamed member amount to, in such as those of other
// members, before anything is known of its structure.
func (p plan) streamSteps(rows int) int {
	return max(p.steps, int(math.Ceil(float64(rows)/float64(p.memberBatch))))
}
