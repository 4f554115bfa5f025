package comm

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

// Every row is of the rank whose bounds it lies in, and a rank has of some rows those of its own.
func TestApart(t *testing.T) {
	bounds := []int{0, 3, 3, 7, 7}
	for r, ranks := range Group(4) {
		a := NewApart(t.Context(), ranks, bounds)
		for from := range 8 {
			for to := from; to <= 7; to++ {
				first, end := a.Own(from, to)
				for row := from; row < to; row++ {
					if is := bounds[r] <= row && row < bounds[r+1]; is != (first <= row && row < end) || is != (a.Of(row) == r) {
						t.Fatalf("rank %d has rows %d to %d of %d to %d, and row %d is of rank %d", r, first, end, from, to, row, a.Of(row))
					}
				}
				if first > end {
					t.Fatalf("rank %d has rows %d to %d", r, first, end)
				}
			}
		}
	}
}

// An exchange fails on all ranks where one has failed, and each says which; ranks that do something
// else are told apart.
func TestExchange(t *testing.T) {
	broken := errors.New("broken")
	for what, failed := range map[string]error{"well": nil, "broken": broken} {
		var all sync.WaitGroup
		for r, ranks := range Group(3) {
			all.Go(func() {
				var own error
				if r == 1 {
					own = failed
				}
				said, err := Exchange(t.Context(), ranks, []byte{byte(r), 7}[:r], own)
				var remote *RemoteError
				switch {
				case failed == nil && (err != nil || len(said) != 3 || string(said[0]) != "" || string(said[1]) != "\x01" || string(said[2]) != "\x02\x07"):
					t.Errorf("%s: rank %d hears %v, %v", what, r, said, err)
				case failed != nil && r == 1 && !errors.Is(err, broken):
					t.Errorf("%s: the rank says %v", what, err)
				case failed != nil && r != 1 && (!errors.As(err, &remote) || remote.Rank != 1):
					t.Errorf("%s: rank %d says %v", what, r, err)
				}
			})
		}
		all.Wait()
	}
	ranks := Group(2)
	go func() { _, _ = ranks[1].AllGather(context.Background(), []byte("{}")) }()
	if _, err := Exchange(t.Context(), ranks[0], nil, nil); err == nil || !strings.Contains(err.Error(), "rank 1") {
		t.Errorf("a rank that does something else: %v", err)
	}
}
