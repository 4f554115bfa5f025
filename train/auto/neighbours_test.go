package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/train"
)

// hidden is rows of a day of 40, an hour of 24 and a number, in one order of these or
// another, whose target is a number of its own for every day and hour with noise: nothing
// that few nodes can follow.
func hidden(t testing.TB, n int, signal float64) train.Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	level := make([]float64, 40*24)
	for i := range level {
		level[i] = signal * rng.NormFloat64()
	}
	columns := make([][]float64, 3)
	var d train.Data
	for range n {
		day, hour := rng.IntN(40), rng.IntN(24)
		for i, v := range []float64{float64(hour), rng.Float64(), float64(day)} {
			columns[i] = append(columns[i], v)
		}
		d.Y = append(d.Y, float32(level[day*24+hour]+rng.NormFloat64()))
	}
	d.X = make([]float32, 3*n)
	for i, name := range []string{"hour", "x", "day"} {
		in, err := box.RankInput(name, columns[i])
		if err != nil {
			t.Fatal(err)
		}
		b, err := basis.NewBernstein(3)
		if err != nil {
			t.Fatal(err)
		}
		d.Inputs, d.Bases = append(d.Inputs, in), append(d.Bases, b)
		for j, v := range columns[i] {
			d.X[3*j+i] = in.Clip(v)
		}
	}
	return d
}

// byHours are the orders of tests.
var byHours = []foundOrder{{inputs: []int{2, 0}, least: 4}, {inputs: []int{1}, least: 8}}

// What a member learns from and predicts does not depend on the targets of its fold, what it
// learns from of a row not on the row's own, and what later steps have of a row on none of
// its fold.
func TestNeighboursAreHonest(t *testing.T) {
	data := hidden(t, 3000, 1)
	d, p, w := prepared(data, 1)
	defer w.pool.Close()
	for _, keys := range []train.Split{{}, {Held: marks(d.Len())}} {
		d.keys = keys
		folds := d.partition(p)
		with := func(y []float32) *dataset {
			own := *d
			own.Y = y
			all, err := own.withNeighbours(folds, byHours)
			if err != nil {
				t.Fatal(err)
			}
			all.neighbours.inputs = []box.Input{{Name: "a", Lo: -9, Hi: 9}, {Name: "b", Lo: -9, Hi: 9}} // which targets have a part in
			all.X = all.neighbours.join([][]float64{all.neighbours.outOfFold(0), all.neighbours.outOfFold(1)})
			return all
		}
		plain := with(d.Y)
		for _, k := range []int{0, len(folds.folds) - 1} {
			changed := slices.Clone(d.Y)
			for _, j := range folds.folds[k] {
				changed[j] += 3
			}
			other := with(changed)
			if !slices.Equal(other.lacking(k).X, plain.lacking(k).X) {
				t.Errorf("the member without fold %d has means of it", k)
			}
			if slices.Equal(other.lacking(noFold).X, plain.lacking(noFold).X) != (keys.Held != nil) {
				t.Errorf("means over all rows and fold %d", k)
			}
			for _, j := range folds.folds[k] {
				if !slices.Equal(other.Row(j), plain.Row(j)) {
					t.Fatalf("later steps have means of fold %d at its row %d", k, j)
				}
			}
			if reflect.DeepEqual(other.neighbours.tables(), plain.neighbours.tables()) != (keys.Held != nil) {
				t.Errorf("the tables and fold %d", k)
			}
		}
		j := folds.without(0)[17]
		changed := slices.Clone(d.Y)
		changed[j] += 3
		for i, v := range with(changed).lacking(0).Row(j) {
			if math.Abs(float64(v-plain.lacking(0).Row(j)[i])) > 1e-5 {
				t.Errorf("row %d learns from its own target", j)
			}
		}
	}
}

func marks(n int) []bool {
	held := make([]bool, n)
	for j := range held {
		held[j] = j%9 == 0
	}
	return held
}

// On pure noise a member that is given neighbours errs as much as the noise at rows held out.
func TestNeighboursOfNoiseTellNothing(t *testing.T) {
	d, p, w := prepared(hidden(t, 6000, 0), 1)
	defer w.pool.Close()
	folds := d.partition(p)
	with, err := d.withNeighbours(folds, byHours)
	if err != nil {
		t.Fatal(err)
	}
	own := with.lacking(0)
	rest, held := folds.without(0), folds.held(0)
	s := structure{p.scaling, []component{coarse}, 10}
	m, err := descend(context.Background(), w, own, own.Only(rest), s, descent.Descent{Loss: own.law.Loss, Steps: 400, Batch: 128, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	errorAt := func(rows []int) float64 {
		f, err := m.predict(context.Background(), w, own, rows)
		if err != nil {
			t.Fatal(err)
		}
		var of, about float64
		for i, j := range rows {
			of += square(float64(own.Y[j]) - f[i])
			about += square(float64(own.Y[j]))
		}
		return of / about
	}
	if got := errorAt(held); got < 0.99 || got > 1.1 {
		t.Errorf("squared error at rows held out is %g of the noise", got)
	}
	if got := errorAt(rest); got < 0.93 {
		t.Errorf("squared error at rows that were learned from is %g of the noise", got)
	}
}

// The search finds the columns of a hidden order, and none in noise.
func TestOrdersAreFound(t *testing.T) {
	for _, signal := range []float64{0, 1} {
		d, p, w := prepared(hidden(t, 10_000, signal), 2)
		defer w.pool.Close()
		folds := d.partition(p)
		r := tournament{plan: p, data: d, folds: folds}
		all := []candidate{untried(structure{p.scaling, []component{coarse}, 1})}
		w.progress.follow(p.stages(d))
		if err := r.try(context.Background(), w, 0, all, 0.2); err != nil {
			t.Fatal(err)
		}
		found, err := r.findOrders(context.Background(), w, all[0])
		if err != nil {
			t.Fatal(err)
		}
		if signal == 0 && found != nil {
			t.Errorf("%v in noise", found)
		}
		if signal == 1 && (len(found) != 1 || !slices.Equal(slices.Sorted(slices.Values(found[0].inputs)), []int{0, 2})) {
			t.Errorf("found %v, not the day and the hour", found)
		}
	}
}

// The recipe takes neighbours where they help and tells their tables; the noise has deviation
// one. The model does not depend on the number of workers.
func TestNeighboursAreTakenWhereTheyHelp(t *testing.T) {
	data := hidden(t, 10_000, 1.5)
	fit := func(o Recipe, workers int, split train.Split) *train.Result {
		own := data
		own.Split = split
		o.Effort, o.StepsFactor = Fast, 0.3
		r, err := o.Fit(context.Background(), own, train.Environment{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	with, without := fit(Recipe{neighbours: true}, 1, train.Split{}), fit(Recipe{neighbours: true, Ablation: []Ingredient{Neighbours}}, 1, train.Split{})
	if len(with.Neighbours) != 1 || with.Posterior.Inputs() != 4 || len(with.Inputs) != 3 || without.Neighbours != nil {
		t.Fatalf("%d tables, and %d without", len(with.Neighbours), len(without.Neighbours))
	}
	if with.RMSE > 1.2 || with.RMSE < 1 || without.RMSE < 1.5 {
		t.Errorf("error out of fold %g, and %g without neighbours", with.RMSE, without.RMSE)
	}
	again := fit(Recipe{neighbours: true}, 3, train.Split{})
	if !slices.Equal(again.Posterior.Params(), with.Posterior.Params()) || !reflect.DeepEqual(again.Neighbours, with.Neighbours) {
		t.Error("the result depends on the number of workers")
	}
	// Of a new day, and of one hour of it, no neighbour tells.
	days := make([]int, len(data.Y))
	for j := range days {
		days[j] = int(math.Round(float64(data.X[3*j+2]) * 1000))
	}
	ranks := slices.Compact(slices.Sorted(slices.Values(days)))
	for j, v := range days {
		days[j], _ = slices.BinarySearch(ranks, v)
	}
	if r := fit(Recipe{neighbours: true}, 1, train.Split{Groups: days}); r.Neighbours != nil {
		t.Error("neighbours of the same group are taken for those of new ones")
	}
}
