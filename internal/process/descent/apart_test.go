package descent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"beziergp/internal/comm"
	"beziergp/internal/process/elbo"
)

// parted is blocks of which a rank has a part; what it is asked for beyond is nothing.
type parted struct {
	blocks
	apart *comm.Apart
	t     *testing.T
}

func (p parted) Apart() *comm.Apart { return p.apart }

func (p parted) Block(i int, dst elbo.Batch) (int, error) {
	if p.fail != nil {
		return 0, p.fail
	}
	from, to := p.apart.Own(i*p.size, min((i+1)*p.size, p.rows))
	if dst.Len() < to-from || from == to {
		p.t.Errorf("block %d is read for %d rows of %d", i, dst.Len(), to-from)
	}
	for k := range to - from {
		dst.X[k], dst.Y[k] = float32(from+k)/float32(p.rows), float32(from+k)
		if dst.Weights != nil {
			dst.Weights[k] = float32(from + k + 1)
		}
	}
	return to - from, nil
}

// counted counts what a rank sends to every other.
type counted struct {
	comm.Comm
	calls, bytes int
}

func (c *counted) AllGather(ctx context.Context, message []byte) ([][]byte, error) {
	c.calls++
	c.bytes += len(message)
	return c.Comm.AllGather(ctx, message)
}

// onRanks does something on ranks that have rows apart, and returns what they sent.
func onRanks(t *testing.T, bounds []int, source func(rank int) blocks, do func(rank int, rows Rows)) []counted {
	t.Helper()
	group := comm.Group(len(bounds) - 1)
	ranks := make([]counted, len(group))
	var all sync.WaitGroup
	for r := range group {
		ranks[r].Comm = group[r]
		all.Go(func() {
			do(r, Rows{Inputs: 1, Source: parted{source(r), comm.NewApart(t.Context(), &ranks[r], bounds), t}})
		})
	}
	all.Wait()
	return ranks
}

// Ranks that each have a part of the rows draw the batches of one process, in whatever way the rows
// are cut, and send every row of a batch once to every other.
func TestRowsApartGiveTheBatchesOfAll(t *testing.T) {
	const batch, steps = 32, 70
	all := blocks{rows: 1030, size: 10}
	whole := newWindows(Rows{Inputs: 1, Source: all}.Without(nil, 0), 3, batch)
	defer whole.Wait()
	var want [][]float32
	for step := range steps {
		want = append(want, slices.Clone(draw(t, whole, step)))
	}
	for _, bounds := range [][]int{{0, 515, 1030}, {0, 1, 1, 640, 1030}, {0, 0, 1030}} {
		sent := onRanks(t, bounds, func(int) blocks { return all }, func(rank int, rows Rows) {
			batches, size := rows.Batches(3, batch)
			defer batches.Wait()
			b := rows.NewBatch(size)
			for step := range steps {
				if err := errors.Join(batches.At(step, b), batches.Complete(b)); err != nil {
					t.Error(err)
					return
				}
				if !slices.Equal(b.Y, want[step]) {
					t.Errorf("%v: rank %d draws %v in step %d, one process %v", bounds, rank, b.Y, step, want[step])
					return
				}
			}
		})
		bytes := 0
		for _, s := range sent {
			bytes += s.bytes - s.calls // a byte each says that nothing has failed
		}
		if want := steps * batch * 4 * 2; bytes != want { // one coordinate and one target
			t.Errorf("%v: the ranks send %d bytes, want %d", bounds, bytes, want)
		}
	}
}

// All ranks visit all rows in order, and hear of one that cannot read its own, or is told to stop.
func TestRowsApartAreVisitedByAll(t *testing.T) {
	all, bounds := blocks{rows: 105, size: 10}, []int{0, 33, 60, 105}
	many, cut := blocks{rows: 200_005, size: 1000}, []int{0, 33_000, 99_999, 200_005}
	onRanks(t, cut, func(int) blocks { return many }, func(rank int, rows Rows) {
		for i, each := range []func(context.Context, int, func(elbo.Batch) error) error{rows.Each, rows.EachTogether} {
			next, most := 0, []int{1000, 65_000}[i]
			err := each(context.Background(), 1, func(b elbo.Batch) error {
				if n := b.Len(); n != min(most, many.rows-next) {
					t.Errorf("rank %d visits %d rows at once, want %d", rank, n, most)
				}
				for _, y := range b.Y {
					if y != float32(next) {
						return fmt.Errorf("row %g is visited as row %d", y, next)
					}
					next++
				}
				return nil
			})
			if err != nil || next != many.rows {
				t.Errorf("rank %d visits %d rows: %v", rank, next, err)
			}
		}
	})
	broken := errors.New("broken")
	onRanks(t, bounds, func(rank int) blocks {
		if rank == 1 {
			return blocks{rows: 105, size: 10, fail: broken}
		}
		return all
	}, func(rank int, rows Rows) {
		err := rows.Each(context.Background(), 1, func(elbo.Batch) error { return nil })
		var remote *comm.RemoteError
		if rank == 1 && !errors.Is(err, broken) || rank != 1 && (!errors.As(err, &remote) || remote.Rank != 1) {
			t.Errorf("rank %d says %v", rank, err)
		}
	})
	onRanks(t, bounds, func(int) blocks { return all }, func(rank int, rows Rows) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if rank == 2 {
			cancel()
		}
		err := rows.Each(ctx, 1, func(elbo.Batch) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("rank %d says %v", rank, err)
		}
	})
}

// Weights come with the rows that they are of.
func TestRowsApartHaveWeights(t *testing.T) {
	all := blocks{rows: 105, size: 10}
	onRanks(t, []int{0, 33, 105}, func(int) blocks { return all }, func(rank int, rows Rows) {
		rows.Weighted = true
		check := func(b elbo.Batch) error {
			for p, y := range b.Y {
				if b.Weights[p] != y+1 {
					t.Errorf("rank %d: row %g has weight %g", rank, y, b.Weights[p])
				}
			}
			return nil
		}
		batches, size := rows.Batches(3, 8)
		defer batches.Wait()
		b := rows.NewBatch(size)
		err := rows.Each(context.Background(), 1, check)
		for step := range 20 {
			err = errors.Join(err, batches.At(step, b), batches.Complete(b), check(b))
		}
		if err != nil {
			t.Errorf("rank %d: %v", rank, err)
		}
	})
}

// altered is a rank whose messages of rows are longer than they should be, or shorter.
type altered struct {
	comm.Comm
	by int
}

func (a altered) AllGather(ctx context.Context, message []byte) ([][]byte, error) {
	if a.by > 0 {
		message = append(slices.Clone(message), make([]byte, a.by)...)
	} else {
		message = message[:max(0, len(message)+a.by)]
	}
	return a.Comm.AllGather(ctx, message)
}

// A rank that has said too much of its rows, or too little, is told by its number: the last one
// where all that it said could be rows.
func TestRowsApartOfTheWrongSize(t *testing.T) {
	const row = 8
	for _, by := range []int{4, row, -4, -row} {
		group, bounds := comm.Group(2), []int{0, 30, 55}
		var all sync.WaitGroup
		for r := range group {
			c := comm.Comm(group[r])
			if r == 1 {
				c = altered{c, by}
			}
			all.Go(func() {
				rows := Rows{Inputs: 1, Source: parted{blocks{rows: 55, size: 10}, comm.NewApart(t.Context(), c, bounds), t}}
				err := rows.Each(context.Background(), 1, func(elbo.Batch) error { return nil })
				if err == nil || err.Error() != wrongRows(1).Error() {
					t.Errorf("%d bytes more: rank %d says %v", by, r, err)
				}
			})
		}
		all.Wait()
	}
}
