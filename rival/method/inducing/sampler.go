package inducing

import (
	"math/rand/v2"

	"beziergp/rival/method"
)

// Sampler draws mini-batches without replacement, and shuffles the rows anew when too
// few are left.
type Sampler struct {
	data   method.Data
	batch  method.Data
	order  []int
	next   int
	random *rand.Rand
}

// NewSampler draws batches of so many rows of data, at most all.
func NewSampler(data method.Data, size int, random *rand.Rand) *Sampler {
	size = min(size, data.Rows())
	s := &Sampler{data: data, order: make([]int, data.Rows()), next: data.Rows(), random: random}
	s.batch = method.Data{X: make([]float64, size*data.Inputs), Y: make([]float64, size), Inputs: data.Inputs}
	for i := range s.order {
		s.order[i] = i
	}
	return s
}

// Draw returns the next batch, in memory that the next call uses again.
func (s *Sampler) Draw() method.Data {
	size, inputs := s.batch.Rows(), s.data.Inputs
	if s.next+size > len(s.order) {
		s.random.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
		s.next = 0
	}
	for i, row := range s.order[s.next : s.next+size] {
		copy(s.batch.X[i*inputs:(i+1)*inputs], s.data.X[row*inputs:(row+1)*inputs])
		s.batch.Y[i] = s.data.Y[row]
	}
	s.next += size
	return s.batch
}
