package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"beziergp"
	"beziergp/analysis"
	"beziergp/bench/markdown"
	"beziergp/model"
	"beziergp/table"
	"beziergp/train/auto"
)

// sets are tables of numbers with a target y and splits in a mask.
var sets = []string{"energy", "boston", "concrete", "power"}

// means compares means of f over rows that no fit has seen with those of the target.
func (o *options) means(ctx context.Context, page *bytes.Buffer) error {
	if o.data == "" {
		return errors.New("-data is missing: name the directory of the data sets, or leave the part means out by -parts")
	}
	const halves = 10
	fmt.Fprintf(page, `
## Means over rows

Of every split of a table a model is fitted to the training rows (effort %s), and f is averaged over a random half of the test rows, %d halves a split. The
mean of the target over these rows is known: its difference from the mean of f is held against the deviation of that mean and the noise of
the rows. *Of rows alone* is the deviation without the error that rows have in common, which was all there was before.

`, o.effort, halves)
	markdown.Head(page, "table", "splits", "rows a half", "error", "stated deviation", "coverage of ± 1.96", "of rows alone")
	for _, name := range sets {
		row, err := o.meansOf(ctx, name, halves)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintln(os.Stderr, row)
		markdown.Row(page, row)
	}
	return nil
}

func (o *options) meansOf(ctx context.Context, name string, halves int) ([]string, error) {
	names, columns, err := read(filepath.Join(o.data, name, "data.csv.gz"))
	if err != nil {
		return nil, err
	}
	_, masks, err := read(filepath.Join(o.data, name, "test_mask.csv.gz"))
	if err != nil {
		return nil, err
	}
	all := make([]table.Column, len(names))
	for i := range names {
		all[i] = table.ColumnOf(names[i], columns[i])
	}
	rows, err := table.New(all...)
	if err != nil {
		return nil, err
	}
	var errs, stated, alone []float64
	size := 0
	for split, mask := range masks[:min(10, len(masks))] {
		trained, tested := make([]bool, len(mask)), make([]bool, len(mask))
		for i, v := range mask {
			trained[i], tested[i] = v == 0, v != 0
		}
		m, err := beziergp.Fit(ctx, rows.Filter(trained), "y", beziergp.Options{Recipe: auto.Recipe{Effort: o.effort}})
		if err != nil {
			return nil, err
		}
		test := rows.Filter(tested)
		rng := rand.New(rand.NewPCG(7, uint64(split)))
		for range halves {
			half := make([]bool, test.Rows())
			for _, i := range rng.Perm(test.Rows())[:(test.Rows()+1)/2] {
				half[i] = true
			}
			some := test.Filter(half)
			size = some.Rows()
			e, own, without, noise, err := meanOver(ctx, m, some)
			if err != nil {
				return nil, err
			}
			errs = append(errs, e)
			stated, alone = append(stated, math.Hypot(own, noise)), append(alone, math.Hypot(without, noise))
		}
	}
	return []string{name, fmt.Sprint(min(10, len(masks))), fmt.Sprint(size), figure(rms(errs)), figure(rms(stated)), share(covered(errs, stated, 1.96)), share(covered(errs, alone, 1.96))}, nil
}

// meanOver returns, of the mean over rows, the difference of f and the target, the deviation of
// f, that without the error that rows have in common, and that of the noise.
func meanOver(ctx context.Context, m *beziergp.Model, rows *table.Table) (e, own, alone, noise float64, err error) {
	mean, err := meanOfF(ctx, m, rows)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	unshared, err := with(m, func(p *model.Parts) { p.Training.Residuals = nil })
	if err != nil {
		return 0, 0, 0, 0, err
	}
	without, err := meanOfF(ctx, unshared, rows)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	p, err := m.Predict(ctx, rows, model.PredictOptions{})
	if err != nil {
		return 0, 0, 0, 0, err
	}
	y, _ := rows.Column("y")
	n := float64(len(y))
	for i, v := range y {
		e += (mean.Mean - v) / n
		noise += (p.Std[i]*p.Std[i] - p.StdF[i]*p.StdF[i]) / (n * n)
	}
	return e, mean.Std, without.Std, math.Sqrt(max(0, noise)), nil
}

// meanOfF returns the mean of f over rows.
func meanOfF(ctx context.Context, m *beziergp.Model, rows *table.Table) (analysis.Average, error) {
	r, err := analysis.NewRows(ctx, m, rows, analysis.RowsOptions{Workers: 2})
	if err != nil {
		return analysis.Average{}, err
	}
	return r.Weighted(ctx, slices.Repeat([]float64{1 / float64(r.Len())}, r.Len()), 1)
}

// read returns the columns of a compressed CSV file of numbers.
func read(path string) (names []string, columns [][]float64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	rows := csv.NewReader(unzipped)
	if names, err = rows.Read(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	columns = make([][]float64, len(names))
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return names, columns, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		for i, text := range row {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: column %s: %w", path, names[i], err)
			}
			columns[i] = append(columns[i], v)
		}
	}
}
