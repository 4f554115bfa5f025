package report

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"beziergp/box"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/table"
)

// Report returns what there is to tell of the rows so far. No rows may be added after it.
func (b *Builder) Report(ctx context.Context) (*Report, error) {
	t := b.model.Target()
	r := &Report{
		Title: b.options.Title, Target: printable.Name(t.Name), Scale: printable.Name(t.Name),
		Learned: b.learned(), Scores: b.scoresOf(), Calibration: b.calibration(), Base: b.base,
		Total: b.n, Seed: b.options.Seed,
	}
	if r.Title == "" {
		r.Title = "Report on " + r.Target
	}
	if t.Transform == box.Log1p {
		r.Scale = "log(1 + " + r.Target + ")"
	}
	if b.n == 0 {
		b.leaveOut("Residuals, noise and single rows", "they are of the rows of a table, and none was given")
	} else if b.observed == 0 {
		b.leaveOut("Residuals and scores of these rows", "the target is known of none of them")
	}
	order := b.rank()
	if b.told > 0 {
		for _, k := range order {
			c := b.columns[k]
			c.MeanAbs, c.Column = b.sums[k]/float64(b.told), printable.Name(c.Column)
			r.Importance = append(r.Importance, c)
		}
	}
	kept, drawn := b.kept.rows()
	r.Rows, r.Shown = b.rowsOf(kept, order), drawn
	r.Noise = b.noise(kept, order)
	p, ok := b.model.(*model.Model)
	if ok {
		r.Training = printable.Line(string(p.Training().Options))
	}
	if ok && b.explainer != nil {
		r.LowerBounds = p.Output().Epistemic != nil
		if err := b.closedForms(ctx, r, p); err != nil {
			return nil, err
		}
	}
	r.Warnings, r.Without = b.warnings(r), b.without
	return r, nil
}

// rank returns the columns, that of the largest sum first; in their own order where there are no
// sums.
func (b *Builder) rank() []int {
	order := make([]int, len(b.layers))
	for k := range order {
		order[k] = k
	}
	if b.told > 0 {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(b.sums[j], b.sums[i]) })
	}
	return order
}

// workers is how many goroutines closed forms take.
func (b *Builder) workers() int { return cmp.Or(b.options.Workers, runtime.GOMAXPROCS(0)) }

// rowsOf tells of rows what columns add that matter most in them.
func (b *Builder) rowsOf(all []kept, order []int) (rows []Row) {
	place := make([]int, len(order))
	for p, k := range order {
		place[k] = p
	}
	for _, k := range all {
		row := k.Row
		if k.values != nil {
			own := make([]int, len(k.values))
			for c := range own {
				own[c] = c
			}
			slices.SortStableFunc(own, func(i, j int) int { return cmp.Compare(math.Abs(k.values[j]), math.Abs(k.values[i])) })
			f := b.base
			for at, c := range own {
				f += k.values[c]
				if at >= most {
					row.Rest += number(k.values[c])
					continue
				}
				row.Parts = append(row.Parts, Part{place[c], printable.Name(b.box.Inputs[b.layers[c]].Text(k.cells[c])), number(k.values[c])})
			}
			row.F = number(f)
		}
		rows = append(rows, row)
	}
	return rows
}

// noise returns the values of the columns that matter most at rows.
func (b *Builder) noise(rows []kept, order []int) (all []Noise) {
	if len(rows) == 0 {
		return nil
	}
	for _, c := range order[:min(most, len(order))] {
		in := &b.box.Inputs[b.layers[c]]
		own := Noise{Column: printable.Name(in.Source()), Kind: kindOf(in.Kind)}
		for _, k := range rows {
			v := k.cells[c]
			if in.Kind == table.Category {
				v = float64(in.Clip(v)) // its node
			}
			own.At = append(own.At, number(v))
		}
		if in.Kind == table.Category {
			for node := range in.Functions() {
				own.Levels = append(own.Levels, printable.Name(in.Level(float64(node))))
			}
		}
		all = append(all, own)
	}
	return all
}

func kindOf(k table.Kind) string {
	switch k {
	case table.Category:
		return "level"
	case table.DateTime:
		return "time"
	}
	return "number"
}

// calibration returns the transforms out of fold and those of the rows.
func (b *Builder) calibration() (all []Calibration) {
	if p := b.model.Profile(); p != nil && p.Scores != nil && p.Scores.Scored() > 0 {
		all = append(all, Calibration{"out of fold", p.Scores.Scored(), p.Scores.PIT[:]})
	}
	if b.observed > 0 {
		all = append(all, Calibration{"these rows", b.observed, b.pit[:]})
	}
	return all
}

// Levels returns the levels of intervals 0, 0.1, …, 1, of which Shares tells.
func (c Calibration) Levels() (levels []float64) {
	half := len(c.PIT) / 2
	for k := range half + 1 {
		levels = append(levels, float64(k)/float64(half))
	}
	return levels
}

// Shares returns which shares of the rows have their target in its central interval of the
// Levels: |2u − 1| of a transform u is at most the level.
func (c Calibration) Shares() (shares []float64) {
	half, inside := len(c.PIT)/2, 0
	for k := range half + 1 {
		if k > 0 {
			inside += c.PIT[half-k] + c.PIT[half+k-1]
		}
		shares = append(shares, float64(inside)/float64(c.Rows))
	}
	return shares
}
