package descent

import (
	"slices"
	"testing"
)

// What an epoch draws is not what orderings, weights, folds or another epoch are drawn
// from.
func TestEpochsHaveStreamsOfTheirOwn(t *testing.T) {
	const seed, rows = 3, 1000
	taken := map[uint64]bool{}
	for _, stream := range []uint64{StreamOrderings, StreamWeights, StreamFolds, StreamSample, StreamRedrawn} {
		taken[Random(seed, stream).Uint64()] = true
	}
	if len(taken) != 5 {
		t.Error("two streams are one")
	}
	s, batch := newSampler(seed, rows, rows), make([]int, rows)
	for epoch := range 5 {
		s.rowsAt(epoch, batch)
		if taken[s.keys[0]] {
			t.Errorf("epoch %d draws from a stream of another", epoch)
		}
		taken[s.keys[0]] = true
	}
	of := Rows{Inputs: 1, Source: blocks{rows: rows, size: 10}}
	w := newWindows(of.Without(nil, 0), seed, rows)
	var orders [][]int
	for _, stream := range []uint64{StreamOrderings, StreamWeights, StreamFolds, StreamSample, StreamRedrawn} {
		orders = append(orders, append(Random(seed, stream).Perm(99), 99))
	}
	for epoch := range 5 {
		own := w.blocks(epoch)
		if slices.ContainsFunc(orders, func(other []int) bool { return slices.Equal(other, own) }) {
			t.Errorf("epoch %d draws blocks from a stream of another", epoch)
		}
		orders = append(orders, own)
	}
}
