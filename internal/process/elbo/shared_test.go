package elbo

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"beziergp/internal/comm"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
)

// copied returns terms that the next evaluation leaves alone.
func copied(t Terms) Terms {
	t.KL = slices.Clone(t.KL)
	return t
}

func sameTerms(a, b Terms) bool {
	kl := slices.Equal(a.KL, b.KL)
	a.KL, b.KL = nil, nil
	return kl && a.Rows == b.Rows && a.LogDispersion == b.LogDispersion && a.LogNormaliser == b.LogNormaliser && a.Loss == b.Loss && a.Variance == b.Variance
}

// Ranks that share a bound have its terms and its gradient, each of its own buttresses, to the
// bit, and send no more than the formula has.
func TestSharedBoundHasTheBitsOfOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	orders := []int{4, 3, 6}
	s := newSurface(t, orders, 5, rng)
	n := together(s, 5)*s.TilePoints() + 200 // two exchanges of values, and a tile that is not full
	params, x := normals(s.Size(), 0.3, rng), uniforms(n*len(orders), rng)
	weights := uniforms(n, rng)
	for name, c := range map[string]struct {
		law Likelihood
		y   []float32
	}{
		"Gaussian": {likelihood.Gaussian{}, normals(n, 1, rng)},
		"general":  {general{likelihood.Gaussian{}}, normals(n, 1, rng)},
	} {
		rows := Batch{X: x, Y: c.y, Weights: weights}
		pool := simd.NewPool(1)
		want := make([]float32, s.Size())
		terms := copied(NewBound(s, c.law, 10*n, pool).Evaluate(params, -1, rows, want))
		for size := 1; size <= 5; size++ {
			sent := make([]int, size)
			var all sync.WaitGroup
			for r, ranks := range comm.Group(size) {
				all.Go(func() {
					own := simd.NewPool(1 + r%2)
					defer own.Close()
					b := NewShared(s, c.law, 10*n, own, r, size, func(message []byte) ([][]byte, error) {
						sent[r] += len(message)
						return ranks.AllGather(context.Background(), message)
					})
					gradient := make([]float32, s.Size())
					for range 2 { // the second finds memory of the first
						sent[r] = 0
						got, err := b.Evaluate(params, -1, rows, gradient)
						if err != nil || !sameTerms(got, terms) {
							t.Errorf("%s: rank %d of %d has the terms %+v, not %+v: %v", name, r, size, got, terms, err)
						}
					}
					ends := append([]int{0}, s.Ends()...)
					for _, block := range PortionOf(s, r, size).Blocks(s) {
						if from, to := ends[block], ends[block+1]; !slices.Equal(gradient[from:to], want[from:to]) {
							t.Errorf("%s: rank %d of %d has another gradient of block %d", name, r, size, block)
						}
					}
					buttresses := PortionOf(s, r, size).Len()
					if formula := 8*buttresses*n + 8*buttresses; sent[r] != formula {
						t.Errorf("%s: rank %d of %d sends every other %d bytes, %d by the formula", name, r, size, sent[r], formula)
					}
				})
			}
			all.Wait()
		}
		pool.Close()
	}
}

// Every block of parameters belongs to one rank, with mean and variance of a buttress together.
func TestPortions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	a, b := newSurface(t, []int{2, 3}, 3, rng).Group(0), newSurface(t, []int{4, 1}, 4, rng).Group(0)
	s, err := surface.New(a, b)
	if err != nil {
		t.Fatal(err)
	}
	three, err := surface.New(b, a, b)
	if err != nil {
		t.Fatal(err)
	}
	// Buttresses 4 to 6 are of the second group, behind the 8 blocks of the first; 7 to 10 of the third.
	if got := (Portion{6, 8}).Blocks(three); !slices.Equal(got, []int{10, 13, 14, 18}) {
		t.Errorf("of three groups, the seventh buttress and the eighth have the blocks %v", got)
	}
	for size := 1; size <= 7; size++ {
		var all []int
		for r := range size {
			p := PortionOf(s, r, size)
			blocks := p.Blocks(s)
			if len(blocks) != 2*p.Len() || p.Len() < 7/size || p.Len() > (7+size-1)/size {
				t.Errorf("rank %d of %d has the buttresses %+v and the blocks %v", r, size, p, blocks)
			}
			all = append(all, blocks...)
		}
		slices.Sort(all)
		for i, block := range all {
			if i != block {
				t.Fatalf("%d ranks: blocks %v", size, all)
			}
		}
	}
	if got := PortionOf(s, 0, 2).Blocks(s); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("the first group has the blocks %v", got)
	}
	if got := (Portion{2, 4}).Blocks(s); !slices.Equal(got, []int{2, 5, 6, 10}) {
		t.Errorf("the third buttress and the fourth have the blocks %v", got)
	}
}

// Messages of a wrong length, and those that do not come, are errors.
func TestSharedBoundWithoutTheOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 19))
	s, pool := newSurface(t, []int{2}, 2, rng), simd.NewPool(1)
	defer pool.Close()
	gone := errors.New("gone")
	for words, alter := range map[string]func(own []byte) ([]byte, error){
		"gone":         func(own []byte) ([]byte, error) { return nil, gone },
		"too little":   func(own []byte) ([]byte, error) { return own[1:], nil },
		"1 bytes more": func(own []byte) ([]byte, error) { return append(own, 0), nil },
	} {
		b := NewShared(s, likelihood.Gaussian{}, 10, pool, 0, 2, func(own []byte) ([][]byte, error) {
			other, err := alter(slices.Clone(own))
			return [][]byte{own, other}, err
		})
		_, err := b.Evaluate(normals(s.Size(), 1, rng), 0, Batch{X: uniforms(10, rng), Y: normals(10, 1, rng)}, make([]float32, s.Size()))
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// Tiles that go forward together are as many as have their states in cache, up to a few; where that
// is none they are computed again, and a latency is shared all the same.
func TestTilesTogether(t *testing.T) {
	s := newSurface(t, []int{4, 3, 6}, 5, rand.New(rand.NewPCG(1, 18)))
	cached, none := false, false
	for buttresses := 1; buttresses < 1<<30; buttresses *= 2 {
		kept, n := s.KeptTiles(buttresses), together(s, buttresses)
		if n < 1 || kept > 0 && n > kept {
			t.Errorf("%d buttresses: %d tiles go together, of which %d have room", buttresses, n, kept)
		}
		cached, none = cached || kept > 0 && kept < 8, none || kept == 0
	}
	if !cached || !none {
		t.Error("no number of buttresses has little room, or none")
	}
}
