package comm

import (
	"context"
	"encoding/binary"
	"fmt"
)

// Shares is into how many parts of equal standing the work of a sum is cut, whatever the number
// of ranks: a power of two, and at least as many as there are ranks. A share is added to its
// neighbour, their sum to that of the next two, and so on, so that the order of all additions is
// that of a binary tree, and the sum has the same bits on any number of ranks.
type Shares int

// span is a part of the tree: the shares from ≤ s < from + count.
type span struct{ from, count int }

// Of returns the shares of a rank, from ≤ s < to.
func (s Shares) Of(rank, size int) (from, to int) {
	return rank * int(s) / size, (rank + 1) * int(s) / size
}

// spans returns the largest parts of the tree that a rank has all shares of, in order.
func (s Shares) spans(rank, size int) (all []span) {
	at, to := s.Of(rank, size)
	for at < to {
		count := 1
		for at%(2*count) == 0 && at+2*count <= to {
			count *= 2
		}
		all = append(all, span{at, count})
		at += count
	}
	return all
}

// Sum returns on every rank the sum of the vectors of all shares, [n]: fill writes that of one
// share of this rank over what dst has. Each rank adds up the vectors of its own shares as far as
// the tree goes, sends every rank a stripe of what it has (all-to-all), adds the stripes that it
// gets in the order of the tree, and sends its stripe of the sum to all (all-gather): where the
// number of ranks is a power of two, 2 (R − 1)/R · 4n bytes leave a rank, as of a ring.
func Sum(ctx context.Context, ranks Comm, s Shares, n int, fill func(share int, dst []float32)) ([]float32, error) {
	size, rank := ranks.Size(), ranks.Rank()
	if s < 1 || s&(s-1) != 0 || int(s) < size {
		return nil, fmt.Errorf("%d shares for %d ranks: take a power of two that is not less", s, size)
	}
	var partial func(p span) []float32
	partial = func(p span) []float32 {
		if p.count == 1 {
			dst := make([]float32, n)
			fill(p.from, dst)
			return dst
		}
		left, right := p.halves()
		return add(partial(left), partial(right))
	}
	messages := make([][]byte, size)
	for _, p := range s.spans(rank, size) {
		own := partial(p)
		for r := range messages {
			from, to := Shares(n).Of(r, size)
			messages[r], _ = binary.Append(messages[r], binary.LittleEndian, own[from:to]) // of fixed size, which does not fail
		}
	}
	received, err := ranks.AllToAll(ctx, messages)
	if err != nil {
		return nil, err
	}
	from, to := Shares(n).Of(rank, size)
	stripes := map[span][]float32{}
	for r, message := range received {
		for _, p := range s.spans(r, size) {
			stripe := make([]float32, to-from)
			used, err := binary.Decode(message, binary.LittleEndian, stripe)
			if err != nil {
				return nil, remote(r, err)
			}
			stripes[p], message = stripe, message[used:]
		}
	}
	var total func(p span) []float32
	total = func(p span) []float32 {
		if known, ok := stripes[p]; ok {
			return known
		}
		left, right := p.halves()
		return add(total(left), total(right))
	}
	own, _ := binary.Append(nil, binary.LittleEndian, total(span{0, int(s)}))
	all, err := ranks.AllGather(ctx, own)
	if err != nil {
		return nil, err
	}
	sum := make([]float32, n)
	for r, message := range all {
		from, to := Shares(n).Of(r, size)
		if _, err := binary.Decode(message, binary.LittleEndian, sum[from:to]); err != nil {
			return nil, remote(r, err)
		}
	}
	return sum, nil
}

func (p span) halves() (left, right span) {
	return span{p.from, p.count / 2}, span{p.from + p.count/2, p.count / 2}
}

// add adds b to a.
func add(a, b []float32) []float32 {
	for i, v := range b {
		a[i] += v
	}
	return a
}
