package seen

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Recorders of parts of the rows have together what one has of all: hashes, repeats over parts and in
// one, and numbers, of few rows and of more than are kept.
func TestRecordersJoin(t *testing.T) {
	for _, distinct := range []int{40, 3 * Most} {
		rng := rand.New(rand.NewPCG(1, uint64(distinct)))
		var whole Recorder
		parts := make([]Recorder, 4) // of which the last has none
		for range distinct {
			sum := rng.Uint64() >> (64 - bits)
			for range 1 + max(0, rng.IntN(12)-8) {
				whole.Add(sum)
				parts[rng.IntN(3)].Add(sum)
			}
		}
		want := whole.Rows("s")
		var joined Recorder
		for k := range parts {
			if err := joined.Join(parts[k].Bytes()); err != nil {
				t.Fatal(err)
			}
		}
		if got := joined.Rows("s"); !reflect.DeepEqual(got, want) {
			t.Errorf("%d distinct rows: %d of %d rows, %g repeated, want %d of %d, %g", distinct, len(got.Sums), got.Trained, got.Repeated, len(want.Sums), want.Trained, want.Repeated)
		}
		if err := new(Recorder).Join([]byte{1, 2}); err == nil {
			t.Error("bytes that are cut short are joined")
		}
	}
}
