package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/descent"
	"beziergp/internal/simd"
	"beziergp/train"
)

// twoTargets is additiveData with a second target, which every third row lacks.
func twoTargets(t *testing.T, n int) train.Data {
	data := additiveData(t, n)
	var y []float32
	for j, v := range data.Y {
		other := -v + data.X[4*j+3]
		if j%3 == 0 {
			other = float32(math.NaN())
		}
		y = append(y, v, other)
	}
	data.Y, data.Outputs = y, 2
	return data
}

func jointData(data train.Data) *dataset {
	return newDataset(data.Rows(), data.Split, data.Bases, data.Inputs, newJoint(data.Y, data.Outputs))
}

// The loss of several targets has the slopes and the bend that central differences give, and none where a
// target is lacking. A target far from f counts as much more as it is farther, and no more.
func TestJointLoss(t *testing.T) {
	l := newJoint([]float32{1, 2, 3, 4, 5, 6}, 3)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, y := range [][]float32{{0.3, -1, 2}, {float32(math.NaN()), 1, 0}, {1, float32(math.NaN()), float32(math.NaN())}, {0.5, 80, -1}} {
		f, slope := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}, make([]float64, 3)
		l.Losses(f, y, slope)
		for k := range f {
			const h = 1e-5
			up, down := slices.Clone(f), slices.Clone(f)
			up[k], down[k] = f[k]+h, f[k]-h
			none := make([]float64, 3)
			want := (l.Losses(up, y, none) - l.Losses(down, y, none)) / (2 * h)
			if math.Abs(slope[k]-want) > 1e-7 || y[k] != y[k] && slope[k] != 0 {
				t.Errorf("y %v: slope %d is %g, want %g", y, k, slope[k], want)
			}
			none = make([]float64, 3)
			l.Losses(up, y, none)
			above := none[k]
			l.Losses(down, y, none)
			direction := make([]float64, 3)
			if direction[k] = 2; math.Abs(l.bend(f, y, direction)-4*(above-none[k])/(2*h)) > 1e-7 {
				t.Errorf("y %v: bend along %d is %g, want %g", y, k, l.bend(f, y, direction), 4*(above-none[k])/(2*h))
			}
		}
	}
	f, none := make([]float64, 3), make([]float64, 3)
	near, far := l.Losses(f, []float32{0, 70, 0}, none), l.Losses(f, []float32{0, 80, 0}, none)
	if gain := far - near; math.Abs(gain-10*wild) > 1e-9 {
		t.Errorf("ten deviations more add %g to the loss, want %d", gain, 10*wild)
	}
}

// A process of one output that is learned as one of several is that of one target, but for
// rounding.
func TestJointOfOneTargetIsThatTarget(t *testing.T) {
	data := additiveData(t, 200)
	data.Outputs = 1
	one, p, w := prepared(data, 1)
	joint := jointData(data)
	s := structure{Scaling: train.ByRanks, Components: []component{{Kind: coarse.Kind, Nodes: 3, Orderings: 4, Amplitude: 1}}, Smoothness: 0.1}
	var said [2][]float64
	for k, d := range []*dataset{one, joint} {
		m, err := descend(context.Background(), w, d, d.Only(d.order), s, d.toLearn(descent.Descent{Steps: 60, Batch: 32, Seed: p.seed}))
		if err != nil {
			t.Fatal(err)
		}
		if said[k], err = m.predict(context.Background(), w, d, d.order); err != nil {
			t.Fatal(err)
		}
	}
	for j, v := range said[0] {
		if math.Abs(v-said[1][j]) > 1e-4 {
			t.Fatalf("row %d: %g as one of several, %g alone", j, said[1][j], v)
		}
	}
}

// Members taken apart predict of each output what they do together, and an output's folds have
// the rows that have it.
func TestOutputOfAnEnsemble(t *testing.T) {
	d := jointData(twoTargets(t, 120))
	w := worker{pool: simd.NewPool(1), progress: newProgress(train.Environment{}.WithDefaults(), 0)}
	p, err := Recipe{Effort: Fast, StepsFactor: 0.01}.plan(d, false)
	if err != nil {
		t.Fatal(err)
	}
	w.progress.follow(p.stages(d))
	folds := d.partition(p)
	s := structure{Scaling: train.ByRanks, Components: []component{{Kind: coarse.Kind, Nodes: 3, Orderings: 4, Amplitude: 1}}, Smoothness: 0.1}
	e, err := fitEnsemble(context.Background(), w, p, d, folds, []structure{s})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 2 {
		own, err := e.output(k, d.output(k))
		if err != nil {
			t.Fatal(err)
		}
		for i, fold := range own.folds {
			again, err := own.members[i].predict(context.Background(), w, own.data, fold)
			if err != nil {
				t.Fatal(err)
			}
			for p, j := range fold {
				if !d.known(j, k) {
					t.Fatalf("output %d: row %d is in fold %d and lacks it", k, j, i)
				}
				if math.Abs(again[p]-own.outOfFold[j]) > 1e-4*(1+math.Abs(again[p])) {
					t.Errorf("output %d, row %d: %g alone, %g together", k, j, again[p], own.outOfFold[j])
				}
			}
		}
		if want := map[int]int{0: len(e.rows())}[k]; k == 0 && len(own.rows()) != want || k == 1 && len(own.rows()) >= len(e.rows()) {
			t.Errorf("output %d has %d of %d rows", k, len(own.rows()), len(e.rows()))
		}
		if len(own.replicates) > len(slices.Concat(own.folds[:p.replicates]...)) || k == 0 && len(own.replicates) != len(e.replicates)/2 {
			t.Errorf("output %d has %d replicates of %d rows", k, len(own.replicates), len(own.rows()))
		}
	}
}

// The progress of several fits never falls, and is whole at the end.
func TestProgressOfFits(t *testing.T) {
	last, steps := 0, 0
	env := train.Environment{Progress: func(e train.Event) {
		if e.Step < last {
			t.Errorf("step %d after %d", e.Step, last)
		}
		last, steps = e.Step, e.Steps
	}}.WithDefaults()
	f := newFits(env)
	for left := 2; left > 0; left-- {
		own := f.of(left)
		for step := range 11 {
			own.Progress(train.Event{Step: step, Steps: 10})
		}
		if want := allSteps * (3 - left) / 2; last != want {
			t.Errorf("%d after fit %d, want %d", last, 3-left, want)
		}
	}
	if last != steps {
		t.Errorf("%d of %d at the end", last, steps)
	}
}

// Each output has the candidate that errs least on it, of the trials of most steps.
func TestBestOfEveryOutput(t *testing.T) {
	d := jointData(train.Data{X: []float32{0.1, 0.2, 0.3}, Y: []float32{0, 0, 0, 0, 0, float32(math.NaN())}, Outputs: 2, Bases: fixture(t, 0).Bases[:1]})
	r := tournament{plan: plan{single: &plan{}, outputs: 2}, data: d}
	tried := func(smoothness, deviance float64, of0, of1 float64) candidate {
		e := newEnsemble(d)
		e.add(&outOfFold{held: []float64{of0, of1, of0, of1, of0, 9}}, []int{0, 1, 2}) // where the target lacks it errs by anything
		return candidate{structure: structure{Smoothness: smoothness}, deviance: deviance, ensemble: e}
	}
	want := func(round string, lambda0, lambda1, deviance0, deviance1 float64) {
		t.Helper()
		for k, w := range [][2]float64{{lambda0, deviance0}, {lambda1, deviance1}} {
			if got := r.ofOutput[k]; got.Smoothness != w[0] || math.Abs(got.deviance-w[1]) > 1e-9 {
				t.Errorf("%s: output %d has %g of deviance %g, want %g of %g", round, k, got.Smoothness, got.deviance, w[0], w[1])
			}
		}
	}
	r.compareOutputs([]candidate{tried(1, 5, 1, 2), tried(2, 10, 3, 1)}, 0.1)
	want("first round", 1, 2, 1, 1)
	r.compareOutputs([]candidate{tried(3, 2, 0.5, 1.5)}, 0.1)
	want("further candidates", 3, 2, 0.25, 1)
	r.compareOutputs([]candidate{tried(4, 13, 2, 3), tried(5, math.Inf(1), 0, 0)}, 0.3)
	want("more steps", 4, 4, 4, 9)
}

// All outputs of rows that are marked are predicted by the average of all members.
func TestOutputsOfMarkedRows(t *testing.T) {
	given := twoTargets(t, 90)
	given.Split.Held = make([]bool, 90)
	for j := range 30 {
		given.Split.Held[3*j+1] = true
	}
	d := jointData(given)
	w := worker{pool: simd.NewPool(1), progress: newProgress(train.Environment{}.WithDefaults(), 0)}
	p, err := Recipe{Effort: Fast, StepsFactor: 0.01}.plan(d, false)
	if err != nil {
		t.Fatal(err)
	}
	w.progress.follow(p.stages(d))
	e, err := fitEnsemble(context.Background(), w, p, d, d.partition(p), []structure{{Scaling: train.ByRanks, Components: []component{{Kind: coarse.Kind, Nodes: 3, Orderings: 4, Amplitude: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	rows := e.rows()
	mean := make([]float64, 2*len(rows))
	for _, m := range e.members {
		own, err := m.predict(context.Background(), w, d, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range own {
			mean[i] += v / float64(len(e.members))
		}
	}
	for i, want := range mean {
		if got := e.outOfFold[rows[i/2]*2+i%2]; len(rows) != 30 || math.Abs(got-want) > 1e-6 {
			t.Fatalf("output %d of row %d of %d is %g, of the members %g", i%2, rows[i/2], len(rows), got, want)
		}
	}
	results, err := Recipe{Effort: Fast, StepsFactor: 0.01}.FitOutputs(context.Background(), given, train.Environment{Workers: 1})
	if err != nil || len(results) != 2 || !(results[1].RMSE < 2) {
		t.Errorf("%d results, error %v", len(results), err)
	}
}
