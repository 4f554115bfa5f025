package auto

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// beyond is a table whose recipe's sample holds few rows of it.
func beyond(t *testing.T, n int) (memory, disk train.Data) {
	t.Helper()
	memory = fixture(t, n)
	for i := range memory.Y {
		memory.Weights = append(memory.Weights, 1+float32(i%3))
	}
	disk = memory
	disk.X, disk.Y, disk.Weights = nil, nil, nil
	disk.Source, disk.Weighted = onDisk{memory}, true
	return memory, disk
}

// sampling is a recipe that holds some rows of so many inputs.
func sampling(rows, inputs int) Recipe {
	return Recipe{Effort: Fast, Shapes: []string{"coarse@1"}, StepsFactor: 0.3, Ablation: []Ingredient{VaryingNoise, DensityRatio}, coordinates: rows * inputs}
}

// recorder is a source that knows by which targets rows were given.
type recorder struct {
	onDisk
	mu    sync.Mutex
	blind map[int]bool // rows whose target is another
}

func (r *recorder) Block(i int, b elbo.Batch) (int, error) {
	n, err := r.onDisk.Block(i, b)
	r.mu.Lock()
	defer r.mu.Unlock()
	for p := range n {
		if r.blind[10*i+p] {
			b.Y[p] += 1000
		}
	}
	return n, err
}

// Members learn what rows outside the sample alone show, and from all rows but those of their
// fold; the result says so.
func TestMembersLearnFromAllRows(t *testing.T) {
	const n, held = 4000, 200
	memory, disk := beyond(t, n)
	d := len(memory.Bases)
	o := sampling(held, d)
	sample, _, err := disk.Sample(context.Background(), o.Seed, held*d)
	if err != nil {
		t.Fatal(err)
	}
	// Outside the sample one row in a hundred lies in a corner and is 3.
	rare, known := []int(nil), map[int]bool{}
	for _, j := range sample.Numbers {
		known[j] = true
	}
	for j := range n {
		row := memory.Rows().Row(j)
		for i := range row {
			row[i] *= 0.9
		}
		if j%100 == 0 && !known[j] {
			rare = append(rare, j)
			for i := range row {
				row[i] = 1
			}
			memory.Y[j] = 3
		}
	}
	disk.Source = onDisk{memory}
	r, err := o.Fit(context.Background(), disk, train.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	if fold := held / 4; r.Sampled != held || r.Streamed != n-fold {
		t.Errorf("%d rows sampled, %d streamed of %d without a fold of %d", r.Sampled, r.Streamed, n, fold)
	}
	for _, name := range []string{"streamed", "sampled"} {
		data := disk
		if name == "sampled" {
			data = train.Data{Bases: disk.Bases, X: sample.X, Y: sample.Y, Weights: sample.Weights}
			for i, j := range sample.Numbers {
				copy(data.X[i*d:(i+1)*d], memory.Rows().Row(j))
			}
			if r, err = o.Fit(context.Background(), data, train.Environment{}); err != nil {
				t.Fatal(err)
			}
		}
		mean := means(t, r, memory.Rows().Coordinates(rare[:1]))
		if learned := mean[0] > 2; learned != (name == "streamed") {
			t.Errorf("%s: the corner is %g", name, mean[0])
		}
	}
}

// means returns those of the process at points.
func means(t *testing.T, r *train.Result, x []float32) []float64 {
	t.Helper()
	pool := simd.NewPool(1)
	defer pool.Close()
	mean := make([]float64, len(x)/r.Posterior.Surface.Inputs())
	if err := surface.NewEvaluator(r.Posterior, pool).Moments(context.Background(), x, mean, nil); err != nil {
		t.Fatal(err)
	}
	return mean
}

// sized is a source of so many rows, in blocks, that cannot be read.
type sized struct{ rows, block int }

func (s sized) Rows() int                        { return s.rows }
func (s sized) Blocks() int                      { return (s.rows + s.block - 1) / s.block }
func (s sized) BlockRows() int                   { return s.block }
func (sized) Block(int, elbo.Batch) (int, error) { return 0, errDisk }

// A stream without rows of the sample never gives them, in any scaling, and gives the others as
// the sample has them.
func TestStreamLacksTheRowsOfAFold(t *testing.T) {
	const n, held = 500, 120
	memory, disk := beyond(t, n)
	d := len(memory.Bases)
	for range d {
		memory.Inputs = append(memory.Inputs, box.Input{Name: "x", Lo: 0, Hi: 4, Knots: []float64{0, 1, 4}, Ranks: []float64{0, 0.6, 1}})
	}
	sample, keys, err := disk.Sample(context.Background(), 1, held*d)
	if err != nil {
		t.Fatal(err)
	}
	data := newDataset(sample.Rows, keys, memory.Bases, memory.Inputs, likelihood.Gaussian{}).streaming(disk.Rows(), sample, 1<<30)
	fold := data.order[:40]
	lacks := map[int]bool{}
	for _, j := range fold {
		lacks[sample.Numbers[j]] = true
	}
	for _, s := range []train.Scaling{train.ByRanks, train.Linear} {
		in := data.in(s)
		part := in.stream.without(in, fold, 3)
		if part.Len() != n-40 {
			t.Errorf("%d rows", part.Len())
		}
		allowed := map[float32]bool{}
		for j, y := range memory.Y {
			if !lacks[j] {
				allowed[y] = true
			}
		}
		batches, size := part.Batches(1, 16)
		batch, seen := in.stream.NewBatch(size), map[float32][]float32{}
		for step := range part.EpochSteps(16) {
			if err := batches.At(step, batch); err != nil {
				t.Fatal(err)
			}
			for p, y := range batch.Y {
				if !allowed[y] {
					t.Fatalf("a row of the fold in step %d", step)
				}
				seen[y] = slices.Clone(batch.X[p*d : (p+1)*d])
			}
		}
		batches.Wait()
		if len(seen) != len(allowed) {
			t.Errorf("%d of %d targets seen", len(seen), len(allowed))
		}
		for j := range in.Len() {
			if x, ok := seen[in.Y[j]]; ok && !slices.Equal(x, in.Row(j)) {
				t.Fatalf("row %d is %v, streamed %v", j, in.Row(j), x)
			}
		}
	}
}

// The number of workers does not change a model.
func TestStreamIsDeterministic(t *testing.T) {
	testkit.Parallel(t)
	memory, disk := beyond(t, 1500)
	o := sampling(200, len(memory.Bases))
	var params [][]float32
	for _, workers := range []int{1, 3} {
		r, err := o.Fit(context.Background(), disk, train.Environment{Workers: workers, Memory: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, r.Posterior.Params())
	}
	if !reflect.DeepEqual(params[0], params[1]) {
		t.Error("the model depends on the number of workers")
	}
}

// A member without a fold does not depend on the fold's targets.
func TestStreamedMemberDoesNotKnowItsFold(t *testing.T) {
	memory, disk := beyond(t, 800)
	o := sampling(200, len(memory.Bases)).withDefaults()
	sample, keys, err := disk.Sample(context.Background(), 1, o.coordinates)
	if err != nil {
		t.Fatal(err)
	}
	source := &recorder{onDisk: onDisk{memory}, blind: map[int]bool{}}
	disk.Source = source
	data := newDataset(sample.Rows, keys, memory.Bases, nil, likelihood.Gaussian{}).streaming(disk.Rows(), sample, 0)
	p, err := o.plan(data, false)
	if err != nil {
		t.Fatal(err)
	}
	folds, s := data.partition(p), p.shapes[0]
	w := worker{pool: simd.NewPool(1), progress: newProgress(train.Environment{}.WithDefaults(), 0)}
	defer w.pool.Close()
	w.fit = &fitProgress{progress: w.progress}
	p = p.forMembers(p.shapes, data)
	fit := func() []float32 {
		m, err := fitMember(context.Background(), w, p, data, s, folds.without(1), folds.held(1), p.stepsOf(s), 1)
		if err != nil {
			t.Fatal(err)
		}
		return m.params
	}
	want := fit()
	for _, j := range folds.held(1) {
		source.blind[sample.Numbers[data.standsFor(data.places()[j])[0]]] = true
	}
	if !slices.Equal(fit(), want) {
		t.Error("a member depends on rows of its fold")
	}
	clear(source.blind)
	for j := 0; len(source.blind) < 1; j++ {
		if !slices.Contains(sample.Numbers, j) {
			source.blind[j] = true
		}
	}
	if slices.Equal(fit(), want) {
		t.Error("a member does not depend on a row outside the sample")
	}
}

// Rows that are held out together are learned from as far as memory holds them.
func TestRowsOfGroupsAreNotStreamed(t *testing.T) {
	memory, disk := beyond(t, 900)
	disk.Source = grouped{onDisk{memory}}
	r, err := sampling(200, len(memory.Bases)).Fit(context.Background(), disk, train.Environment{})
	if err != nil || r.Sampled != 200 || r.Streamed != 0 {
		t.Errorf("%d sampled, %d streamed; %v", r.Sampled, r.Streamed, err)
	}
}

type grouped struct{ onDisk }

func (grouped) Split(_ context.Context, rows []int) (s train.Split, err error) {
	for _, j := range rows {
		s.Groups = append(s.Groups, j%20)
	}
	return s, nil
}

// A disk that fails while members are trained is the error of the run, beside what was
// learned until then.
func TestStreamFails(t *testing.T) {
	memory, disk := beyond(t, 900)
	disk.Source = &failsLater{onDisk: onDisk{memory}, left: 95}
	_, err := sampling(200, len(memory.Bases)).Fit(context.Background(), disk, train.Environment{})
	if !errors.Is(err, errDisk) {
		t.Errorf("error %v", err)
	}
}

var errDisk = errors.New("no disk")

type failsLater struct {
	onDisk
	mu   sync.Mutex
	left int
}

func (s *failsLater) Block(i int, b elbo.Batch) (int, error) {
	s.mu.Lock()
	s.left--
	gone := s.left < 0
	s.mu.Unlock()
	if gone {
		return 0, errDisk
	}
	return s.onDisk.Block(i, b)
}

// By hand: what rows in memory and windows take.
func TestMemoryOfAStream(t *testing.T) {
	for _, c := range []struct {
		memory int64
		d      int
		want   int
	}{{0, 10, 1 << 25}, {1 << 30, 10, 1118480}, {1 << 28, 10, 279620}, {1 << 20, 10, 1 << 20}, {1 << 40, 10, 1 << 25}} {
		got := Recipe{}.mostCoordinates(c.memory, c.d)
		if c.want != 1<<25 && c.want != 1<<20 {
			got /= c.d
		}
		if got < c.want*999/1000 || got > c.want*1001/1000 {
			t.Errorf("%d bytes, %d inputs: %d, want %d", c.memory, c.d, got, c.want)
		}
	}
	s := stream{Rows: descent.Rows{Inputs: 10, Source: sized{20_000_000, 5957}}, memory: 1 << 28}
	for fits, want := range map[int]int{1: 64, 4: 27, 100: 8} {
		if got := s.windowBlocks(fits); got != want {
			t.Errorf("%d fits have windows of %d blocks, want %d", fits, got, want)
		}
	}
	s.memory = 0
	if s.windowBlocks(4) != 0 {
		t.Error("a limit without memory")
	}
}

// Steps and batches: each row has its turn as far as the effort's time goes, batches
// grow before steps do, and a budget has fewer steps.
func TestPassOfAStream(t *testing.T) {
	s := structure{Components: []component{{Kind: coarse.Kind, Nodes: 6, Orderings: 10, Amplitude: 1}}}
	p := plan{figures: figures{streamed: 1e4}, choices: choices{memberBatch: 128, steps: 1000, seconds: 1e6}, distinct: []int{64, 64}, unshortened: 1000}
	for _, c := range []struct{ rows, steps, batch int }{
		{1000, 1000, 128}, {128_000, 1000, 128}, {512_000, 1000, 512}, {8_000_000, 7813, mostBatch},
	} {
		steps, batch := p.pass(s, &stream{Rows: descent.Rows{Inputs: 2, Source: sized{c.rows, 4096}}})
		if batch != c.batch || steps < c.steps || steps > c.steps+50 {
			t.Errorf("%d rows: %d steps of %d, want %d of %d", c.rows, steps, batch, c.steps, c.batch)
		}
		if steps*batch < c.rows {
			t.Errorf("%d rows, %d steps of %d", c.rows, steps, batch)
		}
	}
	p.streamed = 231_481.5 * p.memberCost(mostBatch).step(s) / mostBatch / 1e9 // seconds of so many rows
	if steps, batch := p.pass(s, &stream{Rows: descent.Rows{Inputs: 2, Source: sized{8_000_000, 4096}}}); steps != 1000 || batch != 232 {
		t.Errorf("%d steps of %d where the time does not reach", steps, batch)
	}
	p.steps = 250
	if steps, _ := p.pass(s, &stream{Rows: descent.Rows{Inputs: 2, Source: sized{8_000_000, 4096}}}); steps != 250 {
		t.Errorf("%d steps where a budget leaves a quarter", steps)
	}
}
