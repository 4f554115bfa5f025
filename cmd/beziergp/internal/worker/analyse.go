//go:build !lean && !wasm

package worker

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/inspect"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/measure"
	"beziergp/table"
)

// inputs say over which distributions of the inputs averages are taken.
type inputs struct {
	Model    string            `json:"model"`
	Laws     map[string]string `json:"laws"` // by input, as measure.Parse reads them
	At       map[string]string `json:"at"`
	Truncate bool              `json:"truncate"`
}

// analysis returns the analysis of the model.
func (o *inputs) analysis(r *request) (*analysis.Analysis, error) {
	m, err := r.process(o.Model)
	if err != nil {
		return nil, err
	}
	all := map[string]measure.Law{}
	for name, text := range o.Laws {
		if all[name], err = measure.Parse(text); err != nil {
			return nil, exit.Usagef("laws: input %q: %w", name, err)
		}
	}
	for name, value := range o.At {
		if _, twice := all[name]; twice {
			return nil, exit.Usagef("at: input %q has a distribution already", name)
		}
		all[name] = measure.At(value)
	}
	return analysis.New(m, analysis.Options{Laws: all, Truncate: o.Truncate})
}

type moments struct {
	Mean number `json:"mean"`
	Std  number `json:"std"`
}

// effect is that of an input or two over grids.
type effect struct {
	Inputs []string `json:"inputs"`
	Grid   []any    `json:"values"`
	Mean   []number `json:"mean"`
	Std    []number `json:"std"`
}

// Points of a grid, as the verb effects has them.
const (
	points     = 41
	pairPoints = 21
)

// effects returns those of all inputs, or of those asked for, one or two each.
func effects(r *request) (any, []byte, error) {
	var o struct {
		inputs
		Of     [][]string `json:"of"`
		Points int        `json:"points"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	if o.Points < 0 || o.Points == 1 || o.Points > 10_000 {
		return nil, nil, exit.Usagef("points: %d; it must be from 2 to 10000", o.Points)
	}
	a, err := o.analysis(r)
	if err != nil {
		return nil, nil, err
	}
	grids := make([][]float64, len(a.Inputs()))
	if o.Of == nil {
		for _, in := range a.Inputs() {
			o.Of = append(o.Of, []string{in.Name})
		}
	}
	var asked [][]int
	for _, names := range o.Of {
		var own []int
		for _, name := range names {
			i, err := a.Input(name)
			if err != nil {
				return nil, nil, err
			}
			own = append(own, i)
		}
		if len(own) < 1 || len(own) > 2 || len(own) == 2 && own[0] == own[1] {
			return nil, nil, exit.Usagef("of: %q; an effect is of one input, or of two that differ", names)
		}
		if len(own) == 1 {
			grids[own[0]] = a.Grid(own[0], cmp.Or(o.Points, points))
		}
		asked = append(asked, own)
	}
	all := a.Effects(grids)
	found := make([]effect, len(asked))
	for k, own := range asked {
		if len(own) == 2 {
			n := cmp.Or(o.Points, pairPoints)
			found[k] = effectOf(a, a.Pair(own[0], own[1], a.Grid(own[0], n), a.Grid(own[1], n)))
			continue
		}
		at := slices.IndexFunc(all.Effects, func(e analysis.Effect) bool { return e.Inputs[0] == own[0] })
		found[k] = effectOf(a, all.Effects[at])
	}
	return struct {
		Base    moments  `json:"base"`
		Effects []effect `json:"effects"`
	}{momentsOf(all.Base), found}, nil, nil
}

func momentsOf(n analysis.Number) moments { return moments{number(n.Mean), number(n.Std)} }

func effectOf(a *analysis.Analysis, e analysis.Effect) effect {
	out := effect{Mean: numbersOf(e.Mean), Std: numbersOf(e.Std)}
	for n, i := range e.Inputs {
		in := a.Inputs()[i]
		out.Inputs = append(out.Inputs, in.Name)
		if in.Kind != table.Category {
			out.Grid = append(out.Grid, numbersOf(e.Grid[n]))
			continue
		}
		names := make([]string, len(e.Grid[n]))
		for k, v := range e.Grid[n] {
			names[k] = laws.Level(in, v)
		}
		out.Grid = append(out.Grid, names)
	}
	return out
}

type estimate struct {
	Value number `json:"value"`
	Error number `json:"error"`
}

func estimateOf(e analysis.Estimate) estimate { return estimate{number(e.Value), number(e.Error)} }

type group struct {
	Inputs []string `json:"inputs"`
	Closed estimate `json:"closed"`
	Total  estimate `json:"total"`
}

type pair struct {
	Inputs [2]string `json:"inputs"`
	Index  number    `json:"index"`
}

// sensitivity returns Sobol indices.
func sensitivity(r *request) (any, []byte, error) {
	var o struct {
		inputs
		Samples int        `json:"samples"`
		Seed    uint64     `json:"seed"`
		Workers int        `json:"workers"`
		NoPairs bool       `json:"no_pairs"`
		Groups  [][]string `json:"groups"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	if o.Samples != 0 && o.Samples < analysis.Replicates {
		return nil, nil, exit.Usagef("samples: %d; there must be at least %d, one a replicate", o.Samples, analysis.Replicates)
	}
	a, err := o.analysis(r)
	if err != nil {
		return nil, nil, err
	}
	var groups [][]int
	for _, names := range o.Groups {
		var own []int
		for _, name := range names {
			i, err := a.Input(name)
			if err != nil {
				return nil, nil, err
			}
			own = append(own, i)
		}
		groups = append(groups, own)
	}
	s, err := a.Sobol(r.ctx, analysis.SobolOptions{
		Samples: o.Samples, Seed: o.Seed, Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), NoPairs: o.NoPairs, Groups: groups,
	})
	if err != nil {
		return nil, nil, err
	}
	return reportOf(a, s, o.Groups), nil, nil
}

// indices is what is told of Sobol indices.
type indices struct {
	Inputs   []string   `json:"inputs"`
	Columns  []string   `json:"columns"` // that the inputs come from
	Mean     number     `json:"mean"`
	Variance estimate   `json:"variance"`
	First    []number   `json:"first"`
	Total    []estimate `json:"total"`
	Pairs    []pair     `json:"pairs"`
	Groups   []group    `json:"groups"`
}

func reportOf(a *analysis.Analysis, s *analysis.Sobol, names [][]string) indices {
	out := indices{Mean: number(s.Mean), Variance: estimateOf(s.Variance), First: numbersOf(s.First)}
	for _, in := range a.Inputs() {
		out.Inputs = append(out.Inputs, in.Name)
		out.Columns = append(out.Columns, cmp.Or(in.Column, in.Name))
	}
	for _, t := range s.Total {
		out.Total = append(out.Total, estimateOf(t))
	}
	for _, p := range s.Pairs {
		out.Pairs = append(out.Pairs, pair{[2]string{out.Inputs[p.I], out.Inputs[p.J]}, number(p.Index)})
	}
	for k, g := range s.Groups {
		out.Groups = append(out.Groups, group{names[k], estimateOf(g.Closed), estimateOf(g.Total)})
	}
	return out
}

// integrate averages over the inputs, or over the rows of the body, less those of a second
// table where there is one.
func integrate(r *request) (any, []byte, error) {
	var o struct {
		inputs
		Total    bool   `json:"total"`
		Seed     uint64 `json:"seed"`
		OutOfBox string `json:"out_of_box"`
		Workers  int    `json:"workers"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	if len(r.body) == 0 {
		a, err := o.analysis(r)
		if err != nil {
			return nil, nil, err
		}
		return momentsOf(a.Integral()), nil, nil
	}
	if len(o.Laws)+len(o.At) > 0 || o.Truncate {
		return nil, nil, exit.Usagef("laws, at and truncate say how inputs are distributed, and there are rows: leave either out")
	}
	rows, first, err := r.joined(o.Model, analysis.RowsOptions{Policy: box.Policy(o.OutOfBox), Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0))})
	if err != nil {
		return nil, nil, err
	}
	w := make([]float64, rows.Len())
	for i := range w {
		n, sign := first, 1.0
		if i >= n {
			n, sign = rows.Len()-n, -1
		}
		if w[i] = sign; !o.Total {
			w[i] /= float64(n)
		}
	}
	a, err := rows.Weighted(r.ctx, w, o.Seed)
	return momentsOf(a.Number), nil, err
}

// joined returns f at the rows of one table or two, and how many the first has.
func (r *request) joined(name string, o analysis.RowsOptions) (rows *analysis.Rows, first int, err error) {
	m, err := r.process(name)
	if err != nil {
		return nil, 0, err
	}
	a, err := r.rows(0, m)
	if err != nil {
		return nil, 0, err
	}
	if len(r.Parts) < 2 {
		rows, err = analysis.NewRows(r.ctx, m, a, o)
		return rows, a.Rows(), err
	}
	b, err := r.rows(1, m)
	if err != nil {
		return nil, 0, err
	}
	rows, err = analysis.Joined(r.ctx, m, a, b, o)
	return rows, a.Rows(), err
}

// sample draws functions at the rows of the body, a column each.
func sample(r *request) (any, []byte, error) {
	var o struct {
		Model    string `json:"model"`
		Draws    int    `json:"draws"`
		Seed     uint64 `json:"seed"`
		OutOfBox string `json:"out_of_box"`
		Workers  int    `json:"workers"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	if o.Draws < 1 {
		return nil, nil, exit.Usagef("draws: %d; it must be at least 1", o.Draws)
	}
	rows, n, err := r.joined(o.Model, analysis.RowsOptions{Policy: box.Policy(o.OutOfBox), Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0))})
	if err != nil {
		return nil, nil, err
	}
	if n > analysis.MostJoint {
		return nil, nil, exit.Dataf("X: %d rows are too many to be drawn together; take %d at most", n, analysis.MostJoint)
	}
	m, err := r.process(o.Model)
	if err != nil {
		return nil, nil, err
	}
	return draw(r.ctx, rows, o.Draws, o.Seed, m.Target())
}

func draw(ctx context.Context, rows *analysis.Rows, draws int, seed uint64, target box.Target) (any, []byte, error) {
	d, err := rows.Draw(ctx, draws, seed)
	if err != nil {
		return nil, nil, err
	}
	var s stream
	for _, values := range d.Values {
		if target.Transform == box.Log1p {
			for i, v := range values {
				values[i] = math.Expm1(v)
			}
		}
		s.numbers("draw", values)
	}
	body, err := s.bytes()
	return nil, body, err
}

// inspectModel tells what the verb inspect tells.
func inspectModel(r *request) (any, []byte, error) {
	var o struct {
		Model string `json:"model"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	m, err := r.model(o.Model)
	if err != nil {
		return nil, nil, err
	}
	return inspect.Describe(m, "", 0), nil, nil
}
