package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/internal/testkit"
)

// fixture is a smooth function of three inputs and noise of deviation 0.1.
func fixture(t testing.TB, n int) Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	d := Data{}
	for _, order := range []int{4, 3, 0} {
		b, err := basis.NewBernstein(order)
		if err != nil {
			t.Fatal(err)
		}
		d.Bases = append(d.Bases, b)
	}
	for range n {
		a, b := rng.Float32(), rng.Float32()
		d.X = append(d.X, a, b, 0)
		d.Y = append(d.Y, float32(math.Sin(3*float64(a))*(1+float64(b))-1.2+0.1*rng.NormFloat64()))
	}
	return d
}

var short = Paper{Orderings: 3, Steps: 300, Batch: 64, LearningRate: 0.02, Seed: 7}

func fit(t testing.TB, o Paper, data Data, env Environment) *Result {
	t.Helper()
	r, err := o.Fit(context.Background(), data, env)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFitLearns(t *testing.T) {
	var last Event
	steps := 0
	r := fit(t, short, fixture(t, 500), Environment{Progress: func(e Event) {
		if e.Phase == PhaseWeights {
			steps++
			if e.Step != steps || e.Steps != short.Steps {
				t.Fatalf("event %d tells of step %d of %d", steps, e.Step, e.Steps)
			}
		}
		last = e
	}})
	if r.RMSE < 0.08 || r.RMSE > 0.13 {
		t.Errorf("training RMSE %g, want about the noise, 0.1", r.RMSE)
	}
	if steps != short.Steps || last.Phase != PhaseNoise || last.Step != 500 {
		t.Errorf("%d events of the first phase, last event %+v", steps, last)
	}
}

// σ² is the mean of (y − μ)² + Var f over all training rows.
func TestNoiseIsTheClosedForm(t *testing.T) {
	data := fixture(t, 700) // more than a tile, and than a mini-batch
	r := fit(t, short, data, Environment{})
	var sum float64
	o := enumeration(t, r.Posterior)
	for j := range data.Y {
		x := make([]float64, len(data.Bases))
		for i, v := range data.row(j) {
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
	one := fit(t, short, data, Environment{Workers: 1})
	for _, workers := range []int{2, 5} {
		other := fit(t, short, data, Environment{Workers: workers})
		if other.Noise != one.Noise || !slices.Equal(other.Posterior.Params(), one.Posterior.Params()) {
			t.Errorf("%d workers end elsewhere than one", workers)
		}
	}
	seeded := short
	seeded.Seed++
	if other := fit(t, seeded, data, Environment{}); slices.Equal(other.Posterior.Params(), one.Posterior.Params()) {
		t.Error("another seed ends at the same weights")
	}
}

// at returns the recipe with a checkpoint in a file.
func at(o Paper, path string) Paper {
	o.Checkpoint = path
	return o
}

// A run stopped at any step and started again ends bit-identical, with no
// checkpoint left behind; nothing is lost but the steps since the last one.
func TestResumedRunsEndBitIdentical(t *testing.T) {
	data := fixture(t, 300)
	whole := fit(t, short, data, Environment{})
	path := filepath.Join(t.TempDir(), "run.ckpt")
	for _, stops := range [][]int{{1}, {4, 5, 150}, {299}, {300}} {
		for _, stop := range stops {
			ctx, cancel := context.WithCancel(context.Background())
			_, err := at(short, path).Fit(ctx, data, Environment{Progress: func(e Event) {
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
		var first Event
		r := fit(t, at(short, path), data, Environment{Progress: func(e Event) {
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
	_, err := at(short, path).Fit(ctx, data, Environment{Progress: func(Event) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	kept := at(short, path)
	kept.KeepCheckpoint = true
	one := fit(t, kept, data, Environment{})
	two := fit(t, at(short, path), data, Environment{})
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
	_ = fit(t, o, fixture(t, 100), Environment{
		Now: func() time.Time { clock = clock.Add(time.Second); return clock },
		Progress: func(Event) {
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
	for what, o := range map[string]Paper{
		"orderings":     {Orderings: -1},
		"steps":         {Steps: -1},
		"batch":         {Batch: -1},
		"learning rate": {LearningRate: math.NaN()},
		"KL weight":     {KLWeight: -1},
		"spread":        {Spread: math.Inf(1)},
	} {
		if _, err := o.Fit(context.Background(), data, Environment{}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if _, err := short.Fit(context.Background(), fixture(t, 1), Environment{}); err == nil {
		t.Error("one row is accepted")
	}
	if _, err := short.Fit(context.Background(), Data{Y: data.Y}, Environment{}); err == nil {
		t.Error("no input is accepted")
	}
}

func TestDivergenceIsAnError(t *testing.T) {
	wild := short
	wild.LearningRate = 1e30
	_, err := wild.Fit(context.Background(), fixture(t, 50), Environment{})
	var diverged *DivergedError
	if !errors.As(err, &diverged) || diverged.Rate != 1e30 {
		t.Errorf("error %v", err)
	}
}

func TestSamplerVisitsEveryRowOnceAnEpoch(t *testing.T) {
	for _, c := range []struct{ rows, batch int }{{1, 500}, {2, 1}, {5, 2}, {17, 17}, {1000, 7}, {4097, 500}} {
		s := newSampler(3, c.rows, c.batch)
		perEpoch := c.rows / s.batch
		rows := make([]int, s.batch)
		var first []int
		for epoch := range 3 {
			var visited []int
			for step := range perEpoch {
				s.rowsAt(epoch*perEpoch+step, rows)
				visited = append(visited, rows...)
			}
			if epoch == 0 {
				first = slices.Clone(visited)
			} else if c.rows > 20 && slices.Equal(first, visited) {
				t.Errorf("%v: two epochs have the same order", c)
			}
			slices.Sort(visited)
			if distinct := len(slices.Compact(visited)); distinct != perEpoch*s.batch || visited[0] < 0 || visited[distinct-1] >= c.rows {
				t.Errorf("%v: an epoch visits %d rows, want %d", c, distinct, perEpoch*s.batch)
			}
		}
		// A step's batch does not depend on what was drawn before.
		s.rowsAt(0, rows)
		if !slices.Equal(rows, first[:len(rows)]) {
			t.Errorf("%v: step 0 draws another batch the second time", c)
		}
	}
}

// The first place of an epoch falls on all rows alike.
func TestSamplerIsUniform(t *testing.T) {
	const rows, draws = 10, 20000
	counts := make([]float64, rows)
	s := newSampler(1, rows, rows)
	batch := make([]int, rows)
	for epoch := range draws {
		s.rowsAt(epoch, batch)
		counts[batch[0]]++
	}
	var chi2 float64
	for _, c := range counts {
		chi2 += (c - draws/rows) * (c - draws/rows) / (draws / rows)
	}
	if chi2 > 27.9 { // 0.999 quantile of χ² with 9 degrees of freedom
		t.Errorf("χ² = %g: %v", chi2, counts)
	}
}

// Training needs the table and a model's worth of memory, whatever the number of
// rows.
func TestMemoryDoesNotGrowWithRows(t *testing.T) {
	beyond := func(n int) int64 {
		data := fixture(t, n)
		ctx, cancel := context.WithCancel(context.Background())
		var before, during runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := Paper{Batch: 500}.Fit(ctx, data, Environment{Workers: 2, Progress: func(e Event) {
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
