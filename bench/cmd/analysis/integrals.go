package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"beziergp"
	"beziergp/analysis"
	"beziergp/bench/markdown"
	"beziergp/box"
	"beziergp/measure"
	"beziergp/model"
	"beziergp/table"
	"beziergp/train/auto"
)

// points are n points, by default uniform in the unit cube, and what a function is there.
type points struct {
	x [][]float64 // by input
	y []float64
}

// uniform draws them; f may map them to others.
func uniform(n, d int, rng *rand.Rand, f func(x []float64) float64) points {
	p := points{make([][]float64, d), make([]float64, n)}
	x := make([]float64, d)
	for row := range p.y {
		for i := range x {
			x[i] = rng.Float64()
		}
		p.y[row] = f(x)
		for i, v := range x {
			p.x[i] = append(p.x[i], v)
		}
	}
	return p
}

// fitted returns a model of the points, whose bounds are those of the unit cube.
func (p points) fitted(ctx context.Context, recipe auto.Recipe) (*beziergp.Model, error) {
	columns := []table.Column{table.ColumnOf("y", p.y)}
	bounds := map[string]box.Bounds{}
	for i, v := range p.x {
		columns, bounds[name(i)] = append(columns, table.ColumnOf(name(i), v)), box.Bounds{Lo: 0, Hi: 1}
	}
	rows, err := table.New(columns...)
	if err != nil {
		return nil, err
	}
	return beziergp.Fit(ctx, rows, "y", beziergp.Options{Recipe: recipe, Bounds: bounds})
}

func name(i int) string { return fmt.Sprintf("x%d", i+1) }

// kept returns the model in a file, which is fitted and written where it is not there; without a
// name it is fitted.
func (p points) kept(ctx context.Context, recipe auto.Recipe, file string) (*beziergp.Model, error) {
	if file != "" {
		m, err := model.Load(file)
		if !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	m, err := p.fitted(ctx, recipe)
	if err == nil && file != "" {
		err = m.Save(file)
	}
	return m, err
}

// integral returns that of a model over the unit cube.
func integral(m *beziergp.Model) (analysis.Number, error) {
	laws := map[string]measure.Law{}
	for _, in := range m.Inputs() {
		law, err := measure.Uniform(in.Lo, in.Hi)
		if err != nil {
			return analysis.Number{}, err
		}
		laws[in.Name] = law
	}
	a, err := analysis.New(m, analysis.Options{Laws: laws})
	if err != nil {
		return analysis.Number{}, err
	}
	return a.Integral(), nil
}

// with returns the model with parts of it changed.
func with(m *beziergp.Model, change func(*model.Parts)) (*beziergp.Model, error) {
	p := model.Parts{
		Posterior: m.Posterior(), Inputs: m.Inputs(), Neighbours: m.Neighbours(), Outputs: []model.Output{m.Output()}, Policy: m.Policy(), Training: m.Training(), Profile: m.Profile(),
	}
	change(&p)
	return model.New(p)
}

// trials are errors of an integral with the deviations that are stated of it, in deviations of the
// function.
type trials struct {
	error, stated, plain   []float64 // plain deviations take residuals for Gaussian ones
	debiased               []float64 // errors of the integral with the mean of the residuals added
	sampled, sampledStated []float64 // of the sample's mean
}

// and returns the trials of both.
func (t trials) and(o trials) trials {
	return trials{
		append(t.error, o.error...), append(t.stated, o.stated...), append(t.plain, o.plain...),
		append(t.debiased, o.debiased...), append(t.sampled, o.sampled...), append(t.sampledStated, o.sampledStated...),
	}
}

// covered returns the share of errors within so many stated deviations.
func covered(errors, stated []float64, width float64) float64 {
	n := 0
	for i, e := range errors {
		if math.Abs(e) <= width*stated[i] {
			n++
		}
	}
	return float64(n) / float64(len(errors))
}

// integrals fits functions of Genz and integrates them.
func (o *options) integrals(ctx context.Context, page *bytes.Buffer) error {
	fmt.Fprintf(page, `
## Integrals of Genz's functions

Functions of Genz (1984) of %s inputs, parameters a and w drawn by %d seeds, a scaled to the sums of Barthelmann, Novak & Ritter (2000). Each is learned from
%d uniform points without noise (effort %s), and integrated over the unit cube in closed form. Beside it the mean of the same %d values: plain Monte
Carlo at the same number of evaluations, whose interval is Student's. Errors are root mean squares, in deviations of the function over the cube;
an interval covers where the true integral lies in it. *Plain* deviations take residuals for Gaussian ones (h = 1 in [the formula](guide/effects.md#how-far-to-trust-the-deviations));
*debiased* is the integral with the mean residual out of fold added, which the program does not do. A function that is the same at all points is drawn again.
The last row has the difficulty that Genz gave a corner peak of five inputs: nearly all of it is in a corner that few points meet. How much more there is
than these show no residual can tell, nor the mean of the sample.

`, "5, 10 and 20", o.seeds, o.rows, o.effort, o.rows)
	markdown.Head(page, "family", "inputs", "error", "stated deviation", "coverage of ± 1.96", "of plain deviations", "error, debiased", "Monte Carlo's error", "its coverage")
	width := distuv.StudentsT{Sigma: 1, Nu: float64(o.rows - 1)}.Quantile(0.975)
	for _, f := range append(slices.Clone(families), hardest) {
		dimensions := []int{5, 10, 20}
		if f.name == hardest.name {
			dimensions = dimensions[:1]
		}
		for _, d := range dimensions {
			row, err := o.trial(ctx, f, d, width)
			if err != nil {
				return fmt.Errorf("%s, %d inputs: %w", f.name, d, err)
			}
			fmt.Fprintln(os.Stderr, row)
			markdown.Row(page, row)
		}
	}
	return nil
}

// trial returns the row of a family; width is that of Student's interval.
func (o *options) trial(ctx context.Context, f family, d int, width float64) ([]string, error) {
	var all trials
	for seed := range uint64(o.seeds) {
		if err := all.add(ctx, f, d, o.rows, auto.Recipe{Effort: o.effort, Seed: seed}, o.keep); err != nil {
			return nil, fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return []string{f.name, fmt.Sprint(d), figure(rms(all.error)), figure(rms(all.stated)), share(covered(all.error, all.stated, 1.96)), share(covered(all.error, all.plain, 1.96)),
		figure(rms(all.debiased)), figure(rms(all.sampled)), share(covered(all.sampled, all.sampledStated, width))}, nil
}

// add adds the trial of a recipe's seed, of a function of d inputs at so many points. Its model is kept
// in a directory, and taken from there where it is.
func (t *trials) add(ctx context.Context, f family, d, rows int, recipe auto.Recipe, keep string) error {
	rng := rand.New(rand.NewPCG(recipe.Seed, 0x67656e7a<<8+uint64(d))) // the letters "genz"
	g := f.draw(d, rng)
	p := uniform(rows, d, rng, g.f)
	for slices.Min(p.y) == slices.Max(p.y) {
		g = f.draw(d, rng)
		p = uniform(rows, d, rng, g.f)
	}
	var file string
	if keep != "" {
		file = filepath.Join(keep, fmt.Sprintf("%s-%d-%d-%d-%s.bgp", f.name, d, rows, recipe.Seed, recipe.Effort))
	}
	m, err := p.kept(ctx, recipe, file)
	if err != nil {
		return err
	}
	got, err := integral(m)
	if err != nil {
		return err
	}
	unscored, err := with(m, func(p *model.Parts) {
		own := *p.Profile
		own.Scores = nil
		p.Profile = &own
	})
	if err != nil {
		return err
	}
	plain, err := integral(unscored)
	if err != nil {
		return err
	}
	mean, sd := stat.MeanStdDev(p.y, nil)
	t.error, t.stated, t.plain = append(t.error, (got.Mean-g.integral)/sd), append(t.stated, got.Std/sd), append(t.plain, plain.Std/sd)
	t.debiased = append(t.debiased, (got.Mean+m.Training().Residuals.Mean-g.integral)/sd)
	t.sampled, t.sampledStated = append(t.sampled, (mean-g.integral)/sd), append(t.sampledStated, 1/math.Sqrt(float64(rows)))
	return nil
}

func rms(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x * x / float64(len(v))
	}
	return math.Sqrt(sum)
}

func figure(v float64) string { return fmt.Sprintf("%.2g", v) }

func share(v float64) string { return fmt.Sprintf("%.2f", v) }
