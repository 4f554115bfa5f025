package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"beziergp/box"
	"beziergp/internal/simd"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/server/engine"
)

const (
	process = "../../model/testdata/format4.bgp"
	other   = "../../rival/testdata/format1.bgp"
)

func load(t testing.TB, path string) serve.Model {
	t.Helper()
	m, err := serve.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func start(t testing.TB, o engine.Options) *engine.Engine {
	t.Helper()
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// rows returns rows within and beyond the box, some with missing values.
func rows(m serve.Model, n int, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	columns := make([][]float64, len(m.Columns()))
	for k, f := range m.Columns() {
		lo, hi := 0.0, 1.0
		for _, in := range m.Inputs() {
			if in.Source() == f.Name && in.Part == "" {
				lo, hi = in.Lo, in.Hi
			}
		}
		for range n {
			v := lo + (hi-lo)*(1.2*rng.Float64()-0.1)
			switch {
			case rng.IntN(8) == 0:
				v = math.NaN()
			case f.Levels != nil:
				v = float64(rng.IntN(f.Other() + 1))
			}
			columns[k] = append(columns[k], v)
		}
	}
	return columns
}

func sub(columns [][]float64, from, to int) [][]float64 {
	part := make([][]float64, len(columns))
	for k := range columns {
		part[k] = columns[k][from:to]
	}
	return part
}

// Predictions have the bits of the library's, whoever else asks, and however rows are shared
// out to tiles and lanes.
func TestPredictionsHaveTheLibrarysBits(t *testing.T) {
	for _, path := range []string{process, other} {
		for _, o := range []model.PredictOptions{{Policy: box.Clip}, {Policy: box.Flag, Level: 0.8}, {Policy: box.Clip, Point: model.MedianPoint}} {
			m := load(t, path)
			const n = 300
			columns := rows(m, n, 7)
			p, err := m.NewPredictor(o)
			if err != nil {
				t.Fatal(err)
			}
			var want model.Predictions
			if err := p.Predict(context.Background(), columns, &want); err != nil {
				t.Fatal(err)
			}
			p.Close()
			for _, lanes := range []engine.Options{{Lanes: 1, Tile: 1}, {Lanes: 3, Tile: 7}, {Lanes: 2, Tile: 128}, {}} {
				e, served := start(t, lanes), engine.NewModel(m, nil)
				var wait sync.WaitGroup
				rng := rand.New(rand.NewPCG(3, 4))
				for next := 0; next < n; {
					from, to := next, min(n, next+1+rng.IntN(1+rng.IntN(40)))
					next = to
					wait.Go(func() {
						a, err := e.Predict(context.Background(), served, o, sub(columns, from, to), engine.Extra{Quantiles: []float64{0.1, 0.75}})
						if err != nil {
							t.Errorf("rows %d to %d: %v", from, to, err)
							return
						}
						q := make([]float64, to-from)
						for i := range q {
							q[i] = math.NaN()
							if !math.IsNaN(want.Location[from+i]) {
								q[i] = want.Distribution(from + i).Quantile(0.75)
							}
						}
						for name, c := range map[string][2][]float64{"mean": {a.Mean, want.Mean[from:to]}, "point": {a.Point, want.Point[from:to]},
							"std": {a.Std, want.Std[from:to]}, "std_f": {a.StdF, want.StdF[from:to]}, "lower": {a.Lower, want.Lower[from:to]},
							"upper": {a.Upper, want.Upper[from:to]}, "q0.75": {a.Quantiles[1], q}} {
							if !slices.EqualFunc(c[0], c[1], func(a, b float64) bool {
								return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
							}) {
								t.Errorf("%s %+v %+v: rows %d to %d: %s is %v, want %v", path, o, lanes, from, to, name, c[0], c[1])
							}
						}
						if !slices.Equal(a.InBox, want.InBox[from:to]) {
							t.Errorf("in_box differs")
						}
					})
				}
				wait.Wait()
				if tasks, left := e.Waiting(); tasks != 0 || left != 0 {
					t.Errorf("%d tasks, %d rows wait in the end", tasks, left)
				}
			}
		}
	}
}

// held is a model whose predictions wait until they may go on.
type held struct {
	serve.Model
	began chan int // rows of a batch, as it begins
	goOn  chan struct{}
	fails func(columns [][]float64) error // may panic
}

type heldEvaluator struct{ *held }

func (h *held) NewPredictor(o model.PredictOptions) (*model.Predictor, error) {
	b := box.New(h.Inputs())
	return model.NewPredictor(model.Kind{Box: &b, Target: h.Target(), Policy: box.Clip,
		NewEvaluator: func(model.PredictOptions, *simd.Pool) (model.Evaluator, error) { return heldEvaluator{h}, nil }}, o)
}

func (h heldEvaluator) Evaluate(_ context.Context, columns [][]float64, _ []int, out *model.Predictions) error {
	h.began <- len(columns[0])
	<-h.goOn
	for i := range out.InBox {
		out.InBox[i], out.Location[i], out.Scale[i], out.StdF[i] = true, columns[0][i], 1, 0
	}
	out.Density = nil
	return h.fails(columns)
}

func hold(t *testing.T) *held {
	return &held{load(t, process), make(chan int, 1000), make(chan struct{}), func([][]float64) error { return nil }}
}

// ask asks for rows whose first value is v, and sends what comes of it.
func ask(ctx context.Context, e *engine.Engine, m *engine.Model, n int, v float64) <-chan error {
	columns := make([][]float64, len(m.Columns()))
	for k := range columns {
		columns[k] = slices.Repeat([]float64{v}, n)
	}
	result := make(chan error, 1)
	go func() {
		a, err := e.Predict(ctx, m, model.PredictOptions{}, columns, engine.Extra{})
		if err == nil && (len(a.Mean) != n || v < 6 && (a.Mean[0] != v || a.Mean[n-1] != v)) {
			err = fmt.Errorf("rows of %g are predicted as %v", v, a.Mean)
		}
		result <- err
	}()
	return result
}

func await(t *testing.T, e *engine.Engine, tasks int) {
	t.Helper()
	for range 2000 {
		if n, _ := e.Waiting(); n == tasks {
			return
		}
		time.Sleep(time.Millisecond)
	}
	n, rows := e.Waiting()
	t.Fatalf("%d tasks with %d rows wait, want %d", n, rows, tasks)
}

// Who waits joins the next tile; who is alone does not wait.
func TestWaitingRowsAreJoined(t *testing.T) {
	h := hold(t)
	m, e := engine.NewModel(h, nil), start(t, engine.Options{Lanes: 1, Tile: 10})
	ctx := context.Background()
	results := []<-chan error{ask(ctx, e, m, 1, 1)}
	if n := <-h.began; n != 1 {
		t.Fatalf("the first tile has %d rows", n)
	}
	for i := range 8 {
		results = append(results, ask(ctx, e, m, 2, float64(2+i)/10))
	}
	await(t, e, 8)
	close(h.goOn)
	if a, b := <-h.began, <-h.began; a != 10 || b != 6 {
		t.Errorf("16 rows that wait are predicted as %d and %d", a, b)
	}
	for _, r := range results {
		if err := <-r; err != nil {
			t.Error(err)
		}
	}
}

// A caller with many rows does not keep others from having theirs predicted.
func TestManyRowsLetOthersIn(t *testing.T) {
	h := hold(t)
	m, e := engine.NewModel(h, nil), start(t, engine.Options{Lanes: 1, Tile: 10})
	many := ask(context.Background(), e, m, 95, 1)
	<-h.began
	few := ask(context.Background(), e, m, 1, 2)
	await(t, e, 2)
	for range 3 {
		h.goOn <- struct{}{}
		<-h.began
	}
	select {
	case err := <-few:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("one row waits for all of another caller's")
	}
	close(h.goOn)
	if err := <-many; err != nil {
		t.Error(err)
	}
}

// What waits is bounded, and who is turned away is told for how long.
func TestQueueIsBounded(t *testing.T) {
	h := hold(t)
	m, e := engine.NewModel(h, nil), start(t, engine.Options{Lanes: 1, Tile: 10, QueueRows: 30, QueueTasks: 3})
	results := []<-chan error{ask(context.Background(), e, m, 1, 1)}
	<-h.began
	results = append(results, ask(context.Background(), e, m, 15, 2))
	await(t, e, 1)
	var busy *engine.BusyError
	if err := <-ask(context.Background(), e, m, 16, 3); !errors.As(err, &busy) || busy.Rows != 15 || busy.After < time.Second || busy.After > 30*time.Second {
		t.Errorf("too many rows: %v", err)
	}
	if err := e.Check(); err != nil {
		t.Errorf("with room: %v", err)
	}
	results = append(results, ask(context.Background(), e, m, 1, 4), ask(context.Background(), e, m, 1, 5))
	await(t, e, 3)
	if err := <-ask(context.Background(), e, m, 1, 6); !errors.As(err, &busy) {
		t.Errorf("too many tasks: %v", err)
	}
	if err := e.Check(); !errors.As(err, &busy) {
		t.Errorf("without room: %v", err)
	}
	close(h.goOn)
	for _, r := range results {
		if err := <-r; err != nil {
			t.Error(err)
		}
	}
	if err := <-ask(context.Background(), e, m, 50, 5); err != nil {
		t.Errorf("many rows of one who is alone: %v", err)
	}
}

// Who gives up is not waited for, and leaves no rows behind.
func TestDeadlines(t *testing.T) {
	h := hold(t)
	m, e := engine.NewModel(h, nil), start(t, engine.Options{Lanes: 1, Tile: 10})
	first := ask(context.Background(), e, m, 1, 1)
	<-h.began
	ctx, cancel := context.WithCancel(context.Background())
	second := ask(ctx, e, m, 95, 2)
	third := ask(context.Background(), e, m, 1, 3)
	await(t, e, 2)
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if tasks, rows := e.Waiting(); tasks != 1 || rows != 1 {
		t.Errorf("%d tasks, %d rows are left", tasks, rows)
	}
	close(h.goOn)
	if a, b := <-first, <-third; a != nil || b != nil {
		t.Error(a, b)
	}
	if err := <-ask(ctx, e, m, 1, 4); !errors.Is(err, context.Canceled) {
		t.Errorf("given up before: %v", err)
	}
}

// A row that fails, or on which the code panics, fails for the caller who sent it alone.
func TestFailuresAreTheCallersOwn(t *testing.T) {
	h := hold(t)
	h.fails = func(columns [][]float64) error {
		for i, v := range columns[0] {
			switch v {
			case 13:
				return &model.RowError{Row: i + 1, Err: errors.New("unlucky")}
			case 666:
				panic("devil")
			}
		}
		return nil
	}
	m, e := engine.NewModel(h, nil), start(t, engine.Options{Lanes: 1, Tile: 10})
	first := ask(context.Background(), e, m, 1, 1)
	<-h.began
	good, bad, worse, last := ask(context.Background(), e, m, 2, 2), ask(context.Background(), e, m, 3, 13), ask(context.Background(), e, m, 2, 666), ask(context.Background(), e, m, 3, 3)
	await(t, e, 4)
	close(h.goOn)
	for _, r := range []<-chan error{first, good, last} {
		if err := <-r; err != nil {
			t.Error(err)
		}
	}
	var row *model.RowError
	if err := <-bad; !errors.As(err, &row) || row.Row != 1 {
		t.Errorf("a bad row: %v", err)
	}
	var panicked *engine.PanicError
	if err := <-worse; !errors.As(err, &panicked) || panicked.Value != "devil" || !strings.Contains(string(panicked.Stack), "Evaluate") {
		t.Errorf("a panic: %v", err)
	}
}

// The row of an error is counted in the caller's rows.
func TestRowOfAnError(t *testing.T) {
	m := engine.NewModel(load(t, process), nil)
	e := start(t, engine.Options{Lanes: 1, Tile: 8})
	columns := rows(m, 30, 1)
	for k, f := range m.Columns() {
		for _, in := range m.Inputs() {
			if in.Source() == f.Name && (in.Part == "" || in.Part == box.Time) {
				lo := in.Lo
				if in.Part == box.Time { // in days
					lo *= 24 * 60 * 60
				}
				columns[k] = slices.Repeat([]float64{lo}, 30)
			}
		}
	}
	columns[0][20] = 1e9
	_, err := e.Predict(context.Background(), m, model.PredictOptions{Policy: box.Refuse}, columns, engine.Extra{})
	var outside box.RowError
	if !errors.As(err, &outside) || outside.At().Row != 21 {
		t.Errorf("row 21 is outside: %v", err)
	}
}

func TestRunTakesALane(t *testing.T) {
	e := start(t, engine.Options{Lanes: 1})
	if err := e.Run(context.Background(), 5, func() error { return errors.New("mine") }); err == nil || err.Error() != "mine" {
		t.Error(err)
	}
	var panicked *engine.PanicError
	if err := e.Run(context.Background(), 5, func() error { panic(1) }); !errors.As(err, &panicked) {
		t.Error(err)
	}
}

func TestProbe(t *testing.T) {
	if err := engine.NewModel(load(t, process), nil).Probe(model.PredictOptions{Policy: box.Clip}); err != nil {
		t.Error(err)
	}
	h := hold(t)
	close(h.goOn)
	h.fails = func([][]float64) error { panic("no") }
	if err := engine.NewModel(h, nil).Probe(model.PredictOptions{}); err == nil || !strings.Contains(err.Error(), "panic") {
		t.Errorf("a model that panics: %v", err)
	}
	h.fails = func([][]float64) error { return nil }
	if err := engine.NewModel(h, nil).Probe(model.PredictOptions{}); err == nil {
		t.Error("a model that predicts no number passes")
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []engine.Options{{Lanes: -1}, {Lanes: 1 << 20}, {Tile: -1}, {QueueRows: -1}, {QueueTasks: -1}, {QueueTime: -1}} {
		if _, err := engine.New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// Levels are the clients' choice: no more predictors are kept than a few.
func BenchmarkManyLevels(b *testing.B) {
	m, e := engine.NewModel(load(b, process), nil), start(b, engine.Options{})
	columns := rows(m, 1, 1)
	for i := 0; b.Loop(); i++ {
		if _, err := e.Predict(context.Background(), m, model.PredictOptions{Policy: box.Clip, Level: 0.5 + float64(i%1000)/3000}, columns, engine.Extra{}); err != nil {
			b.Fatal(err)
		}
	}
}
