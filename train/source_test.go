package train

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
)

// blocks is a source over rows in memory: row j has the target j.
type blocks struct {
	rows, size int
	fail       error
}

func (b blocks) Rows() int      { return b.rows }
func (b blocks) Blocks() int    { return (b.rows + b.size - 1) / b.size }
func (b blocks) BlockRows() int { return b.size }

func (b blocks) Block(i int, dst elbo.Batch) (int, error) {
	if b.fail != nil {
		return 0, b.fail
	}
	n := min(b.size, b.rows-i*b.size)
	for p := range n {
		row := i*b.size + p
		dst.X[p] = float32(row) / float32(b.rows)
		dst.Y[p] = float32(row)
	}
	return n, nil
}

func draw(t *testing.T, s *stream, step int) []float32 {
	t.Helper()
	b := elbo.Batch{X: make([]float32, s.batch), Y: make([]float32, s.batch)}
	if err := s.batchAt(step, b); err != nil {
		t.Fatal(err)
	}
	return b.Y
}

// An epoch visits each row at most once and misses less than a batch a window, and
// its batches are mixed from the whole of the table.
func TestStreamEpochs(t *testing.T) {
	for _, c := range []blocks{{rows: 10000, size: 10}, {rows: 10007, size: 10}, {rows: 650, size: 100}, {rows: 5, size: 10}, {rows: 641, size: 10}, {rows: 1000, size: 1}, {rows: 40, size: 1}} {
		s := newStream(c, 1, false, 3, 32)
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
		s.wait()
		if c.rows > 100 && slices.Equal(epochs[0], epochs[1]) {
			t.Errorf("%+v: two epochs have one order", c)
		}
	}
	// 64 of 1000 blocks make a window: the mean row of a batch of 32 is off by the
	// deviation of a mean of as many draws, not of neighbours.
	s := newStream(blocks{rows: 10000, size: 10}, 1, false, 5, 32)
	defer s.wait()
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
	whole := newStream(c, 1, false, 9, 50)
	var want [][]float32
	for step := range 250 {
		want = append(want, slices.Clone(draw(t, whole, step)))
	}
	whole.wait()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		s := newStream(c, 1, false, 9, 50)
		from := rng.IntN(240)
		for step := from; step < from+10; step++ {
			if !slices.Equal(draw(t, s, step), want[step]) {
				t.Fatalf("a run from step %d draws another batch at %d", from, step)
			}
		}
		s.wait()
	}
}

// Training on a source that fails ends with its error.
func TestStreamFails(t *testing.T) {
	b, err := basis.NewBernstein(2)
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("the disk is gone")
	_, err = Paper{Steps: 10}.Fit(context.Background(), Data{Bases: []basis.Basis{b}, Source: blocks{rows: 1000, size: 10, fail: cause}}, Environment{Workers: 1})
	if !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

// A sample has each row at most once, from all parts of the table.
func TestSampleOfASource(t *testing.T) {
	b, err := basis.NewBernstein(2)
	if err != nil {
		t.Fatal(err)
	}
	bases := make([]basis.Basis, 1)
	bases[0] = b
	whole, err := Data{Bases: bases, Source: blocks{rows: 1000, size: 64}}.inMemory(context.Background(), 1, sampledValues)
	if err != nil {
		t.Fatal(err)
	}
	for j, y := range whole.Y {
		if y != float32(j) {
			t.Fatalf("row %d of all is %g", j, y)
		}
	}
	if len(whole.Y) != 1000 || len(whole.X) != 1000 {
		t.Errorf("%d rows", len(whole.Y))
	}
}

// A batch that is larger than a window is cut to it: wide tables have few rows a block.
func TestStreamOfLargeBatches(t *testing.T) {
	s := newStream(blocks{rows: 5000, size: 2}, 1, false, 1, 1000)
	defer s.wait()
	if s.batch != 2*windowBlocks {
		t.Errorf("batches of %d rows", s.batch)
	}
	for step := range 100 {
		draw(t, s, step)
	}
}
