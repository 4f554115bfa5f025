package report

import (
	"context"
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/model"
)

// Add takes a block of rows, of which it keeps copies of those that it draws. Rows in errors are
// counted over all blocks.
func (b *Builder) Add(ctx context.Context, rows *Block) error {
	n := len(rows.Mean)
	if len(rows.Rows) != n || rows.Target != nil && len(rows.Target) != n {
		panic(fmt.Sprintf("report: %d predictions, %d numbers of rows and %d targets", n, len(rows.Rows), len(rows.Target)))
	}
	if b.explainer != nil {
		if err := b.explainer.Explain(ctx, rows.Columns, &b.values); err != nil {
			return err
		}
	}
	if b.watch != nil {
		b.watch.Add(rows.Columns, rows.Target, rows.Predictions)
	}
	for i := range n {
		b.row(rows, i)
	}
	b.n += n
	return nil
}

// row takes in row i of a block.
func (b *Builder) row(rows *Block, i int) {
	b.place(rows, i)
	if rows.Mean[i] != rows.Mean[i] { // under the policy flag
		b.nothing++
		return
	}
	if rows.Clamped[i]&model.ClampedMean != 0 {
		b.held++
	}
	y := math.NaN()
	if rows.Target != nil {
		y = rows.Target[i]
	}
	if y == y {
		b.score(rows, i, y)
	}
	var values []float64
	if b.explainer != nil {
		c := len(b.columns)
		values = b.values.Values[i*c : (i+1)*c]
		b.importance(values, rows.Columns, i)
	}
	b.kept.offer(rows, i, y, values)
}

// place counts why a row lies outside the box.
func (b *Builder) place(rows *Block, i int) {
	if rows.InBox[i] {
		return
	}
	met := map[box.Reason]bool{}
	for k := range b.box.Inputs {
		in := &b.box.Inputs[k]
		if reason := in.Reason(rows.Columns[b.box.Column(k)][i]); reason != box.Inside {
			b.outside[reason].values[in.Name]++
			met[reason] = true
		}
	}
	for reason := range met {
		b.outside[reason].rows++
	}
}

// score takes in a row whose target is known.
func (b *Builder) score(rows *Block, i int, y float64) {
	b.observed++
	if rows.Range != nil && !rows.Range.Contains(y) {
		b.beyond++
	}
	u := b.scores.Add(y, rows.Point[i], rows.Lower[i], rows.Upper[i], rows.Distribution(i))
	b.median.Add(math.Abs(y - rows.Point[i]))
	b.pit[min(int(u*profile.PITBins), profile.PITBins-1)]++
	if b.seen != nil {
		b.seen.Add(b.hasher.Sum(rows.Columns, i, y))
	}
}

// importance takes in the Shapley values of a row.
func (b *Builder) importance(values []float64, columns [][]float64, i int) {
	b.told++
	b.base = b.values.Base
	for k, v := range values {
		c := &b.columns[k]
		b.sums[k] += math.Abs(v)
		if b.told == 1 {
			c.Lowest, c.Highest = v, v
		}
		c.Lowest, c.Highest = min(c.Lowest, v), max(c.Highest, v)
		if columns[k][i] != columns[k][i] {
			c.Missing++
		}
	}
}
