package paper

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"beziergp/internal/comm"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/train"
)

// crew is the ranks of a run. Each trains a portion of the buttresses: it alone moves their
// weights and has their moments. Slices of all parameters are as long on every rank; what a rank
// never touches of them takes no memory.
type crew struct {
	comm.Comm
	ctx    context.Context // that of the run, and some time longer where there are others to wait for
	ends   []int           // of the blocks of parameters
	blocks [][]int         // by rank
}

// patience is how long a rank that was told to stop waits for the others to end their step and
// take their part in a checkpoint.
const patience = 4 * time.Second

func newCrew(ctx context.Context, ranks comm.Comm, s *surface.Surface) (*crew, context.CancelFunc) {
	c, cancel := &crew{Comm: ranks, ctx: ctx, ends: s.Ends()}, func() {}
	for r := range ranks.Size() {
		c.blocks = append(c.blocks, elbo.PortionOf(s, r, ranks.Size()).Blocks(s))
	}
	if !c.alone() {
		c.ctx, cancel = comm.Lingering(ctx, patience)
	}
	return c, cancel
}

// CheckRanks refuses more ranks than there are orderings to train.
func (o Recipe) CheckRanks(ranks int) error {
	if orderings := o.WithDefaults().Orderings; ranks > orderings {
		return &train.OptionError{Option: "ranks", Problem: fmt.Sprintf(
			"%d, and %d orderings, of which every rank of the recipe paper trains one at least; start fewer ranks, or take more orderings", ranks, orderings)}
	}
	return nil
}

func (c *crew) alone() bool { return c.Size() == 1 }

func (c *crew) first() bool { return c.Rank() == 0 }

// proceed is [comm.Proceed].
func (c *crew) proceed(failed error, asks bool) (asked bool, err error) {
	return comm.Proceed(c.ctx, c, failed, asks)
}

// agree fails on all ranks where one has failed.
func (c *crew) agree(failed error) error { return comm.Agree(c.ctx, c, nil, failed) }

func (c *crew) exchange(own []byte) ([][]byte, error) { return c.AllGather(c.ctx, own) }

func (c *crew) scatter(messages [][]byte) ([]byte, error) { return comm.Scatter(c.ctx, c, 0, messages) }

// part returns which of n rows that all have are this rank's to work on.
func (c *crew) part(n int) (from, to int) {
	return n * c.Rank() / c.Size(), n * (c.Rank() + 1) / c.Size()
}

// pick returns what a rank has of several slices of all parameters.
func (c *crew) pick(rank int, slices ...[]float32) []byte {
	n := 0
	for _, block := range c.blocks[rank] {
		n += 4 * len(slices) * len(c.of(block, slices[0]))
	}
	message := make([]byte, 0, n) // which may be a large part of memory
	for _, all := range slices {
		for _, block := range c.blocks[rank] {
			message, _ = binary.Append(message, binary.LittleEndian, c.of(block, all)) // of fixed size, which does not fail
		}
	}
	return message
}

// place puts what a rank has where it belongs.
func (c *crew) place(rank int, message []byte, slices ...[]float32) error {
	for _, all := range slices {
		for _, block := range c.blocks[rank] {
			n, err := binary.Decode(message, binary.LittleEndian, c.of(block, all))
			if err != nil {
				return fmt.Errorf("rank %d has said too little of its weights: %w", rank, err)
			}
			message = message[n:]
		}
	}
	return nil
}

// of returns a block of all parameters.
func (c *crew) of(block int, all []float32) []float32 {
	from := 0
	if block > 0 {
		from = c.ends[block-1]
	}
	return all[from:c.ends[block]]
}

// gather completes slices of all parameters on rank 0.
func (c *crew) gather(slices ...[]float32) error {
	if c.alone() {
		return nil
	}
	if err := c.ctx.Err(); err != nil { // the others have not come to hear that all is to end
		return err
	}
	messages, err := c.Gather(c.ctx, 0, c.pick(c.Rank(), slices...))
	return c.placeAll(messages, err, slices...)
}

// gatherOnAll completes slices of all parameters on every rank.
func (c *crew) gatherOnAll(slices ...[]float32) error {
	if c.alone() {
		return nil
	}
	messages, err := c.AllGather(c.ctx, c.pick(c.Rank(), slices...))
	return c.placeAll(messages, err, slices...)
}

func (c *crew) placeAll(messages [][]byte, err error, slices ...[]float32) error {
	for r, message := range messages {
		if err == nil && r != c.Rank() {
			err = c.place(r, message, slices...)
		}
	}
	return err
}

// gatherMoments completes moments of rows, of which every rank has its part.
func (c *crew) gatherMoments(moments ...[]float64) error {
	if c.alone() {
		return nil
	}
	var own []byte
	for _, m := range moments {
		from, to := c.part(len(m))
		own, _ = binary.Append(own, binary.LittleEndian, m[from:to]) // of fixed size, which does not fail
	}
	messages, err := c.exchange(own)
	if err != nil {
		return err
	}
	for _, m := range moments {
		next := 0
		for r, message := range messages {
			to := len(m) * (r + 1) / c.Size()
			n, err := binary.Decode(message, binary.LittleEndian, m[next:to])
			if err != nil {
				return fmt.Errorf("rank %d has said too little of its rows: %w", r, err)
			}
			messages[r], next = message[n:], to
		}
	}
	return nil
}
