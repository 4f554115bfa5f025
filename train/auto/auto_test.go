package auto

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/predictive"
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

// prepared returns what a run at effort fast works with; its workers are to be closed.
func prepared(data train.Data, workers int) (*dataset, plan, worker) {
	d := newDataset(data.Rows(), data.Split, data.Bases, data.Inputs, likelihood.OrGaussian(data.Likelihood))
	p, err := Recipe{Effort: Fast}.plan(d, false)
	if err != nil {
		panic(err)
	}
	w := worker{pool: simd.NewPool(workers), progress: newProgress(train.Environment{}.WithDefaults(), 0)}
	w.fit = w.progress.begin(0, task{})
	return d, p, w
}

func fitAuto(t testing.TB, data train.Data, env train.Environment) *train.Result {
	t.Helper()
	r, err := Recipe{Effort: Fast, Seed: 3}.Fit(context.Background(), data, env)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAutoLearnsTheFunctionAndTheNoise(t *testing.T) {
	r := fitAuto(t, fixture(t, 1000), train.Environment{Workers: 2})
	// The fixture's noise has deviation 0.1, and no model of it errs less.
	if r.RMSE < 0.09 || r.RMSE > 0.115 {
		t.Errorf("error out of fold %g for noise of deviation 0.1", r.RMSE)
	}
	testkit.Close(t, "noise", math.Sqrt(r.Noise), 0.1, 0.15, 0)
	if r.Recipe != "auto" || r.Epistemic == nil || r.Steps == 0 {
		t.Errorf("result %+v", r)
	}
}

// Same seed, same bits, whatever the number of workers; another seed, others.
func TestAutoDoesNotDependOnWorkers(t *testing.T) {
	testkit.Parallel(t)
	data := fixture(t, 300)
	one := fitAuto(t, data, train.Environment{Workers: 1})
	three := fitAuto(t, data, train.Environment{Workers: 3})
	if !slices.Equal(one.Posterior.Params(), three.Posterior.Params()) ||
		!slices.Equal(one.Epistemic.Surface.Params(), three.Epistemic.Surface.Params()) || one.Noise != three.Noise ||
		!reflect.DeepEqual(one.Options, three.Options) {
		t.Error("the result depends on the number of workers")
	}
	other, err := Recipe{Effort: Fast, Seed: 4}.Fit(context.Background(), data, train.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(one.Posterior.Params(), other.Posterior.Params()) {
		t.Error("the seed changes nothing")
	}
}

// Rows that weigh next to nothing have no say in the function or the noise.
func TestAutoWeighsRows(t *testing.T) {
	if testing.Short() {
		t.Skip("fits several models")
	}
	data := fixture(t, 1000)
	for j := range data.Y {
		if data.Weights = append(data.Weights, 2-1e-6); j%2 == 1 {
			data.Weights[j], data.Y[j] = 1e-6, data.Y[j]+5
		}
	}
	r := fitAuto(t, data, train.Environment{Workers: 2})
	if r.RMSE > 0.2 {
		t.Errorf("error out of fold %g", r.RMSE)
	}
	if std := math.Sqrt(r.Noise); std > 0.25 {
		t.Errorf("noise of deviation %g", std)
	}
}

// Of more folds than members, errors are known of the rows that a member lacks, and no
// others have a say in what errors are like.
func TestErrorsAreThoseOfRowsNotSeen(t *testing.T) {
	ctx := context.Background()
	data, p, w := prepared(fixture(t, 400), 1)
	defer w.pool.Close()
	folds := data.split(data.order, p.folds, p.seed)
	p.members, p.replicates = len(folds.folds)-1, 1
	p.steps = fewestSteps
	e, err := fitEnsemble(ctx, w, p, data, folds, []structure{{train.ByRanks, p.sums[0], 1}})
	if err != nil {
		t.Fatal(err)
	}
	seen, first := e.rows(), folds.folds[0]
	if want := slices.Concat(folds.folds[:p.members]...); !slices.Equal(seen, want) || len(e.replicates) != len(first) || len(e.members) != p.members+p.replicates {
		t.Fatalf("%d rows with errors, %d of replicates, %d members; want %d, %d, %d", len(seen), len(e.replicates), len(e.members), len(want), len(first), p.members+p.replicates)
	}
	fit := func() noise {
		n, err := fitNoise(ctx, w, p, data, e)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := fit()
	for _, j := range folds.folds[p.members] {
		data.Y[j] += 100
	}
	if after := fit(); after.constant != before.constant || !reflect.DeepEqual(after.structure, before.structure) {
		t.Errorf("noise %g, %+v; with other targets at rows that all members saw %g, %+v", before.constant, before.structure, after.constant, after.structure)
	}
}

// Noise of deviation 0.05 on one side and 0.5 on the other is told apart.
func TestAutoLearnsNoiseThatVaries(t *testing.T) {
	if testing.Short() {
		t.Skip("fits several models")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	data := fixture(t, 0)
	for range 2000 {
		a, b := rng.Float32(), rng.Float32()
		data.X = append(data.X, a, b, 0)
		data.Y = append(data.Y, a+float32((0.05+0.45*math.Round(float64(b)))*rng.NormFloat64()))
	}
	r := fitAuto(t, data, train.Environment{Workers: 2})
	if r.LogNoise == nil {
		t.Fatal("the noise is constant")
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	factors := make([]float64, 2)
	if err := r.LogNoise.NewEvaluator(pool).Values(context.Background(), []float32{0.5, 0.2, 0, 0.5, 0.8, 0}, []float64{0.5, 0.5}, factors); err != nil {
		t.Fatal(err)
	}
	r.LogNoise.Limits.Clamp(factors)
	testkit.Close(t, "quiet side", math.Sqrt(r.Noise*math.Exp(factors[0])), 0.05, 0.5, 0)
	testkit.Close(t, "loud side", math.Sqrt(r.Noise*math.Exp(factors[1])), 0.5, 0.3, 0)
}

// Errors that are exponential on one side and reflected on the other are known to be
// so: their predictions come near to the entropy of the exponential distribution,
// which a Gaussian of their deviation misses by 0.42.
func TestAutoLearnsTheDensityRatio(t *testing.T) {
	if testing.Short() {
		t.Skip("fits several models")
	}
	rng := rand.New(rand.NewPCG(2, 2))
	data := fixture(t, 3000)
	for j := range data.Y {
		e := 0.5 * (rng.ExpFloat64() - 1)
		if data.Rows().Row(j)[0] > 0.5 {
			e = -e
		}
		data.Y[j] += float32(e)
	}
	r := fitAuto(t, data, train.Environment{Workers: 2})
	o := r.Options.(options)
	if r.DensityRatio == nil || o.DensityRatio == nil {
		t.Fatal("no density ratio was learned")
	}
	e := r.DensityRatio.NewEvaluator(simd.NewPool(1))
	w := make([]float64, 2*predictive.Nodes)
	x := append(slices.Clone(data.Rows().Row(0)), data.Rows().Row(0)...)
	x[0], x[len(x)/2] = 0.2, 0.8
	if err := e.Values(context.Background(), x, []float64{0, 0}, w); err != nil {
		t.Fatal(err)
	}
	toRatios(w)
	// Left of the median an exponential distribution is dense, and on the far right too.
	left, right := w[predictive.Nodes/4], w[predictive.Nodes+predictive.Nodes/4]
	if left < 1.3*right {
		t.Errorf("density %g and %g a quarter into distributions that lean to opposite sides", left, right)
	}
}

// A rate at which nothing trains is lowered until it does.
func TestDescentRecovers(t *testing.T) {
	data, _, w := prepared(fixture(t, 300), 1)
	defer w.pool.Close()
	c := structure{Components: []component{coarse}, Smoothness: 1}
	s, err := c.surface(data, 1)
	if err != nil {
		t.Fatal(err)
	}
	squaredError := func(rate float64) (float64, error) {
		m := member{surface: s, params: c.start(s, 1)}
		o := descent.Descent{Objective: elbo.NewMean, Loss: likelihood.Gaussian{}.Loss, Steps: 200, Batch: 100, Rate: rate, Smoothness: 1, Step: func(float64) {}}
		if err := o.Run(context.Background(), s, data.Only(upTo(300)), m.params, w.pool); err != nil {
			return 0, err
		}
		values, err := m.predict(context.Background(), w, data, upTo(300))
		if err != nil {
			return 0, err
		}
		var sum float64
		for j, y := range data.Y {
			sum += square(float64(y)-values[j]) / 300
		}
		return sum, nil
	}
	good, err := squaredError(0.02)
	if err != nil || good > 0.02 {
		t.Fatalf("error %g, %v", good, err)
	}
	if high, err := squaredError(2); err != nil || high > 0.1 {
		t.Errorf("a rate of 2 ends at %g, %v", high, err)
	}
	if _, err := squaredError(1e30); !diverged(err) {
		t.Errorf("a rate without hope ends with %v", err)
	}
}

// Tables at the edge of what makes sense neither fail nor give numbers that are none.
func TestAutoOnOddTables(t *testing.T) {
	if testing.Short() {
		t.Skip("the tables are many")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	odd := func(n, d int, y func(x []float32) float64) train.Data {
		return uniform(t, rng, n, d, 1, func(x []float32) float32 { return float32(y(x)) })
	}
	noise := func([]float32) float64 { return rng.NormFloat64() }
	copies := odd(40, 3, noise)
	for range 3 {
		copies.X, copies.Y = append(copies.X, copies.X...), append(copies.Y, copies.Y...)
	}
	for name, data := range map[string]train.Data{
		"two rows":      odd(2, 1, noise),
		"five rows":     odd(5, 2, noise),
		"wide":          odd(30, 300, noise),
		"noise":         odd(300, 5, noise),
		"copies":        copies,
		"constant":      odd(200, 2, func([]float32) float64 { return 0 }),
		"heavy tails":   odd(500, 2, func([]float32) float64 { return math.Tan(math.Pi * (rng.Float64() - 0.5) * 0.999) }),
		"without noise": odd(500, 2, func(x []float32) float64 { return float64(x[0]) }),
	} {
		r, err := Recipe{Effort: Fast, StepsFactor: 0.3}.Fit(context.Background(), data, train.Environment{Workers: 2})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		pool := simd.NewPool(1)
		mean, variance := make([]float64, len(data.Y)), make([]float64, len(data.Y))
		if err := surface.NewEvaluator(r.Posterior, pool).Moments(context.Background(), data.X, mean, nil); err != nil {
			t.Fatal(err)
		}
		all := dataset{Rows: data.Rows(), bases: data.Bases, inputs: newDataset(data.Rows(), data.Split, data.Bases, nil, likelihood.OrGaussian(data.Likelihood)).inputs}
		x := all.rescaled(r.Epistemic.Inputs)
		if err := surface.NewEvaluator(r.Epistemic.Surface, pool).Moments(context.Background(), x, make([]float64, len(data.Y)), variance); err != nil {
			t.Fatal(err)
		}
		pool.Close()
		var squares, errs float64
		for j, y := range data.Y {
			squares, errs = squares+square(float64(y)), errs+square(float64(y)-mean[j])
			if math.IsNaN(mean[j]) || !(variance[j] > 0) || !(r.Noise > 0) {
				t.Fatalf("%s: row %d is predicted as %g with variance %g", name, j, mean[j], variance[j])
			}
		}
		if errs > 1.2*squares+1e-6 {
			t.Errorf("%s: squared error %g, of zero %g", name, errs, squares)
		}
	}
}

// Interrupted anywhere, it stops at once; after the first candidate the best so far
// comes beside the error, and errs less than the mean of the targets.
func TestAutoStops(t *testing.T) {
	if testing.Short() {
		t.Skip("fits several models")
	}
	data := fixture(t, 300)
	whole := fitAuto(t, data, train.Environment{})
	for _, share := range []float64{0.001, 0.2, 0.5, 0.7, 0.9} {
		ctx, cancel := context.WithCancel(context.Background())
		steps, at := 0, max(1, int(share*float64(whole.Steps)))
		const workers = 2
		r, err := Recipe{Effort: Fast, Seed: 3}.Fit(ctx, data, train.Environment{Workers: workers, Progress: func(train.Event) {
			if steps++; steps == at {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || steps > at+workers {
			t.Errorf("it ended after %d steps with %v", steps, err)
		}
		if share < 0.01 {
			if r != nil {
				t.Error("a result after one step")
			}
			continue
		}
		if r == nil || !r.Options.(options).Interrupted {
			t.Fatalf("result %+v after %d of %d steps", r, at, whole.Steps)
		}
		if r.RMSE > 0.5 || math.Abs(math.Sqrt(r.Noise)-r.RMSE) > 1e-6 {
			t.Errorf("error %g, noise %g", r.RMSE, math.Sqrt(r.Noise))
		}
	}
}

// Counts above all reason are refused before anything of their size is made.
func TestAutoRefusesTooManyWorkers(t *testing.T) {
	_, err := Recipe{}.Fit(context.Background(), fixture(t, 20), train.Environment{Workers: 1<<63 - 1})
	if refused := (*train.OptionError)(nil); !errors.As(err, &refused) || refused.Option != "workers" {
		t.Errorf("error %v", err)
	}
}

func TestAutoRefusesAnUnknownEffort(t *testing.T) {
	var option *train.OptionError
	if _, err := (Recipe{Effort: "much"}).Fit(context.Background(), fixture(t, 20), train.Environment{}); !errors.As(err, &option) {
		t.Errorf("an unknown effort: %v", err)
	}
}

// A budget that is spent at once still leaves a model, with fewer steps; the clock is
// the caller's.
func TestAutoKeepsToABudget(t *testing.T) {
	if testing.Short() {
		t.Skip("fits several models")
	}
	data := fixture(t, 300)
	whole := fitAuto(t, data, train.Environment{})
	for _, budget := range []time.Duration{time.Second, time.Minute} {
		now := time.Unix(0, 0)
		r, err := Recipe{Effort: Fast, Seed: 3, Budget: budget}.Fit(context.Background(), data, train.Environment{
			Now: func() time.Time { return now }, Progress: func(train.Event) { now = now.Add(20 * time.Millisecond) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Steps >= whole.Steps {
			t.Errorf("budget %v: %d steps, without one %d", budget, r.Steps, whole.Steps)
		}
		if spent := now.Sub(time.Unix(0, 0)); budget == time.Minute && spent > budget*5/4 {
			t.Errorf("budget %v: %v spent", budget, spent)
		}
		if r.RMSE > 0.5 {
			t.Errorf("budget %v: error %g", budget, r.RMSE)
		}
	}
}
