package descent

import "beziergp/internal/process/elbo"

// Batches draws the mini-batches of a run.
type Batches interface {
	// At fills b with the batch of a step, a function of the seed and the step alone; of rows
	// apart with those of this rank, and Complete, which all ranks call then, with the others.
	At(step int, b elbo.Batch) error
	Complete(b elbo.Batch) error
	// Wait ends what goes on in the background.
	Wait()
}

// Batches returns the mini-batches of a training set and their size, which is less than
// batch where there are fewer rows.
func (r Rows) Batches(seed uint64, batch int) (Batches, int) { return Part{of: r}.Batches(seed, batch) }

// Part is those rows of a training set that a run learns from.
type Part struct {
	of           Rows
	numbers      []int // in memory, those that are drawn; nil for all
	without      []int // behind a source, those that are not, ascending
	windowBlocks int   // behind a source; 0 for the usual number
}

// Only returns the rows of some numbers, which are in memory.
func (r Rows) Only(numbers []int) Part { return Part{of: r, numbers: numbers} }

// Without returns the rows of a source but those of some numbers, in ascending order.
// Batches are mixed from so many blocks at a time, of which memory holds twice as many; 0
// stands for the usual number.
func (r Rows) Without(numbers []int, windowBlocks int) Part {
	return Part{of: r, without: numbers, windowBlocks: windowBlocks}
}

// Len returns the number of rows.
func (p Part) Len() int {
	if p.numbers != nil {
		return len(p.numbers)
	}
	return p.of.Len() - len(p.without)
}

// EpochSteps returns the number of steps in which every row of a source is drawn.
func (p Part) EpochSteps(batch int) int { return newWindows(p, 0, batch).epochSteps() }

// Batches returns the mini-batches of the rows and their size, which is less than batch
// where there are fewer rows.
func (p Part) Batches(seed uint64, batch int) (Batches, int) {
	if p.of.Source != nil {
		s := newWindows(p, seed, batch)
		return s, s.batch
	}
	s := newSampler(seed, p.Len(), batch)
	return &memory{p, s, make([]int, s.batch)}, s.batch
}

// memory draws mini-batches from rows in memory.
type memory struct {
	part    Part
	sampler *sampler
	drawn   []int
}

func (m *memory) At(step int, b elbo.Batch) error {
	m.sampler.rowsAt(step, m.drawn)
	if m.part.numbers != nil {
		for i, place := range m.drawn {
			m.drawn[i] = m.part.numbers[place]
		}
	}
	m.part.of.gather(m.drawn, b)
	return nil
}

func (m *memory) Complete(elbo.Batch) error { return nil }

func (m *memory) Wait() {}
