package descent

import "beziergp/internal/process/elbo"

// Batches draws the mini-batches of a run.
type Batches interface {
	// At fills b with the batch of a step, a function of the seed and the step alone.
	At(step int, b elbo.Batch) error
	// Wait ends what goes on in the background.
	Wait()
}

// Batches returns the mini-batches of a training set and their size, which is less than
// batch where there are fewer rows.
func (r Rows) Batches(seed uint64, batch int) (Batches, int) {
	if r.Source != nil {
		s := newWindows(r, seed, batch)
		return s, s.batch
	}
	s := newSampler(seed, r.Len(), batch)
	return &memory{r, s, make([]int, s.batch)}, s.batch
}

// memory draws mini-batches from rows in memory.
type memory struct {
	rows    Rows
	sampler *sampler
	numbers []int
}

func (m *memory) At(step int, b elbo.Batch) error {
	m.sampler.rowsAt(step, m.numbers)
	m.rows.gather(m.numbers, b)
	return nil
}

func (m *memory) Wait() {}
