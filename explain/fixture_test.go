package explain_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/box"
	"beziergp/explain"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/model"
	"beziergp/table"
)

// world is a model with random weights, and what an oracle needs of it.
type world struct {
	*model.Model
	inputs []box.Input
	groups []surface.Group
	params []float32
}

// shape chooses a world.
type shape struct {
	d       int  // layers
	dates   int  // date-time columns among these, of three layers each
	splines bool // local ones among the bases
	r       int  // buttresses of a group
	part    surface.Part
	pooled  bool // categories have levels that share a node
}

// newWorld returns one whose target has the mean 100 and the deviation 5.
func newWorld(t testing.TB, s shape, seed uint64) *world {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	w := &world{}
	var bases [2][]basis.Basis
	var widths [2][]int
	add := func(in box.Input, kinds ...basis.Spec) {
		w.inputs = append(w.inputs, in)
		for g, spec := range kinds {
			b, err := basis.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			coordinates := make([]float32, 50)
			for i := range coordinates {
				coordinates[i] = float32(math.Sqrt(rng.Float64()))
				if spec.Kind == basis.KindIndicator {
					coordinates[i] = float32(rng.IntN(spec.Nodes))
				}
			}
			a, err := basis.AverageOver(b, coordinates)
			if err != nil {
				t.Fatal(err)
			}
			bases[g], widths[g] = append(bases[g], a), append(widths[g], b.Nodes())
		}
	}
	wide, narrow := basis.Spec{Kind: basis.KindBernstein, Nodes: 6}, basis.Spec{Kind: basis.KindBernstein, Nodes: 2}
	if s.splines {
		wide, narrow = basis.Spec{Kind: basis.KindSpline, Nodes: 12}, basis.Spec{Kind: basis.KindSpline, Nodes: 24}
	}
	for k := range s.dates {
		name := fmt.Sprintf("date%d", k)
		for _, p := range []box.Input{
			{Part: box.Time, Lo: 18000, Hi: 19000}, {Part: box.Weekday, Lo: 1, Hi: 7}, {Part: box.Hour, Lo: 0, Hi: 23},
		} {
			p.Name, p.Column, p.Kind, p.Missing = name+"."+string(p.Part), name, table.DateTime, true
			add(p, wide, narrow)
		}
	}
	for len(w.inputs) < s.d {
		i := len(w.inputs)
		in := box.Input{Name: fmt.Sprintf("x%d", i), Lo: -1, Hi: 3, Missing: true}
		switch i % 4 {
		case 1:
			in = box.Input{Name: in.Name, Kind: table.Category, Levels: []string{"a", "b", "c"}, Missing: true}
			if s.pooled {
				in.Pooled = box.Pool(in.Name, in.Levels, []string{"y", "z"})
			}
			own := basis.Spec{Kind: basis.KindIndicator, Nodes: in.Nodes()}
			add(in, own, own)
		case 2:
			in.Knots, in.Ranks = []float64{-1, 0, 0.5, 3}, []float64{0, 0.5, 0.6, 1}
			add(in, basis.Spec{Kind: basis.KindBernstein, Nodes: 4}, narrow)
		default:
			add(in, wide, narrow)
		}
	}
	for g := range bases {
		supports := surface.Supports(bases[g])
		e, err := buttress.New(widths[g], supports, buttress.RandomOrderings(s.d, s.r, rng))
		if err != nil {
			t.Fatal(err)
		}
		w.groups = append(w.groups, surface.Group{Bases: bases[g], Ensemble: e, Part: s.part})
	}
	shape, err := surface.New(w.groups...)
	if err != nil {
		t.Fatal(err)
	}
	w.params = make([]float32, shape.Size())
	for i := range w.params {
		w.params[i] = float32(1 + 0.4*rng.NormFloat64())
	}
	for g := range w.groups { // f of about one
		for i, v := range shape.Mean(w.params, g) {
			shape.Mean(w.params, g)[i] = v * float32(math.Pow(1/float64(2*s.r), 1/float64(s.d)))
		}
		for i := range shape.Variance(w.params, g) {
			shape.Variance(w.params, g)[i] = float32(0.3 * rng.NormFloat64())
		}
	}
	q, err := surface.NewPosterior(shape, w.params)
	if err != nil {
		t.Fatal(err)
	}
	w.Model, err = model.New(model.Parts{
		Posterior: q, Inputs: w.inputs, Policy: box.Clip,
		Outputs: []model.Output{{Target: box.Target{Name: "y", Mean: 100, SD: 5}, Noise: 0.04}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// rows draws columns as the model takes them; one value in so many is missing, 0 for none.
func (w *world) rows(n, missing int, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 8))
	var columns [][]float64
	for _, c := range w.Columns() {
		values := make([]float64, n)
		for i := range values {
			switch c.Kind {
			case table.Category:
				values[i] = float64(rng.IntN(len(c.Levels) + c.Pooled.Len()))
				if values[i] > 3 {
					values[i] = 3
				}
			case table.DateTime:
				values[i] = 86400 * (18000 + 1000*rng.Float64())
			default:
				values[i] = -1 + 4*rng.Float64()
			}
			if missing > 0 && rng.IntN(missing) == 0 {
				values[i] = math.NaN()
			}
		}
		columns = append(columns, values)
	}
	return columns
}

// table returns columns as a table.
func (w *world) table(t testing.TB, columns [][]float64) *table.Table {
	t.Helper()
	var all []table.Column
	for i, f := range w.Columns() {
		all = append(all, table.NewColumn(f, columns[i]))
	}
	tab, err := table.New(all...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// mean is E f in the target's units where the columns of set are those of row p of x, and the
// others those of row q of z, unknown where z is nil. It is a plain product of matrices in
// float64.
func (w *world) mean(x [][]float64, p int, z [][]float64, q int, set func(column int) bool) float64 {
	return w.meanAt(x, p, z, q, set, -1, 0)
}

// meanAt is mean with one input at a coordinate in the place of its own; −1 for none.
func (w *world) meanAt(x [][]float64, p int, z [][]float64, q int, set func(column int) bool, input int, t float32) float64 {
	b := box.New(w.inputs)
	var sum float64
	for g, own := range w.groups {
		phi := make([][]float64, len(w.inputs))
		for i := range w.inputs {
			column := b.Column(i)
			v := math.NaN()
			if set(column) {
				v = x[column][p]
			} else if z != nil {
				v = z[column][q]
			}
			if phi[i] = w.functions(g, i, w.inputs[i].Clip(v)); i == input {
				phi[i] = w.functions(g, i, t)
			}
		}
		weights := w.Posterior().Mean(w.params, g)
		for k, ordering := range own.Ensemble.Orderings() {
			layer, state := own.Ensemble.Weights(weights, k), []float64{1}
			for _, input := range ordering {
				next := make([]float64, len(phi[input]))
				for i, s := range state {
					for j := range next {
						next[j] += s * float64(layer[i*len(next)+j])
					}
				}
				layer = layer[len(state)*len(next):]
				for j := range next {
					next[j] *= phi[input][j]
				}
				state = next
			}
			for _, s := range state {
				sum += s
			}
		}
	}
	return 100 + 5*sum
}

// functions returns the values of an input's basis in group g at a coordinate.
func (w *world) functions(g, input int, t float32) []float64 {
	b := w.groups[g].Bases[input]
	dst, wide := make([]float32, b.Nodes()), make([]float64, b.Nodes())
	b.Values(dst, []float32{t}, 1, 1)
	for i, v := range dst {
		wide[i] = float64(v)
	}
	return wide
}

// explainAll explains columns in one block.
func explainAll(t testing.TB, m *model.Model, columns [][]float64, o explain.Options) *explain.Attributions {
	t.Helper()
	e, err := explain.New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var out explain.Attributions
	if err := e.Explain(context.Background(), columns, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}
