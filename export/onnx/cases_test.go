package onnx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"beziergp/box"
	"beziergp/box/neighbour"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/table"
)

// example is a model with rows to predict.
type example struct {
	name  string
	model *model.Model
	rows  *table.Table
}

// maker makes random parts of models.
type maker struct {
	t      testing.TB
	rng    *rand.Rand
	spread float64 // of weights around one
}

func newMaker(t testing.TB, seed uint64) maker {
	return maker{t, rand.New(rand.NewPCG(seed, 3)), 0.3}
}

func (m maker) ok(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// component is a group: for numbers Bernstein polynomials, or splines and steps from seven functions on
// unless nodes is negative, in some orderings; of no nodes whether inputs are known. Of nodes in threes some levels share a function. Of an input it takes no notice with the
// probability idle.
type component struct {
	nodes, buttresses int
	idle              float64
}

// surface returns a process of inputs with random weights, whose last input has a basis of
// its own where last is above 0.
func (m maker) surface(inputs []box.Input, part surface.Part, last int, components ...component) *surface.Posterior {
	m.t.Helper()
	var groups []surface.Group
	for _, c := range components {
		g := surface.Group{Part: part}
		var widths []int
		for i, in := range inputs {
			spec := basis.Spec{Kind: basis.KindBernstein, Nodes: c.nodes}
			if c.nodes > 6 {
				if spec.Kind = basis.KindSpline; i%3 == 2 {
					spec.Kind = basis.KindSteps
				}
			} else if c.nodes < 0 {
				spec.Nodes = -c.nodes
			}
			switch {
			case c.nodes == 0:
				spec = basis.Spec{Kind: basis.KindKnown, Nodes: 2}
			case in.Kind == table.Category && in.Functions() > 3 && c.nodes%3 == 0:
				spec = basis.Spec{Kind: basis.KindPooled, Nodes: in.Functions() - 2, Pool: basis.Pool{From: 1, To: 4}}
			case in.Kind == table.Category:
				spec = basis.Spec{Kind: basis.KindIndicator, Nodes: in.Functions()}
			case i == len(inputs)-1 && last > 0:
				spec = basis.Spec{Kind: basis.KindSpline, Nodes: last}
			case in.Constant() || m.rng.Float64() < c.idle:
				spec = basis.Spec{Kind: basis.KindBernstein, Nodes: 1}
			}
			spec.Average = m.averages(spec.Nodes)
			b, err := basis.New(spec)
			m.ok(err)
			g.Bases, widths = append(g.Bases, b), append(widths, b.Nodes())
		}
		var err error
		g.Ensemble, err = buttress.New(widths, surface.Supports(g.Bases), buttress.RandomOrderings(len(inputs), c.buttresses, m.rng))
		m.ok(err)
		groups = append(groups, g)
	}
	s, err := surface.New(groups...)
	m.ok(err)
	params := make([]float32, s.Size())
	for g := range s.Groups() {
		for i, v := range s.Mean(params, g) {
			s.Mean(params, g)[i] = v + float32(1+m.spread*m.rng.NormFloat64())
		}
		for i := range s.Variance(params, g) {
			s.Variance(params, g)[i] = float32(-0.1 + 0.4*m.rng.NormFloat64())
		}
	}
	q, err := surface.NewPosterior(s, params)
	m.ok(err)
	return q
}

// averages returns n that add up to one.
func (m maker) averages(n int) []float64 {
	v, sum := make([]float64, n), 0.0
	for i := range v {
		v[i] = m.rng.Float64() + 0.01
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
	if n == 1 {
		v[0] = 1
	}
	return v
}

// inputs returns one of every kind, among them the parts of a date-time and a column that is
// called as an output is.
func (m maker) inputs() []box.Input {
	skewed := make([]float64, 700)
	for i := range skewed {
		skewed[i] = math.Exp(2 * m.rng.NormFloat64())
	}
	skewed[3] = math.NaN()
	ranked, err := box.RankInput("mean", skewed)
	m.ok(err)
	few, err := box.RankInput("few", []float64{1, 1, 2, 5, 5, 5, 9})
	m.ok(err)
	seconds := make([]float64, 50)
	for i := range seconds {
		seconds[i] = float64(time.Date(2021, 1, 1+20*i, 7*i%24, 13, 5, 250e6, time.UTC).UnixNano()) / 1e9
	}
	dated, err := box.FitDateTime("when", seconds)
	m.ok(err)
	pooled := box.Input{Name: "street", Kind: table.Category, Levels: []string{"a", "b", "c", "d"}, Missing: true, MissingLevel: true}
	pooled.Pooled = box.Pool(pooled.Name, pooled.Levels, []string{"x", "y"})
	apart := box.Input{Name: "road", Kind: table.Category, Levels: []string{"a"}, Pooled: table.NewFingerprints("road", nil, []string{"x", "y", "z"})}
	apart.Pooled.Apart = true
	flag := box.Input{Name: "flag", Kind: table.Boolean, Lo: 0, Hi: 1, Missing: true}
	all := []box.Input{
		{Name: "linear", Lo: -2, Hi: 5}, ranked, few, {Name: "always", Lo: 3, Hi: 3},
		flag, box.NewAbsent(flag),
		{Name: "zone", Kind: table.Category, Levels: []string{"hill", "port", "centre"}, Missing: true}, pooled, apart,
	}
	return append(append(all, dated...), box.NewAbsent(dated[0]))
}

// rows returns rows for these inputs: within, beyond, missing, not seen.
func (m maker) rows(inputs []box.Input, n int) *table.Table {
	m.t.Helper()
	var columns []table.Column
	known := map[string]bool{}
	for _, in := range inputs {
		if known[in.Source()] {
			continue
		}
		known[in.Source()] = true
		c := table.Column{Name: in.Source(), Kind: in.Kind}
		if in.Kind == table.Category {
			c.Levels = []string{"new", "x", "hill", "port", "centre", "a", "b", "c", "d", "y"}
		}
		for row := range n {
			v := in.Lo + (in.Hi-in.Lo)*(1.1*m.rng.Float64()-0.05)
			switch {
			case in.Kind == table.Category:
				v = float64(m.rng.IntN(len(c.Levels)))
			case in.Kind == table.DateTime: // over leap years, centuries and before 1970
				v = float64(time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC).Unix()) + math.Round(1000*86400*365.25*30*m.rng.NormFloat64())/1000
				if row < 8 {
					v = float64(time.Date([]int{2000, 2020, 1900, 2100}[row%4], 2, 28+row/4, 23, 59, 59, 0, time.UTC).Unix())
				}
			case in.Knots != nil && row%3 == 0: // a knot itself
				v = in.Knots[m.rng.IntN(len(in.Knots))]
			case in.Constant():
				v = in.Lo + float64(row%3-1)
			case in.Kind == table.Boolean:
				v = float64(row % 2)
			}
			if row%11 == 10 || m.rng.Float64() < 0.05 {
				v = math.NaN()
			}
			if row == 0 && in.Kind != table.Category && in.Kind != table.DateTime {
				v = in.Hi
			}
			c.Values = append(c.Values, v)
		}
		columns = append(columns, c)
	}
	rows, err := table.New(columns...)
	m.ok(err)
	return rows
}

// table returns what neighbours tell, by a number of few values, a category and a number of many.
func (m maker) table(inputs []box.Input) neighbour.Table {
	few, zone, linear := 2, 6, 0
	var coordinates []float32
	for _, v := range []float64{1, 2, 5, 9} {
		coordinates = append(coordinates, inputs[few].Clip(v))
	}
	many := make([]float32, 2000)
	for i := range many {
		many[i] = m.rng.Float32()
	}
	t := neighbour.Table{
		Order: neighbour.Order{neighbour.NewColumn(few, coordinates, 0), neighbour.NewColumn(zone, nil, 3), neighbour.NewColumn(linear, many, 0)},
		Input: box.Input{Name: "neighbours", Lo: -1, Hi: 2, Missing: true},
	}
	at := 0.0
	for range 900 {
		at += 3 * float64(1<<20) * 4 / 900 * m.rng.Float64()
		t.At, t.Mean = append(t.At, at), append(t.Mean, m.rng.NormFloat64())
	}
	return t
}

func predictedMean() box.Input {
	return box.Input{Name: "predicted mean", Lo: -3, Hi: 3, Knots: []float64{-3, -1, 0.5, 3}, Ranks: []float64{0, 0.25, 0.9, 1}}
}

// model puts a model together that has all there is, changed by some.
func (m maker) model(inputs []box.Input, tables []neighbour.Table, change ...func(*model.Parts)) *model.Model {
	m.t.Helper()
	all := append([]box.Input{}, inputs...)
	for _, t := range tables {
		all = append(all, t.Input)
	}
	wide := append([]box.Input{}, all...)
	for i := range wide {
		wide[i] = wide[i].Widen()
	}
	mu := predictedMean()
	with := append(append([]box.Input{}, all...), mu)
	u := box.Input{Name: "u", Lo: 0, Hi: 1}
	p := model.Parts{
		Posterior: m.surface(all, surface.MeanOnly, 0, component{6, 3, 0.3}, component{12, 2, 0.5}, component{2, 2, 0}), Inputs: inputs, Neighbours: tables, Policy: box.Clip,
		Outputs: []model.Output{{
			Target: box.Target{Name: "y", Mean: 100, SD: 5}, Noise: 0.2, VarianceScale: 1.3, Tails: 4.5, Limits: &model.Limits{Lo: -4, Hi: 14, Variance: 3}, Conformal: 2,
			LogNoise:     &model.Auxiliary{Surface: m.surface(with, surface.MeanOnly, 9, component{4, 3, 0.2}), Predicted: &mu, Limits: &model.Limits{Lo: -1, Hi: 1.5}},
			Epistemic:    &model.Auxiliary{Surface: m.surface(wide, surface.VarianceOnly, 0, component{10, 3, 0.2}, component{3, 1, 0}, component{0, 2, 0}), Inputs: wide, Variance: true},
			DensityRatio: &model.Auxiliary{Surface: m.surface(append(append([]box.Input{}, with...), u), surface.MeanOnly, 16, component{4, 2, 0.3}, component{8, 2, 0.2}), Predicted: &mu, U: true, Limits: model.LogRatioLimits()},
		}},
	}
	for _, c := range change {
		c(&p)
	}
	made, err := model.New(p)
	m.ok(err)
	return made
}

// numbersAlone returns plain inputs.
func numbersAlone(d int) (inputs []box.Input) {
	for i := range d {
		inputs = append(inputs, box.Input{Name: fmt.Sprint("x", i), Lo: -1, Hi: float64(i + 1)})
	}
	return inputs
}

// bare leaves the parts beside the mean out, whose process has a variance then.
func (m maker) bare(inputs []box.Input, components ...component) func(*model.Parts) {
	return func(p *model.Parts) {
		o := &p.Outputs[0]
		o.LogNoise, o.Epistemic, o.DensityRatio, o.Tails, o.Limits, o.Conformal = nil, nil, nil, 0, nil, 0
		p.Posterior = m.surface(inputs, surface.Whole, 0, components...)
	}
}

func within(lo, hi float64) func(*model.Parts) {
	return func(p *model.Parts) { p.Outputs[0].Target.Range = &predictive.Range{Lo: lo, Hi: hi} }
}

// transformed makes the model one of log(1 + y).
func transformed(p *model.Parts) {
	o := &p.Outputs[0]
	o.Target = box.Target{Name: "y", Mean: 2, SD: 0.7, Transform: box.Log1p}
	o.Tails = 0
}

func plain(p *model.Parts) { p.Outputs[0].DensityRatio = nil }

// cases are models of every kind.
func cases(t testing.TB) (all []example) {
	add := func(name string, seed uint64, inputs func(m maker) ([]box.Input, []neighbour.Table), change ...func(maker, []box.Input) func(*model.Parts)) {
		m := newMaker(t, seed)
		in, tables := inputs(m)
		if len(in) > 50 {
			m.spread = 0.1
		}
		var changes []func(*model.Parts)
		for _, c := range change {
			changes = append(changes, c(m, in))
		}
		all = append(all, example{name, m.model(in, tables, changes...), m.rows(in, 60)})
	}
	every := func(m maker) ([]box.Input, []neighbour.Table) { return m.inputs(), nil }
	neighbours := func(m maker) ([]box.Input, []neighbour.Table) {
		in := m.inputs()
		return in, []neighbour.Table{m.table(in), m.table(in)}
	}
	numbers := func(d int) func(maker) ([]box.Input, []neighbour.Table) {
		return func(maker) ([]box.Input, []neighbour.Table) { return numbersAlone(d), nil }
	}
	is := func(c func(*model.Parts)) func(maker, []box.Input) func(*model.Parts) {
		return func(maker, []box.Input) func(*model.Parts) { return c }
	}
	simple := func(components ...component) func(maker, []box.Input) func(*model.Parts) {
		return func(m maker, in []box.Input) func(*model.Parts) { return m.bare(in, components...) }
	}
	flag := is(func(p *model.Parts) { p.Policy = box.Flag })
	add("everything", 1, every)
	add("neighbours", 2, neighbours)
	add("a Gaussian's tails", 3, every, is(func(p *model.Parts) { p.Outputs[0].Tails = 0 }))
	add("no density ratio", 4, every, is(plain))
	add("constant noise", 5, every, is(func(p *model.Parts) { p.Outputs[0].LogNoise = nil }))
	add("rows outside flagged", 6, numbers(2), flag)
	add("a range", 7, every, is(within(125, 150)))
	add("half a range", 8, every, is(within(125, math.Inf(1))))
	add("a range far off", 9, every, is(within(250, 260)))
	add("a range without density ratio", 10, every, is(plain), is(within(125, 150)))
	add("log1p", 11, every, is(transformed), is(plain))
	add("log1p with a density ratio", 12, every, is(transformed))
	add("log1p with a range", 13, every, is(transformed), is(within(0, 20)))
	add("log1p with a range and no density ratio", 14, every, is(transformed), is(plain), is(within(0, math.Inf(1))))
	add("whole groups", 15, every, simple(component{6, 4, 0}, component{9, 2, 0.5}))
	add("Bernstein polynomials of order 20", 16, numbers(3), simple(component{-21, 4, 0}, component{21, 2, 0}))
	add("one input", 17, numbers(1), simple(component{6, 1, 0}))
	add("nothing varies", 18, numbers(3), simple(component{1, 2, 0}))
	add("a long chain", 19, numbers(60), simple(component{6, 2, 0}))
	add("a longer chain", 20, numbers(250), simple(component{4, 2, 0}))
	return all
}
