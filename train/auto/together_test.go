package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/model"
	"beziergp/train"
)

// Rows of a group are in one fold, and every row is in one, whatever the copies; folds are
// about equally large, and a seed draws its own.
func TestGroupsStayTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n, groups := 50+rng.IntN(500), 2+rng.IntN(40)
		data := newDataset(fixture(t, n).Rows(), train.Split{}, fixture(t, 0).Bases, nil, nil)
		for range n {
			data.keys.Groups = append(data.keys.Groups, rng.IntN(groups))
		}
		folds := data.split(upTo(n), 4, 3).folds
		wantAll(t, folds, n)
		if len(folds) != min(4, differing(data.keys.Groups)) {
			t.Errorf("%d folds of %d groups", len(folds), groups)
		}
		fold := map[int]int{}
		for k, own := range folds {
			for _, j := range own {
				if at, seen := fold[data.keys.Groups[j]]; seen && at != k {
					t.Fatalf("group %d is in folds %d and %d", data.keys.Groups[j], at, k)
				}
				fold[data.keys.Groups[j]] = k
			}
		}
	}
}

func differing(of []int) int { return len(slices.Compact(slices.Sorted(slices.Values(of)))) }

func wantAll(t *testing.T, folds [][]int, n int) {
	t.Helper()
	if all := slices.Sorted(slices.Values(slices.Concat(folds...))); !slices.Equal(all, upTo(n)) {
		t.Fatalf("folds have rows %v", all)
	}
}

// Along time a fold is whole stretches, sixteen at least where there are so many times, and
// rows of one time are never apart.
func TestTimesStayTogether(t *testing.T) {
	for times, stretch := range map[int]int{2: 2, 3: 3, 7: 4, 40: 16, 900: 16} {
		data := newDataset(fixture(t, 900).Rows(), train.Split{}, fixture(t, 0).Bases, nil, nil)
		for j := range 900 {
			data.keys.Times = append(data.keys.Times, float64(j%times))
		}
		folds := data.split(upTo(900), 4, 3).folds
		wantAll(t, folds, 900)
		fold := make([]int, times)
		for k, own := range folds {
			for _, j := range own {
				fold[j%times] = k + 1
			}
		}
		for k, own := range folds {
			for _, j := range own {
				if fold[j%times] != k+1 {
					t.Fatalf("%d times: time %d is in folds %d and %d", times, j%times, k, fold[j%times]-1)
				}
			}
		}
		changes := 1
		for i := 1; i < times; i++ {
			if fold[i] != fold[i-1] {
				changes++
			}
		}
		if changes > stretch || changes < min(times, stretch/2) {
			t.Errorf("%d times are cut %d times, for %d stretches", times, changes, stretch)
		}
		if first := folds[0][:10]; slices.IsSortedFunc(first, func(a, b int) int { return a%times - b%times }) && times > 4 {
			t.Errorf("%d times: the first rows of a fold are no sample of it: %v", times, first)
		}
	}
}

// Marked rows are the one fold, and no fit learns from them, not even the last one.
func TestMarkedRowsAreHeldOut(t *testing.T) {
	data := newDataset(fixture(t, 60).Rows(), train.Split{}, fixture(t, 0).Bases, nil, nil)
	data.keys.Held = make([]bool, 60)
	for j := range 20 {
		data.keys.Held[3*j] = true
	}
	p := data.partition(plan{})
	if len(p.folds) != 1 || len(p.folds[0]) != 20 || len(p.without(0)) != 40 || len(p.without(noFold)) != 40 {
		t.Fatalf("%+v", p)
	}
	for _, j := range p.folds[0] {
		if !data.keys.Held[j] || slices.Contains(p.without(0), j) || slices.Contains(p.without(noFold), j) {
			t.Errorf("row %d", j)
		}
	}
}

func TestKeysThatShareNothingOut(t *testing.T) {
	for name, keys := range map[string]train.Split{
		"group": {Groups: make([]int, 9)}, "time": {Times: make([]float64, 9)}, "none": {Held: make([]bool, 9)},
		"all": {Held: slices.Repeat([]bool{true}, 9)},
	} {
		if checkKeys(keys) == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
	if err := checkKeys(train.Split{Groups: []int{0, 1}, Held: []bool{false, true, false}}); err != nil {
		t.Error(err)
	}
}

// Members do not depend on the targets of marked rows, which the average of all members
// predicts; errors do.
func TestMembersDoNotLearnFromMarkedRows(t *testing.T) {
	given := fixture(t, 90)
	given.Split.Held = make([]bool, 90)
	for j := range 30 {
		given.Split.Held[3*j] = true
	}
	data, p, w := prepared(given, 1)
	defer w.pool.Close()
	p.steps = fewestSteps
	fit := func() (*ensemble, *model.Auxiliary) {
		folds := data.partition(p)
		e, err := fitEnsemble(context.Background(), w, p, data, folds, []structure{{train.ByRanks, p.sums[0], 1}})
		if err != nil {
			t.Fatal(err)
		}
		v, err := fitEpistemic(context.Background(), w, p, data, folds, len(e.folds))
		if err != nil {
			t.Fatal(err)
		}
		return e, v.model
	}
	before, variance := fit()
	if len(before.members) != p.members+p.replicates || before.replicates != nil || len(before.rows()) != 30 {
		t.Fatalf("%d members, %d rows of replicates, %d with errors", len(before.members), len(before.replicates), len(before.rows()))
	}
	rows := before.rows()
	for i, j := range rows {
		mean := 0.0
		for _, m := range before.members {
			own, err := m.predict(context.Background(), w, data, rows[i:i+1])
			if err != nil {
				t.Fatal(err)
			}
			mean += own[0] / float64(len(before.members))
		}
		if math.Abs(mean-before.outOfFold[j]) > 1e-6 {
			t.Fatalf("row %d is predicted as %g, by the members as %g", j, before.outOfFold[j], mean)
		}
	}
	errors := before.meanDeviance(rows)
	for _, j := range rows {
		data.Y[j]++
	}
	after, same := fit()
	for k, m := range after.members {
		if !slices.Equal(m.params, before.members[k].params) {
			t.Errorf("member %d has learned from marked rows", k)
		}
	}
	if !slices.Equal(variance.Surface.Params(), same.Surface.Params()) {
		t.Error("Var f has learned from marked rows")
	}
	if now := after.meanDeviance(rows); math.Abs(now-errors) < 0.01*errors {
		t.Error("errors are not those at marked rows")
	}
}

// Where folds are whole groups two members are compared at rows of neither one's fold; at
// random folds at all rows.
func TestMembersAreComparedWhereNoneIsNew(t *testing.T) {
	data := newDataset(fixture(t, 6).Rows(), train.Split{}, fixture(t, 0).Bases, nil, nil)
	e := newEnsemble(data)
	e.folds = [][]int{{0, 1}, {2, 3}}
	if lacks := e.lacks(data); lacks(0, [2]int{0, 0}) {
		t.Error("a random fold is taken for a group")
	}
	data.keys.Groups = []int{0, 0, 1, 1, 2, 2}
	lacks := e.lacks(data)
	for _, c := range []struct {
		member int
		rows   [2]int
		want   bool
	}{{0, [2]int{0, 4}, true}, {0, [2]int{4, 1}, true}, {0, [2]int{2, 4}, false}, {1, [2]int{2, 4}, true}, {2, [2]int{5, 0}, true}, {2, [2]int{3, 5}, false}} {
		if got := lacks(c.member, c.rows); got != c.want {
			t.Errorf("member %d at rows %v: %v", c.member, c.rows, got)
		}
	}
}

// A few thousand rows in groups have a member for every fold, and several folds choose.
func TestPlanOfGroups(t *testing.T) {
	for _, rows := range []int{300, 3000} {
		given := fixture(t, rows)
		_, plain, w := prepared(given, 1)
		w.pool.Close()
		for j := range rows {
			given.Split.Groups = append(given.Split.Groups, j%50)
		}
		_, p, w := prepared(given, 1)
		w.pool.Close()
		if factor := p.ofFewGroups(); plain.ofFewGroups() != 1 || math.Abs(factor-51./50*49/47) > 1e-15 {
			t.Errorf("fifty groups widen by %g, and none by %g", factor, plain.ofFewGroups())
		}
		if p.members != p.folds || p.held < 3 || p.folds != plain.folds || rows > fewRows && plain.held != 1 {
			t.Errorf("%d rows: %d folds, %d members, %d choose; without groups %d, %d, %d", rows, p.folds, p.members, p.held, plain.folds, plain.members, plain.held)
		}
	}
}

// The noise that calibration finds is that of rows, and widened for what few groups tell.
func TestNoiseOfFewGroups(t *testing.T) {
	data, p, w := prepared(fixture(t, 300), 1)
	w.pool.Close()
	e := &ensemble{data: data, folds: [][]int{make([]int, 300)}, outOfFold: make([]float64, 300)}
	for j := range e.folds[0] {
		e.folds[0][j] = j
	}
	n, v := noise{constant: 1, outOfFold: make([]float64, 300)}, epistemic{outOfFold: make([]float64, 300)}
	of := func(groups int) float64 {
		p.groups = groups
		return calibrate(workersOf(t, 2), p, e, n, v).Noise
	}
	if few, none := of(20), of(0); math.Abs(few/none-21./20*19/17) > 1e-12 {
		t.Errorf("noise %g of twenty groups, %g of rows", few, none)
	}
}
