package seen

import "slices"

// Recorder takes the hashes of training rows, in any order.
type Recorder struct {
	rows    int
	kept    []uint64       // the smallest, ascending, without repeats
	times   map[uint64]int // of those kept that came more than once
	pending []uint64       // not yet among them
}

// Add takes a row.
func (r *Recorder) Add(sum uint64) {
	r.rows++
	if len(r.kept) == Most && sum > r.kept[Most-1] {
		return
	}
	if r.pending = append(r.pending, sum); len(r.pending) == 2*Most {
		r.merge()
	}
}

// merge takes the pending hashes among those kept. What falls out is larger than all
// that stay, and so is what equals it later: the times of those that stay are complete.
func (r *Recorder) merge() {
	all := slices.Concat(r.kept, r.pending)
	slices.Sort(all)
	if r.times == nil {
		r.times = map[uint64]int{}
	}
	kept := all[:0]
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end] == all[i] {
			end++
		}
		sum, times := all[i], end-i
		if before, repeated := r.times[sum]; repeated {
			times += before - 1 // it stands for all of these among those kept
		}
		if times > 1 {
			r.times[sum] = times
		}
		kept = append(kept, sum)
		i = end
	}
	if len(kept) > Most {
		for _, sum := range kept[Most:] {
			delete(r.times, sum)
		}
		kept = kept[:Most]
	}
	r.kept, r.pending = slices.Clone(kept), r.pending[:0]
}

// Rows returns what was taken. split is that of [Rows].
func (r *Recorder) Rows(split string) *Rows {
	r.merge()
	repeated := 0
	for _, times := range r.times {
		repeated += times
	}
	all := len(r.kept) - len(r.times) + repeated
	out := &Rows{Trained: r.rows, Split: split, Sums: slices.Clone(r.kept)}
	if all > 0 {
		out.Repeated = float64(repeated) / float64(all)
	}
	return out
}
