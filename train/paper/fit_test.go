package paper

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/testkit"
	"beziergp/train"
)

// fixture is a smooth function of three inputs and noise of deviation 0.1.
func fixture(t testing.TB, n int) train.Data {
	t.Helper()
	var d train.Data
	for _, order := range []int{4, 3, 0} {
		b, err := basis.NewBernstein(order)
		if err != nil {
			t.Fatal(err)
		}
		d.Bases = append(d.Bases, b)
	}
	d.X, d.Y = testkit.Smooth(n)
	return d
}

var short = Recipe{Orderings: 3, Steps: 300, Batch: 64, LearningRate: 0.02, Seed: 7}

func fit(t testing.TB, o Recipe, data train.Data, env train.Environment) *train.Result {
	t.Helper()
	r, err := o.Fit(context.Background(), data, env)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFitLearns(t *testing.T) {
	var last train.Event
	steps := 0
	r := fit(t, short, fixture(t, 500), train.Environment{Progress: func(e train.Event) {
		if e.Phase == train.PhaseWeights {
			steps++
			if e.Step != steps || e.Steps != short.Steps {
				t.Fatalf("event %d tells of step %d of %d", steps, e.Step, e.Steps)
			}
			const n, noise = 500, 1 / (5. * 4) // 1/τ
			testkit.Close(t, "ELBO", e.ELBO, -e.Objective/noise-0.5*n*math.Log(2*math.Pi*noise), 1e-9, 0)
		}
		last = e
	}})
	if r.RMSE < 0.08 || r.RMSE > 0.13 {
		t.Errorf("training RMSE %g, want about the noise, 0.1", r.RMSE)
	}
	if steps != short.Steps || last.Phase != train.PhaseNoise || last.Step != 500 {
		t.Errorf("%d events of the first phase, last event %+v", steps, last)
	}
}

// σ² is the mean of (y − μ)² + Var f over all training rows.
func TestNoiseIsTheClosedForm(t *testing.T) {
	data := fixture(t, 700) // more than a tile, and than a mini-batch
	r := fit(t, short, data, train.Environment{})
	var sum float64
	o := enumeration(t, r.Posterior)
	for j := range data.Y {
		x := make([]float64, len(data.Bases))
		for i, v := range data.Rows().Row(j) {
			x[i] = float64(v)
		}
		residual := float64(data.Y[j]) - o.Mean(x)
		sum += residual*residual + o.Covariance(x, x)
	}
	testkit.Close(t, "σ²", r.Noise, sum/700, 1e-5, 0)
}

func enumeration(t testing.TB, q *surface.Posterior) testkit.Process {
	t.Helper()
	g := q.Group(0)
	o := testkit.Process{
		Widths: g.Ensemble.Widths(), Orderings: g.Ensemble.Orderings(),
		Basis: func(input int, x float64) []float64 { return testkit.Bernstein(g.Bases[input].Nodes()-1, x) },
	}
	for _, b := range g.Bases {
		prior, err := b.PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		o.Prior = append(o.Prior, prior)
	}
	for k := range g.Ensemble.Buttresses() {
		o.W = append(o.W, g.Ensemble.Weights(q.Mean(q.Params(), 0), k))
		o.V = append(o.V, g.Ensemble.Weights(q.Variance(q.Params(), 0), k))
	}
	return o
}

func TestSameSeedSameBitsOnAnyNumberOfWorkers(t *testing.T) {
	data := fixture(t, 300)
	one := fit(t, short, data, train.Environment{Workers: 1})
	for _, workers := range []int{2, 5} {
		other := fit(t, short, data, train.Environment{Workers: workers})
		if other.Noise != one.Noise || !slices.Equal(other.Posterior.Params(), one.Posterior.Params()) {
			t.Errorf("%d workers end elsewhere than one", workers)
		}
	}
	seeded := short
	seeded.Seed++
	if other := fit(t, seeded, data, train.Environment{}); slices.Equal(other.Posterior.Params(), one.Posterior.Params()) {
		t.Error("another seed ends at the same weights")
	}
}

// at returns the recipe with a checkpoint in a file.
func at(o Recipe, path string) Recipe {
	o.Checkpoint = path
	return o
}

// A run stopped at any step and started again ends bit-identical, with no
// checkpoint left behind; nothing is lost but the steps since the last one.
func TestResumedRunsEndBitIdentical(t *testing.T) {
	data := fixture(t, 300)
	whole := fit(t, short, data, train.Environment{})
	path := filepath.Join(t.TempDir(), "run.ckpt")
	for _, stops := range [][]int{{1}, {4, 5, 150}, {299}, {300}} {
		for _, stop := range stops {
			ctx, cancel := context.WithCancel(context.Background())
			_, err := at(short, path).Fit(ctx, data, train.Environment{Progress: func(e train.Event) {
				if e.Step == stop {
					cancel()
				}
			}})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped at step %d: error %v", stop, err)
			}
			if c, err := openCheckpoint(path); err != nil || c.Steps != stop {
				t.Fatalf("checkpoint of step %d: %v, %v", stop, c.Steps, err)
			}
		}
		var first train.Event
		r := fit(t, at(short, path), data, train.Environment{Progress: func(e train.Event) {
			if first.Step == 0 {
				first = e
			}
		}})
		if stop := stops[len(stops)-1]; stop < short.Steps && (first.ResumedAt != stop || first.Step != stop+1) {
			t.Errorf("stopped at %d, went on with %+v", stop, first)
		}
		if r.Noise != whole.Noise || r.Objective != whole.Objective || !slices.Equal(r.Posterior.Params(), whole.Posterior.Params()) {
			t.Errorf("stopped at %v: the run ends elsewhere", stops)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a checkpoint is left: %v", err)
		}
	}
}

// Who keeps the checkpoint can end the run again, should its result be lost.
func TestKeptCheckpointOutlivesTheRun(t *testing.T) {
	data, path := fixture(t, 100), filepath.Join(t.TempDir(), "run.ckpt")
	ctx, cancel := context.WithCancel(context.Background())
	_, err := at(short, path).Fit(ctx, data, train.Environment{Progress: func(train.Event) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	kept := at(short, path)
	kept.KeepCheckpoint = true
	one := fit(t, kept, data, train.Environment{})
	two := fit(t, at(short, path), data, train.Environment{})
	if !slices.Equal(one.Posterior.Params(), two.Posterior.Params()) {
		t.Error("the run ends elsewhere the second time")
	}
}

func TestCheckpointsAreWrittenByTheClock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.ckpt")
	clock := time.Unix(0, 0)
	written := 0
	var last []byte
	o := at(short, path)
	o.CheckpointEvery = time.Minute
	_ = fit(t, o, fixture(t, 100), train.Environment{
		Now: func() time.Time { clock = clock.Add(time.Second); return clock },
		Progress: func(train.Event) {
			if now, err := os.ReadFile(path); err == nil && !slices.Equal(now, last) {
				written, last = written+1, now
			}
		},
	})
	// Two readings a step, one more a checkpoint.
	if want := 2 * short.Steps / 60; written < want/2 || written > want {
		t.Errorf("%d checkpoints in %d steps of about a second", written, short.Steps)
	}
}

func TestRefusals(t *testing.T) {
	data := fixture(t, 50)
	for what, o := range map[string]Recipe{
		"orderings":     {Orderings: -1},
		"steps":         {Steps: -1},
		"batch":         {Batch: -1},
		"learning rate": {LearningRate: math.NaN()},
		"KL weight":     {KLWeight: -1},
		"spread":        {Spread: math.Inf(1)},
	} {
		if _, err := o.Fit(context.Background(), data, train.Environment{}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if _, err := short.Fit(context.Background(), fixture(t, 1), train.Environment{}); err == nil {
		t.Error("one row is accepted")
	}
	if _, err := short.Fit(context.Background(), train.Data{Y: data.Y}, train.Environment{}); err == nil {
		t.Error("no input is accepted")
	}
}

// Of very many equal inputs the prior's variance is beyond all numbers, and no learning
// rate is to be lowered.
func TestDivergenceBeforeTheFirstStep(t *testing.T) {
	one := fixture(t, 40)
	data := train.Data{Y: one.Y}
	for j := range one.Y {
		for range 1500 {
			data.X = append(data.X, one.Rows().Row(j)[0])
		}
	}
	for range 1500 {
		data.Bases = append(data.Bases, one.Bases[0])
	}
	_, err := Recipe{Steps: 2, Orderings: 1}.Fit(context.Background(), data, train.Environment{})
	if diverged := (*train.DivergedError)(nil); errors.As(err, &diverged) && diverged.Step > 0 {
		t.Errorf("error %v, whose remedy cannot help", err)
	}
}

func TestDivergenceIsAnError(t *testing.T) {
	wild := short
	wild.LearningRate = 1e30
	_, err := wild.Fit(context.Background(), fixture(t, 50), train.Environment{})
	var diverged *train.DivergedError
	if !errors.As(err, &diverged) || diverged.Rate != 1e30 {
		t.Errorf("error %v", err)
	}
}

// Training on a source that fails ends with its error.
func TestSourceFails(t *testing.T) {
	b, err := basis.NewBernstein(2)
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("the disk is gone")
	_, err = Recipe{Steps: 10}.Fit(context.Background(), train.Data{Bases: []basis.Basis{b}, Source: broken{cause}}, train.Environment{Workers: 1})
	if !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

// broken is a source of rows that cannot be read.
type broken struct{ cause error }

func (b broken) Rows() int                          { return 1000 }
func (b broken) Blocks() int                        { return 100 }
func (b broken) BlockRows() int                     { return 10 }
func (b broken) Block(int, elbo.Batch) (int, error) { return 0, b.cause }

// Training needs the table and a model's worth of memory, whatever the number of
// rows.
func TestMemoryDoesNotGrowWithRows(t *testing.T) {
	beyond := func(n int) int64 {
		data := fixture(t, n)
		ctx, cancel := context.WithCancel(context.Background())
		var before, during runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := Recipe{Batch: 500}.Fit(ctx, data, train.Environment{Workers: 2, Progress: func(e train.Event) {
			if e.Step == 50 {
				runtime.GC()
				runtime.ReadMemStats(&during)
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		return int64(during.HeapAlloc) - int64(before.HeapAlloc)
	}
	small, large := beyond(1000), beyond(300_000)
	if large > small+100_000 {
		t.Errorf("300000 rows need %d bytes beyond the table, 1000 rows %d", large, small)
	}
}
