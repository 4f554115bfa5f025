package descent

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"beziergp/internal/process/elbo"
)

func draw(t *testing.T, s *windows, step int) []float32 {
	t.Helper()
	b := elbo.Batch{X: make([]float32, s.batch), Y: make([]float32, s.batch)}
	if err := s.At(step, b); err != nil {
		t.Fatal(err)
	}
	return b.Y
}

// An epoch visits each row at most once and misses less than a batch a window, and
// its batches are mixed from the whole of the table.
func TestStreamEpochs(t *testing.T) {
	for _, c := range []blocks{{rows: 10000, size: 10}, {rows: 10007, size: 10}, {rows: 650, size: 100}, {rows: 5, size: 10}, {rows: 641, size: 10}, {rows: 1000, size: 1}, {rows: 40, size: 1}} {
		s := newWindows(Rows{Inputs: 1, Source: c}, 3, 32)
		perEpoch := s.starts[len(s.starts)-1]
		var epochs [][]float32
		for epoch := range 2 {
			seen := map[float32]bool{}
			var all []float32
			for step := range perEpoch {
				batch := draw(t, s, epoch*perEpoch+step)
				for _, row := range batch {
					if seen[row] {
						t.Fatalf("%+v: row %g twice in epoch %d", c, row, epoch)
					}
					seen[row] = true
				}
				all = append(all, batch...)
			}
			windows := len(s.starts) - 1
			if missed := c.rows - len(seen); missed > windows*32 && missed >= s.batch {
				t.Errorf("%+v: epoch %d misses %d rows", c, epoch, missed)
			}
			epochs = append(epochs, all)
		}
		s.Wait()
		if c.rows > 100 && slices.Equal(epochs[0], epochs[1]) {
			t.Errorf("%+v: two epochs have one order", c)
		}
	}
	// 64 of 1000 blocks make a window: the mean row of a batch of 32 is off by the
	// deviation of a mean of as many draws, not of neighbours.
	s := newWindows(Rows{Inputs: 1, Source: blocks{rows: 10000, size: 10}}, 5, 32)
	defer s.Wait()
	far := 0
	for step := range 200 {
		var mean float64
		for _, row := range draw(t, s, step) {
			mean += float64(row) / 32
		}
		if mean < 5000-2000 || mean > 5000+2000 { // four deviations, 10000/√(12·32) each
			far++
		}
	}
	if far > 2 {
		t.Errorf("%d of 200 batches come from one end of the table", far)
	}
}

// Batches are a function of the seed and the step, whatever came before.
func TestStreamResumes(t *testing.T) {
	c := blocks{rows: 5000, size: 10}
	whole := newWindows(Rows{Inputs: 1, Source: c}, 9, 50)
	var want [][]float32
	for step := range 250 {
		want = append(want, slices.Clone(draw(t, whole, step)))
	}
	whole.Wait()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		s := newWindows(Rows{Inputs: 1, Source: c}, 9, 50)
		from := rng.IntN(240)
		for step := from; step < from+10; step++ {
			if !slices.Equal(draw(t, s, step), want[step]) {
				t.Fatalf("a run from step %d draws another batch at %d", from, step)
			}
		}
		s.Wait()
	}
}

// A batch that is larger than a window is cut to it: wide tables have few rows a block.
func TestStreamOfLargeBatches(t *testing.T) {
	s := newWindows(Rows{Inputs: 1, Source: blocks{rows: 5000, size: 2}}, 1, 1000)
	defer s.Wait()
	if s.batch != 2*windowBlocks {
		t.Errorf("batches of %d rows", s.batch)
	}
	for step := range 100 {
		draw(t, s, step)
	}
}

// failing is a source that cannot be read for a while.
type failing struct {
	blocks
	broken *bool
}

func (s failing) Block(i int, dst elbo.Batch) (int, error) {
	if *s.broken {
		return 0, errors.New("no file")
	}
	return s.blocks.Block(i, dst)
}

// What cannot be read is an error of the step that needs it, and no other's.
func TestStreamFails(t *testing.T) {
	broken, c := true, blocks{rows: 5000, size: 10}
	s := newWindows(Rows{Inputs: 1, Source: failing{c, &broken}}, 9, 50)
	defer s.Wait()
	b := s.of.NewBatch(s.batch)
	for range 2 {
		if err := s.At(3, b); err == nil {
			t.Fatal("a batch of nothing")
		}
	}
	broken = false
	whole := newWindows(Rows{Inputs: 1, Source: c}, 9, 50)
	defer whole.Wait()
	if want := slices.Clone(draw(t, whole, 3)); !slices.Equal(draw(t, s, 3), want) {
		t.Error("another batch after an error")
	}
}

// counting is a source that counts the blocks that were read.
type counting struct {
	blocks
	read *atomic.Int64
}

func (s counting) Block(i int, dst elbo.Batch) (int, error) {
	s.read.Add(1)
	return s.blocks.Block(i, dst)
}

// Step after step, also from one epoch to the next, no block is read twice an epoch, but
// for the window ahead.
func TestStreamReadsBlocksOnce(t *testing.T) {
	var read atomic.Int64
	s := newWindows(Rows{Inputs: 1, Source: counting{blocks{rows: 3000, size: 10}, &read}}, 1, 50)
	const epochs = 3
	for step := range epochs * s.starts[len(s.starts)-1] {
		draw(t, s, step)
	}
	s.Wait()
	if n := read.Load(); n != epochs*300+windowBlocks {
		t.Errorf("%d blocks were read in %d epochs of 300", n, epochs)
	}
}
