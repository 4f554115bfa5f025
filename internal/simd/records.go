package simd

import (
	"unsafe"

	"beziergp/internal/largepages"
)

// Records is a table of records of numbers, of which a few are in use at a time. A record
// has lines: weights, and behind them their second moment. Records are anywhere in memory,
// so that what is read of the next ones is fetched while one is worked on.
type Records struct {
	table  []float32 // with a number before the first record
	size   int
	at     []int // where those in use begin; the last of them again for recordsAhead more
	chosen int
}

// recordsAhead is how many records ahead memory is fetched.
const recordsAhead = 8

// NewRecords returns a table of so many records of zeros.
func NewRecords(count, size int) *Records {
	return &Records{table: largepages.Floats(1 + count*size), size: size, at: make([]int, recordsAhead)}
}

// Record returns one of the records.
func (r *Records) Record(i int32) []float32 {
	from := 1 + int(i)*r.size
	return r.table[from : from+r.size]
}

// Choose takes records into use, in that order.
func (r *Records) Choose(records []int32) {
	r.at, r.chosen = r.at[:0], len(records)
	last := 1
	for _, i := range records {
		last = 1 + int(i)*r.size
		_ = r.table[last : last+r.size]
		r.at = append(r.at, last)
	}
	for range recordsAhead {
		r.at = append(r.at, last)
	}
}

// Fetch has the records in use from one on to another come to the processor, all at a time.
func (r *Records) Fetch(from, to int) (sum float32) {
	const line = 16 // numbers
	for _, at := range r.at[from:min(to, r.chosen)] {
		own := r.table[at : at+r.size]
		for i := 0; i < len(own); i += line {
			sum += own[i]
		}
	}
	return sum
}

// Load copies the weights of the lines of n that begin at a place in their records, of
// count records in use from one on, [count, n].
func (r *Records) Load(dst []float32, place, n, from, count int) {
	active.LoadLines(dst, r, place, n, from, count)
}

// LoadLines is [Records.Load] on one tier.
func (t *tier) LoadLines(dst []float32, r *Records, place, n, from, count int) {
	if count == 0 || n == 0 {
		return
	}
	r.check(place, n)
	at, dst := r.at[:r.chosen:r.chosen][from:from+count], dst[:count*n]
	if t.loadLines != nil {
		t.loadLines(unsafe.SliceData(dst), &r.table[place], unsafe.SliceData(at), count, n)
		return
	}
	for s, own := range at {
		copy(dst[s*n:(s+1)*n], r.table[own+place:])
	}
}

// check panics unless lines of n weights and a second moment are within a record.
func (r *Records) check(place, n int) {
	if place < 0 || n < 0 || place+n >= r.size {
		panic(errShort)
	}
}
