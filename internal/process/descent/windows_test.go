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

// An epoch visits each row once, but for those that fill the last batch of a window, and
// its batches are mixed from the whole of the table.
func TestStreamEpochs(t *testing.T) {
	for _, c := range []blocks{{rows: 10000, size: 10}, {rows: 10007, size: 10}, {rows: 650, size: 100}, {rows: 5, size: 10}, {rows: 641, size: 10}, {rows: 1000, size: 1}, {rows: 40, size: 1}} {
		s := newWindows(Rows{Inputs: 1, Source: c}.Without(nil, 0), 3, 32)
		var epochs [][]float32
		for epoch := range 2 {
			seen := map[float32]int{}
			var all []float32
			for step := range s.epochSteps() {
				batch := draw(t, s, epoch*s.epochSteps()+step)
				for _, row := range batch {
					seen[row]++
				}
				all = append(all, batch...)
			}
			windows := len(s.starts) - 1
			if again := len(all) - len(seen); len(seen) != c.rows || again >= windows*s.batch {
				t.Errorf("%+v: epoch %d has %d rows, and %d of them again", c, epoch, len(seen), again)
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
	s := newWindows(Rows{Inputs: 1, Source: blocks{rows: 10000, size: 10}}.Without(nil, 0), 5, 32)
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
	whole := newWindows(Rows{Inputs: 1, Source: c}.Without(nil, 0), 9, 50)
	var want [][]float32
	for step := range 250 {
		want = append(want, slices.Clone(draw(t, whole, step)))
	}
	whole.Wait()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		s := newWindows(Rows{Inputs: 1, Source: c}.Without(nil, 0), 9, 50)
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
	s := newWindows(Rows{Inputs: 1, Source: blocks{rows: 5000, size: 2}}.Without(nil, 0), 1, 1000)
	defer s.Wait()
	if s.batch != 2*62 { // of 2500 blocks in 40 windows
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
	s := newWindows(Rows{Inputs: 1, Source: failing{c, &broken}}.Without(nil, 0), 9, 50)
	defer s.Wait()
	b := s.part.of.NewBatch(s.batch)
	for range 2 {
		if err := s.At(3, b); err == nil {
			t.Fatal("a batch of nothing")
		}
	}
	broken = false
	whole := newWindows(Rows{Inputs: 1, Source: c}.Without(nil, 0), 9, 50)
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
	s := newWindows(Rows{Inputs: 1, Source: counting{blocks{rows: 3000, size: 10}, &read}}.Without(nil, 0), 1, 50)
	const epochs = 3
	for step := range epochs * s.epochSteps() {
		draw(t, s, step)
	}
	s.Wait()
	if n := read.Load(); n != epochs*300+60 {
		t.Errorf("%d blocks were read in %d epochs of 300", n, epochs)
	}
}

// Rows that are left out are in no batch, all others are, and an epoch has as many steps as
// without them; windows may be of fewer blocks.
func TestStreamWithoutSomeRows(t *testing.T) {
	const n = 1000
	rng := rand.New(rand.NewPCG(4, 4))
	for _, share := range []float64{0.02, 0.7} {
		for _, windowBlocks := range []int{0, 8, 1000} {
			var without []int
			for j := range n {
				if rng.Float64() < share {
					without = append(without, j)
				}
			}
			part := Rows{Inputs: 1, Source: blocks{rows: n, size: 7}}.Without(without, windowBlocks)
			if part.Len() != n-len(without) {
				t.Errorf("%d rows without %d", part.Len(), len(without))
			}
			s := newWindows(part, 3, 16)
			if all := (Rows{Inputs: 1, Source: blocks{rows: n, size: 7}}).Without(nil, windowBlocks); s.epochSteps() != all.EpochSteps(16) {
				t.Errorf("an epoch has %d steps, of all rows %d", s.epochSteps(), all.EpochSteps(16))
			}
			seen := map[int]bool{}
			for step := range s.epochSteps() {
				for _, row := range draw(t, s, step) {
					seen[int(row)] = true
				}
			}
			s.Wait()
			if len(seen) != part.Len() || slices.ContainsFunc(without, func(j int) bool { return seen[j] }) {
				t.Errorf("%d rows of %d drawn, or others", len(seen), part.Len())
			}
			if windowBlocks == 8 && s.most > 8*7 {
				t.Errorf("windows of %d rows", s.most)
			}
		}
	}
}

// Where no row is left there is no batch.
func TestStreamOfNoRows(t *testing.T) {
	part := Rows{Inputs: 1, Source: blocks{rows: 100, size: 1}}.Without(upTo(60), 1)
	batches, size := part.Batches(1, 8)
	defer batches.Wait()
	var err error
	for step := range part.EpochSteps(8) {
		if err = batches.At(step, part.of.NewBatch(size)); err != nil {
			break
		}
	}
	if !errors.Is(err, errNoRows) {
		t.Error(err)
	}
}
