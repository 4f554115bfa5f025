package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
)

// shapley measures explain beside shap, of a model of ten inputs.
func (o *options) shapley(ctx context.Context, page *bytes.Buffer) error {
	const d, n, asked = 10, 2000, 3
	dir, err := os.MkdirTemp("", "analysis-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := harness.Build(ctx, dir)
	if err != nil {
		return err
	}
	data, model := filepath.Join(dir, "data.csv"), filepath.Join(dir, "m.bgp")
	p := uniform(n, d, rand.New(rand.NewPCG(6, d)), gFunction(d, n).f)
	if err := p.write(data); err != nil {
		return err
	}
	if _, err := program.Call(ctx, "fit", data, "--target", "y", "--effort", string(o.effort), "--out", model, "--quiet"); err != nil {
		return err
	}
	out, err := program.Call(ctx, "explain", model, data, "--out", filepath.Join(dir, "values.parquet"))
	if err != nil {
		return err
	}
	seconds, _ := out.Event("summary")["seconds"].(float64)
	var peer struct {
		Permutation, Tree float64
		Shap, XGBoost     string
	}
	if err := o.python3(ctx, &peer, "shapley", program.Path, model, data, strconv.Itoa(asked)); err != nil {
		return err
	}
	own := n / seconds
	fmt.Fprintf(page, `
## Shapley values

A model of %d inputs (effort %s) of %d rows, all in one run. shap %s asks the same model by `+"`predict`"+` on files, with 100 background rows, which `+"`explain`"+` does not
need: its baseline are averages over all training rows. TreeExplainer is of an XGBoost %s of 500 trees of depth 6 on the same table, which is another model.

`, d, o.effort, n, peer.Shap, peer.XGBoost)
	markdown.Head(page, "what", "rows a second", "times slower than explain")
	markdown.Row(page, []string{"`explain`, exact", rate(own), "1"})
	markdown.Row(page, []string{"PermutationExplainer, a callback", rate(peer.Permutation), rate(own / peer.Permutation)})
	markdown.Row(page, []string{"TreeExplainer of XGBoost", rate(peer.Tree), rate(own / peer.Tree)})
	return nil
}

func rate(v float64) string { return fmt.Sprintf("%.3g", v) }

// write writes the points as a CSV file.
func (p points) write(path string) error {
	header := []string{"y"}
	for i := range p.x {
		header = append(header, name(i))
	}
	rows := [][]string{header}
	for k, y := range p.y {
		row := []string{strconv.FormatFloat(y, 'g', -1, 64)}
		for _, column := range p.x {
			row = append(row, strconv.FormatFloat(column[k], 'g', -1, 64))
		}
		rows = append(rows, row)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
