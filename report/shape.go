package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/table"
)

const (
	// Points of estimates of total indices, of models with few and with many inputs: those of
	// many take longer a point, and are surer.
	samples, fewSamples = 4096, 512
	// mostPaired is the number of inputs of which all pairs are taken, for their work grows as
	// d²; of more inputs there are none.
	mostPaired = 100
	// points of an effect, and of one of very many inputs, and of that of a pair.
	points, fewPoints, pairPoints = 41, 15, 21
	// drawnPairs is how many pairs have an effect, and lines the number of its curves.
	drawnPairs, lines = 4, 4
)

// closedForms fills in indices, pairs and effects.
func (b *Builder) closedForms(ctx context.Context, r *Report, m *model.Model) error {
	a, err := analysis.New(m, analysis.Options{})
	if err != nil {
		b.leaveOut("Effects and interactions", err.Error())
		return nil
	}
	d := len(a.Inputs())
	o := analysis.SobolOptions{Samples: samples, Seed: b.options.Seed, Workers: b.workers(), NoPairs: d > mostPaired || d < 2, Progress: b.options.Progress}
	if d > mostPaired {
		o.Samples = fewSamples
		b.leaveOut("Interactions", fmt.Sprintf("all pairs of %d inputs take long, and are left out of more than %d", d, mostPaired))
	}
	s, err := a.Sobol(ctx, o)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	order := make([]int, d)
	for i := range order {
		order[i] = i
	}
	if err != nil { // f does not vary
		b.leaveOut("Shares of variance and interactions", err.Error())
	} else {
		slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(s.Total[k].Value, s.Total[i].Value) })
		for _, i := range order {
			r.Indices = append(r.Indices, Index{printable.Name(a.Inputs()[i].Name), s.First[i], s.Total[i].Value, s.Total[i].Error})
		}
		r.Pairs = pairsOf(a, s, order)
	}
	r.Effects = b.effects(a, order)
	for at := range r.Indices {
		r.Effects[at].Index = number(r.Indices[at].Total)
	}
	return nil
}

// effects returns those of all inputs in an order.
func (b *Builder) effects(a *analysis.Analysis, order []int) (all []Effect) {
	grids := make([][]float64, len(order))
	for i := range grids {
		n := points
		if len(order) > mostPaired {
			n = fewPoints
		}
		grids[i] = a.Grid(i, n)
	}
	of := a.Effects(grids).Effects
	for _, i := range order {
		at := slices.IndexFunc(of, func(e analysis.Effect) bool { return e.Inputs[0] == i })
		e := effectOf(&a.Inputs()[i], of[at].Grid[0])
		e.Share = b.shares(i, len(e.Levels))
		e.Curves = []Curve{{Mean: numbers(of[at].Mean), Std: numbers(of[at].Std)}}
		all = append(all, e)
	}
	return all
}

// effectOf returns the effect of an input over a grid without its curves.
func effectOf(in *box.Input, grid []float64) Effect {
	e := Effect{Input: printable.Name(in.Name), Kind: "number"}
	switch {
	case in.Kind == table.Category, in.Kind == table.Boolean, in.Part == box.Weekday, in.Part == box.Absent:
		e.Kind = "level"
		for _, v := range grid {
			e.Levels = append(e.Levels, valueOf(in, v))
		}
		return e
	case in.Part == box.Time:
		e.Kind = "time"
	}
	for _, v := range grid {
		if in.Part == box.Time {
			v *= 24 * 60 * 60
		}
		e.At = append(e.At, number(v))
	}
	return e
}

// valueOf is a value of an input as text.
func valueOf(in *box.Input, v float64) string {
	switch {
	case in.Kind == table.Category:
		return printable.Name(in.Level(v))
	case in.Part == box.Absent:
		return box.AbsentText(v)
	case in.Kind == table.Boolean && (v == 0 || v == 1):
		return map[bool]string{true: "true", false: "false"}[v == 1]
	case in.Part == box.Weekday:
		return strings.Fields("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")[int(v)-1]
	}
	return short(v)
}

// shares returns which shares of the training rows have the levels of a category, nil where that
// is not known.
func (b *Builder) shares(i, levels int) (all []number) {
	p := b.model.Profile()
	if p == nil || p.Inputs[i].Nodes != levels || levels == 0 {
		return nil
	}
	known := float64(max(1, p.Inputs[i].Known()))
	for _, n := range p.Inputs[i].Counts[:levels] {
		all = append(all, number(float64(n)/known))
	}
	return all
}

// pairsOf returns the pairs with the largest indices, the first of them with what both do.
func pairsOf(a *analysis.Analysis, s *analysis.Sobol, order []int) (all []Pair) {
	for k, p := range s.Pairs[:min(most, len(s.Pairs))] {
		i, j := p.I, p.J
		if slices.Index(order, i) > slices.Index(order, j) {
			i, j = j, i // along the one that matters more
		}
		first, second := &a.Inputs()[i], &a.Inputs()[j]
		own := Pair{First: printable.Name(first.Name), Second: printable.Name(second.Name), Index: p.Index}
		if k < drawnPairs && p.Index > 0 {
			across := spread(a.Grid(j, lines))
			of := a.Pair(i, j, a.Grid(i, pairPoints), across)
			e := effectOf(first, of.Grid[0])
			for c, v := range across {
				curve := Curve{Name: valueOf(second, v)}
				for at := range of.Grid[0] {
					curve.Mean = append(curve.Mean, number(of.Mean[at*len(across)+c]))
				}
				e.Curves = append(e.Curves, curve)
			}
			own.Effect = &e
		}
		all = append(all, own)
	}
	return all
}

// spread returns some of the values of a grid from the first to the last.
func spread(grid []float64) (some []float64) {
	if len(grid) <= lines {
		return grid
	}
	for k := range lines {
		some = append(some, grid[k*(len(grid)-1)/(lines-1)])
	}
	return some
}
