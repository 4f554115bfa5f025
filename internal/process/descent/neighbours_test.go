package descent

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// manyTimes is a sum of a component of steps of a time of many values and one of splines of it,
// with a second input, and rows of a function of which every value has a part of its own.
func manyTimes(t *testing.T, values, each int) (*surface.Surface, Rows) {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 9))
	rows := Rows{Inputs: 2, Batch: elbo.Batch{Outputs: 1}}
	for v := range values {
		own := rng.NormFloat64()
		for range each {
			x := rng.Float32()
			rows.X = append(rows.X, (float32(v)+0.5)/float32(values), x)
			rows.Y = append(rows.Y, float32(own*float64(x)))
		}
	}
	times := make([]float32, 0, rows.Len())
	for j := range rows.Len() {
		times = append(times, rows.Row(j)[0])
	}
	spline, err := basis.NewSpline(8)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := basis.NewSteps(2 * values)
	if err != nil {
		t.Fatal(err)
	}
	many, err := basis.AverageOver(steps, times)
	if err != nil {
		t.Fatal(err)
	}
	var groups []surface.Group
	for _, bases := range [][]basis.Basis{{spline, spline}, {many, spline}} {
		widths := []int{bases[0].Nodes(), bases[1].Nodes()}
		e, err := buttress.New(widths, surface.Supports(bases), [][]int{{0, 1}, {1, 0}, {0, 1}, {1, 0}})
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, surface.Group{Bases: bases, Ensemble: e, Part: surface.MeanOnly})
	}
	s, err := surface.New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	return s, rows
}

// Very many steps have slots for those of a mini-batch, whose slots they find by the coordinate,
// which stays as it is for the other groups; the result does not depend on the workers, and
// learns what a value has of its own.
func TestVeryManySteps(t *testing.T) {
	const values = 700
	s, rows := manyTimes(t, values, 12)
	var ends [][]float32
	var last float64
	for _, workers := range []int{1, 2} {
		pool := simd.NewPool(workers)
		params := make([]float32, s.Size())
		rng := rand.New(rand.NewPCG(3, 3))
		for g, at := 0, 0; g < s.Groups(); g++ {
			n := s.Group(g).Size()
			Start(s.Group(g), params[at:at+n], 0.3, 0.05, rng)
			at += n
		}
		o := Descent{Loss: squared, Steps: 3000, Batch: 64, Rate: 0.02, Smoothness: 0.001, Seed: 1, Step: func(loss float64) { last = loss }}
		data := rows.Only(upTo(rows.Len()))
		if err := o.Run(context.Background(), s, data, params, pool); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, params)
		pool.Close()
	}
	if !slices.Equal(ends[0], ends[1]) {
		t.Error("two workers train another surface than one")
	}
	if !(last < 0.03) { // of ½ E y² = 1/6
		t.Errorf("the loss is %.3f", last)
	}
}

// The penalty of a move pulls a step to its nearest neighbours that have rows, and those without
// rows end halfway between theirs.
func TestNeighboursOfSteps(t *testing.T) {
	steps, err := basis.NewSteps(6)
	if err != nil {
		t.Fatal(err)
	}
	c := &category{all: []level{{share: 0.5}, {}, {share: 0.3}, {}, {share: 0.2}, {}}, slots: 3}
	c.steps, c.find = newNeighbours(c.all), steps.Interval
	if !slices.Equal(c.steps.before, []int32{-1, 0, 0, 2, 2, 4}) || !slices.Equal(c.steps.next, []int32{2, 2, 4, 4, -1, -1}) {
		t.Fatalf("neighbours %v and %v", c.steps.before, c.steps.next)
	}
	const n = 2
	l := c.add(&lines{category: c, nodes: n, whole: view{0, n, 1}, here: view{0, n, 1}, weights: make([]float32, 6*n), step: simd.LineStep{Edges: simd.Edges(n, false)}})
	for i := range l.weights {
		l.weights[i] = float32(i * i)
	}
	c.start()
	w := slices.Clone(l.weights)
	c.levels, c.own = []int32{2, 0, 4}, []simd.LineShare{{Due: 0.5, Correction: 1}, {Due: 2, Correction: 1}, {Due: 3, Correction: 1}}
	gradient := make([]float32, 3*n)
	l.step.Center = []float32{7, 8}
	for _, chunk := range [][2]int{{0, 1}, {1, 3}} { // whose gradients begin with the chunk's first
		l.step.Gradient = gradient[chunk[0]*n:]
		l.smooth(chunk[0], chunk[1])
	}
	at := func(level, i int) float64 { return float64(w[level*n+i]) }
	for i := range n {
		// With what the step itself adds, due (w − center), it is the penalty's slope.
		if got, want := float64(gradient[i])+0.5*(at(2, i)-float64(l.step.Center[i])), 0.5*(2*at(2, i)-at(0, i)-at(4, i)); math.Abs(got-want) > 1e-4 {
			t.Errorf("slope %g, want %g", got, want)
		}
		if got, want := float64(gradient[n+i])+2*(at(0, i)-float64(l.step.Center[i])), 2*(at(0, i)-at(2, i)); math.Abs(got-want) > 1e-4 {
			t.Errorf("slope of the first %g, want %g", got, want)
		}
		if got, want := float64(gradient[2*n+i])+3*(at(4, i)-float64(l.step.Center[i])), 3*(at(4, i)-at(2, i)); math.Abs(got-want) > 1e-4 {
			t.Errorf("slope of the last %g, want %g", got, want)
		}
	}
	l.end()
	for i := range n {
		for _, want := range []struct {
			level int
			w     float64
		}{{0, at(0, i)}, {1, (at(0, i) + at(2, i)) / 2}, {2, at(2, i)}, {3, (at(2, i) + at(4, i)) / 2}, {4, at(4, i)}, {5, at(4, i)}} {
			if got := float64(l.weights[want.level*n+i]); got != want.w {
				t.Errorf("step %d ends at %g, want %g", want.level, got, want.w)
			}
		}
	}
}

// The slot of a step is found by its coordinate, and that of a missing one is the last, in columns of all slots; values side by
// side are none there.
func TestBasisOfSlots(t *testing.T) {
	steps, err := basis.NewSteps(6)
	if err != nil {
		t.Fatal(err)
	}
	c := newCategory(0, steps, 4)
	c.steps, c.find = newNeighbours(c.all), steps.Interval
	c.start()
	x := []float32{0.99, float32(math.NaN()), 0.1, 0.95} // steps 5, none, 0, 5
	c.take(1, 1, 0, elbo.Batch{X: slices.Clone(x), Y: make([]float32, 4)})
	slots, err := basis.NewIndicator(c.slots)
	if err != nil {
		t.Fatal(err)
	}
	b, want := slotBasis{slots, c}, []int{0, 4, 1, 0}
	const ld, slot = 6, 3
	columns, values, first := slices.Repeat([]float32{9}, c.slots*ld), slices.Repeat([]float32{9}, len(x)*slot), make([]int32, len(x))
	b.Values(columns, x, len(x), ld)
	b.LocalValues(first, values, x, len(x), slot)
	for p, own := range want {
		local := []float32{1, 0, 0}
		if own == c.slots-1 {
			local, own = []float32{0, 0, 0}, 0
		}
		if int(first[p]) != own || !slices.Equal(values[p*slot:][:slot], local) {
			t.Errorf("point %d: %v from slot %d on, want %v from slot %d on", p, values[p*slot:][:slot], first[p], local, own)
		}
	}
	for at, v := range columns {
		wanted := float32(9) // beyond the points
		if p := at % ld; p < len(x) {
			wanted = 0
			if want[p] == at/ld {
				wanted = 1
			}
		}
		if v != wanted {
			t.Errorf("slot %d of point %d: %g, want %g", at/ld, at%ld, v, wanted)
		}
	}
}

// Slots are for categories of more than four times as many levels as a mini-batch has rows, once in
// all groups, and for more steps than are moved together.
func TestWhichInputsHaveSlots(t *testing.T) {
	const batch = 3
	indicator := func(n int) basis.Basis {
		b, err := basis.NewIndicator(n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	steps := func(n int) basis.Basis {
		b, err := basis.NewSteps(n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var groups []surface.Group
	for _, bases := range [][]basis.Basis{
		{indicator(2 * ManySteps), indicator(manyLevels * batch), indicator(manyLevels*batch + 1), steps(ManySteps)},
		{indicator(2 * ManySteps), indicator(manyLevels * batch), indicator(manyLevels*batch + 1), steps(ManySteps + 1)},
	} {
		var widths []int
		for _, b := range bases {
			widths = append(widths, b.Nodes())
		}
		e, err := buttress.New(widths, surface.Supports(bases), [][]int{{0, 1, 2, 3}})
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, surface.Group{Bases: bases, Ensemble: e, Part: surface.MeanOnly})
	}
	s, err := surface.New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	all, byGroup := categories(s, batch)
	levels, more, many := byGroup[0][0], byGroup[0][2], byGroup[1][3]
	if levels == nil || more == nil || many == nil || levels.steps != nil || more.steps != nil || many.steps == nil {
		t.Fatalf("slots %v", byGroup)
	}
	if !slices.Equal(all, []*category{levels, more, many}) {
		t.Errorf("%d inputs have slots, want 3", len(all))
	}
	for g, want := range [][]*category{{levels, nil, more, nil}, {levels, nil, more, many}} {
		if !slices.Equal(byGroup[g], want) {
			t.Errorf("group %d: %v, want %v", g, byGroup[g], want)
		}
	}
}
