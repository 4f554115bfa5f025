package descent

import "beziergp/internal/splitmix"

// sampler draws mini-batches of row numbers: every epoch visits each row at most
// once, in an order of its own, and leaves out less than a batch. Batches are a
// function of the seed and the step alone, so a resumed run draws the same ones,
// and no memory grows with the number of rows.
type sampler struct {
	seed     uint64
	rows     uint64
	batch    int
	half     uint // bits of half a row number
	keys     [rounds]uint64
	epoch    uint64
	hasEpoch bool
}

// rounds and minHalf of the Feistel network: four rounds make a strong
// pseudo-random permutation (Luby & Rackoff 1988), but over few rows more rounds
// and a domain of some size are needed for every order to be as likely.
const (
	rounds  = 6
	minHalf = 4
)

func newSampler(seed uint64, rows, batch int) *sampler {
	s := &sampler{seed: seed, rows: uint64(rows), batch: min(batch, rows), half: minHalf}
	for 1<<(2*s.half) < s.rows {
		s.half++
	}
	return s
}

// rowsAt writes the row numbers of the batch of a step, counted from 0.
func (s *sampler) rowsAt(step int, dst []int) {
	perEpoch := uint64(s.rows) / uint64(s.batch)
	epoch, from := uint64(step)/perEpoch, uint64(step)%perEpoch*uint64(s.batch)
	if !s.hasEpoch || epoch != s.epoch {
		rng := Random(s.seed, StreamBatches+epoch)
		for i := range s.keys {
			s.keys[i] = rng.Uint64()
		}
		s.epoch, s.hasEpoch = epoch, true
	}
	for i := range dst {
		dst[i] = int(s.permute(from + uint64(i)))
	}
}

// permute maps 0 … rows−1 onto itself: a Feistel network over the next power of
// four, walked until it lands among the rows.
func (s *sampler) permute(i uint64) uint64 {
	mask := uint64(1)<<s.half - 1
	for {
		left, right := i>>s.half, i&mask
		for _, key := range s.keys {
			left, right = right, left^(splitmix.Mix(right^key)&mask)
		}
		if i = left<<s.half | right; i < s.rows {
			return i
		}
	}
}
