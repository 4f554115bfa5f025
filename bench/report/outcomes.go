package report

import (
	"bytes"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/bench/markdown"
	"beziergp/internal/printable"
	"beziergp/plot"
	"beziergp/plot/canvas"
)

// outcome is what a test tells of one method beside another on a set.
type outcome int

const (
	better outcome = iota
	level
	worse
	untested
)

// outcome tests a lead over the splits that two methods share: Student's t at 5 %, both sides, of the
// corrected resampled test (Nadeau & Bengio, Machine Learning 52, 2003),
//
//	t = lead / √((1/n + ρ) s²)
//
// with n − 1 degrees of freedom, s² the variance of the leads, and ρ test rows over training rows: splits share rows.
func (d comparison) outcome() outcome {
	switch {
	case d.fits < 2:
		return untested
	case d.lead == 0:
		return level
	}
	n := float64(d.fits)
	t := math.Abs(d.lead) / (d.sd * math.Sqrt(1+n*d.ratio))
	if !(t > distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)) {
		return level
	}
	if d.lead > 0 {
		return better
	}
	return worse
}

// outcomes counts them, over the sets, for each method that is not ours and each measure.
func (g *grid) outcomes() (o plot.Tallies) {
	reference := g.reference()
	if reference == "" {
		return o
	}
	o.Kinds = [4]string{"better", "no difference", "worse", "one split: not tested"}
	all := g.criteria()
	for _, m := range all {
		o.Columns = append(o.Columns, m.short)
	}
	for _, title := range g.run {
		row, any := plot.TallyRow{Name: printable.Name(title)}, false
		for _, m := range all {
			var counts [4]int
			for _, set := range g.sets {
				own, other := g.at(set, reference), g.at(set, title)
				if own == nil || other == nil || other.ours() {
					continue
				}
				if d := m.paired(own, other); d.fits > 0 {
					counts[d.outcome()]++
					any = any || d.fits > 1
				}
			}
			row.Counts = append(row.Counts, counts)
		}
		if any {
			o.Rows = append(o.Rows, row)
		}
	}
	return o
}

// tested draws how many differences are more than chance, and says how that was told.
func (g *grid) tested(dir string, page *bytes.Buffer, format canvas.Format) error {
	o := g.outcomes()
	if len(o.Rows) == 0 {
		return nil
	}
	reference := markdown.Text(g.reference())
	fmt.Fprintf(page, "\n### %s against each of the others, tested\n\nOn how many sets %s is better, not different and worse, over the splits that both methods have: the corrected\n"+
		"resampled t-test (Nadeau & Bengio, 2003) at 5 %%, both sides. Splits share rows, so that the variance of a mean lead s²/n becomes (1/n + ρ) s², with ρ\n"+
		"test rows over training rows. Every set is tested by itself: where nothing differs one test of twenty says that something does. Methods that have one\n"+
		"split of every set are left out.\n", reference, reference)
	return draw(dir, page, g.suite+"-tested", "Sets won, level and lost", o, format)
}
