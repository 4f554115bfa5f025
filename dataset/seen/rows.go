package seen

import (
	"errors"
	"fmt"
	"slices"
)

// Most is the number of hashes that are kept. Of more rows they are the smallest, a
// sample of the rows that does not depend on their order.
const Most = 1 << 15

// FalsePositives bounds the chance that the hash of a row that was not trained on is
// among those kept, [Most] of 2^53.
const FalsePositives = float64(Most) / (1 << bits)

// Rows are the rows that a model was trained on, or a sample of them.
type Rows struct {
	Trained  int     // rows trained on
	Repeated float64 // share of them that equal another one
	// Split tells how they were taken out of a larger table: those that are left of it are
	// not among them, though some may equal one. Empty where they are all.
	Split string
	Sums  []uint64 // hashes, ascending
}

// Check returns an error unless the rows are in order: they may come from a file.
func (r *Rows) Check() error {
	if r.Trained < 1 || len(r.Sums) == 0 || len(r.Sums) > min(Most, r.Trained) || !(r.Repeated >= 0 && r.Repeated <= 1) {
		return fmt.Errorf("%d hashes of %d rows, %g of them repeated", len(r.Sums), r.Trained, r.Repeated)
	}
	for i, sum := range r.Sums {
		if sum >= 1<<bits || i > 0 && sum <= r.Sums[i-1] {
			return errors.New("the hashes of rows are out of order")
		}
	}
	return nil
}

// covers tells whether a row of this hash would be among those kept.
func (r *Rows) covers(sum uint64) bool {
	return len(r.Sums) < Most || sum <= r.Sums[Most-1]
}

func (r *Rows) has(sum uint64) bool {
	_, found := slices.BinarySearch(r.Sums, sum)
	return found
}
