package paper

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"beziergp/internal/comm"
	"beziergp/internal/process/elbo"
	"beziergp/likelihood"
	"beziergp/train"
)

var brief = Recipe{Orderings: 4, Steps: 30, Batch: 200, LearningRate: 0.02, Seed: 7}

// fitOn fits on several ranks, whose surroundings a function may change.
func fitOn(ctx context.Context, ranks []comm.Comm, o Recipe, data train.Data, change func(rank int, data *train.Data, env *train.Environment, ctx *context.Context)) ([]*train.Result, []error) {
	results, errs := make([]*train.Result, len(ranks)), make([]error, len(ranks))
	var all sync.WaitGroup
	for r, c := range ranks {
		data, env, ctx := data, train.Environment{Workers: 1 + r%2, Ranks: c}, ctx
		if change != nil {
			change(r, &data, &env, &ctx)
		}
		all.Go(func() { results[r], errs[r] = o.Fit(ctx, data, env) })
	}
	all.Wait()
	return results, errs
}

func sameResult(a, b *train.Result) bool {
	return a != nil && b != nil && a.Noise == b.Noise && a.RMSE == b.RMSE && a.Objective == b.Objective && slices.Equal(a.Posterior.Params(), b.Posterior.Params())
}

// bent is a Gaussian of which the bound does not know that it is linear in Var f.
type bent struct{ likelihood.Gaussian }

func (bent) VarianceSlope() (float64, bool) { return 0, false }

// Every rank of any number ends with the bits of one process.
func TestRanksEndWithTheSameBits(t *testing.T) {
	for name, law := range map[string]likelihood.Likelihood{"linear in Var f": nil, "any other": bent{}} {
		data := fixture(t, 500)
		data.Likelihood = law
		one := fit(t, brief, data, train.Environment{})
		for size := 2; size <= 4; size++ {
			results, errs := fitOn(t.Context(), comm.Group(size), brief, data, nil)
			for r, got := range results {
				if errs[r] != nil || !sameResult(got, one) {
					t.Errorf("%s: rank %d of %d ends elsewhere than one process: %v", name, r, size, errs[r])
				}
			}
		}
	}
}

// One rank is told to stop, and all stop after the same step. The checkpoint is
// that of one process, and any number of ranks goes on from it.
func TestRanksStopTogetherAndGoOnInAnyNumber(t *testing.T) {
	data, path := fixture(t, 500), filepath.Join(t.TempDir(), "run.ckpt")
	whole := fit(t, brief, data, train.Environment{})
	stopped := func(size, stop int) []byte {
		ranks := comm.Group(size)
		_, errs := fitOn(t.Context(), ranks, at(brief, path), data, func(rank int, _ *train.Data, env *train.Environment, ctx *context.Context) {
			if rank == size-1 {
				own, cancel := context.WithCancel(*ctx)
				t.Cleanup(cancel)
				*ctx = own
				env.Progress = func(e train.Event) {
					if e.Step == stop {
						cancel()
					}
				}
			}
		})
		for r, err := range errs {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%d ranks, stopped at step %d: rank %d ends with %v", size, stop, r, err)
			}
		}
		if c, err := openCheckpoint(path); err != nil || c.Steps != min(stop, brief.Steps) {
			t.Fatalf("%d ranks, stopped at step %d: the checkpoint is of step %d, %v", size, stop, c.Steps, err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	want := stopped(1, 20)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for i, size := range []int{3, 1, 4, 2} {
		if got := stopped(size, 5*(i+1)); i == 3 && !bytes.Equal(got, want) {
			t.Error("ranks write another checkpoint than one process")
		}
	}
	results, errs := fitOn(t.Context(), comm.Group(3), at(brief, path), data, nil)
	for r, got := range results {
		if errs[r] != nil || !sameResult(got, whole) {
			t.Errorf("rank %d ends elsewhere than a run that was never stopped: %v", r, errs[r])
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the checkpoint is left: %v", err)
	}
}

// A rank that is told to stop while the noise is learned stops all, with all steps in the
// checkpoint.
func TestRanksStopBehindTheSteps(t *testing.T) {
	o := at(brief, filepath.Join(t.TempDir(), "run.ckpt"))
	o.Steps = 2
	_, errs := fitOn(t.Context(), comm.Group(2), o, fixture(t, 40_000), func(rank int, _ *train.Data, env *train.Environment, ctx *context.Context) {
		own, cancel := context.WithCancel(*ctx)
		t.Cleanup(cancel)
		if *ctx = own; rank == 1 {
			env.Progress = func(e train.Event) {
				if e.Phase == train.PhaseNoise {
					cancel()
				}
			}
		}
	})
	for r, err := range errs {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("rank %d ends with %v", r, err)
		}
	}
	if c, err := openCheckpoint(o.Checkpoint); err != nil || c.Steps != 2 {
		t.Errorf("the checkpoint is of step %d, %v", c.Steps, err)
	}
}

// Rank 0 alone reads the checkpoint, and all learn what is wrong with it.
func TestRanksWithADamagedCheckpoint(t *testing.T) {
	o := at(brief, filepath.Join(t.TempDir(), "run.ckpt"))
	if err := os.WriteFile(o.Checkpoint, []byte("no checkpoint"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs := fitOn(t.Context(), comm.Group(3), o, fixture(t, 100), nil)
	var faulty *CheckpointError
	if !errors.As(errs[0], &faulty) {
		t.Errorf("rank 0 ends with %v", errs[0])
	}
	for r, err := range errs[1:] {
		if err == nil || err.Error() != "rank 0: "+errs[0].Error() {
			t.Errorf("rank %d ends with %v", r+1, err)
		}
	}
}

// A rank whose rows cannot be read any more ends all, and the others name it.
func TestOneRankFails(t *testing.T) {
	data, cause := fixture(t, 500), errors.New("the disk is gone")
	_, errs := fitOn(t.Context(), comm.Group(3), brief, data, func(rank int, data *train.Data, _ *train.Environment, _ *context.Context) {
		if rank == 1 {
			data.X, data.Y, data.Source = nil, nil, lastly{data.Rows().Batch, cause}
		} else {
			data.X, data.Y, data.Source = nil, nil, lastly{data.Rows().Batch, nil}
		}
	})
	for r, err := range errs {
		if r == 1 && !errors.Is(err, cause) || err == nil || !strings.HasSuffix("rank 1: "+err.Error(), "rank 1: the disk is gone") {
			t.Errorf("rank %d ends with %v", r, err)
		}
	}
}

// lastly is rows in blocks of 100, of which the last cannot be read in order.
type lastly struct {
	rows  elbo.Batch
	cause error
}

func (l lastly) Rows() int      { return l.rows.Len() }
func (l lastly) Blocks() int    { return l.rows.Len() / 100 }
func (l lastly) BlockRows() int { return 100 }
func (l lastly) Block(i int, b elbo.Batch) (int, error) {
	d := len(l.rows.X) / l.rows.Len()
	own := l.rows.Part(d, 100*i, 100*(i+1))
	copy(b.X, own.X)
	copy(b.Y, own.Y)
	if i == l.Blocks()-1 && len(b.Y) == 100 { // a window's memory is longer
		return 100, l.cause
	}
	return 100, nil
}

// counted counts what a rank sends to each of the others.
type counted struct {
	comm.Comm
	bytes int
}

func (c *counted) AllGather(ctx context.Context, message []byte) ([][]byte, error) {
	c.bytes += len(message)
	return c.Comm.AllGather(ctx, message)
}

// A step sends every other rank 8 r B + 8 r bytes for the r orderings of the rank and B rows, and
// a byte that says whether all go on.
func TestTrafficOfAStep(t *testing.T) {
	sent := func(steps int) (bytes []int) {
		ranks := comm.Group(3)
		all := make([]*counted, len(ranks))
		for r := range ranks {
			all[r] = &counted{Comm: ranks[r]}
			ranks[r] = all[r]
		}
		o := brief
		o.Steps = steps
		_, errs := fitOn(t.Context(), ranks, o, fixture(t, 500), nil)
		for r, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
			bytes = append(bytes, all[r].bytes)
		}
		return bytes
	}
	few, many := sent(10), sent(20)
	for r, orderings := range []int{1, 1, 2} {
		if got, want := many[r]-few[r], 10*(8*orderings*brief.Batch+8*orderings+1); got != want {
			t.Errorf("rank %d sends every other %d bytes in 10 steps, %d by the formula", r, got, want)
		}
	}
}

func TestMoreRanksThanOrderings(t *testing.T) {
	_, errs := fitOn(t.Context(), comm.Group(5), brief, fixture(t, 100), nil)
	var option *train.OptionError
	for r, err := range errs {
		if !errors.As(err, &option) || option.Option != "ranks" {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}
