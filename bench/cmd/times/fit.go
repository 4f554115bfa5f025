package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
	"beziergp/internal/atomicfile"
)

// result is what came of one table.
type result struct {
	shape
	score      string
	seconds    float64
	processors float64  // that the fit kept busy, in the mean
	beside     *float64 // that other programs kept busy; nil is unknown
	err        error
}

// fit fits a table, which it writes into the directory of tables where it is missing.
func fit(ctx context.Context, program harness.Program, s shape, tables, effort string, seed uint64) (r result) {
	r.shape = s
	path := filepath.Join(tables, fmt.Sprintf("%s, seed %d.csv", s.name(), seed))
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if r.err = atomicfile.WriteFile(path, func(w io.Writer) error { return s.write(ctx, w, seed) }); r.err != nil {
			return r
		}
	}
	o, err := program.Call(ctx, "fit", path, "--target", "y", "--likelihood", s.law.likelihood, "--effort", effort, "--seed", fmt.Sprint(seed), "--out", filepath.Join(program.Dir, "m.bgp"))
	r.err, r.seconds, r.beside = err, o.Seconds, o.Beside
	if o.Seconds > 0 {
		r.processors = o.CPU / o.Seconds
	}
	r.score = s.law.score(o.Event("summary"))
	return r
}

// score returns the law's score out of fold from what fit tells at the end.
func (l law) score(summary map[string]any) string {
	scores, _ := summary[l.event].(map[string]any)
	if v, ok := scores[l.measure].(float64); ok {
		return fmt.Sprintf("%.4g", v)
	}
	return "-"
}

// row writes a line of the page.
func (r result) row(w io.Writer, limit float64) {
	mark, beside := "", ""
	switch {
	case r.err != nil:
		mark = markdown.Text(r.err.Error())
	case r.seconds > limit:
		mark = "**too long**"
	}
	if r.beside != nil {
		beside = fmt.Sprintf("%.2f", *r.beside)
	}
	markdown.Row(w, fmt.Sprintf("%d × %d", r.rows, r.inputs), r.kind.name, r.law.name, r.score, fmt.Sprintf("%.1f", r.seconds), fmt.Sprintf("%.2f", r.processors), beside, mark)
}
