package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"beziergp"
	"beziergp/analysis"
	"beziergp/bench/harness"
	"beziergp/bench/markdown"
	"beziergp/box"
	"beziergp/measure"
	"beziergp/table"
	"beziergp/train/auto"
)

// sampled is what the peer tells of a function: indices with half-widths of its 95 % intervals.
type sampled struct {
	First, FirstError, Total, TotalError []float64
	Evaluations                          int
	Seconds                              float64
}

// indices compares Sobol indices of fitted functions with known ones and with the peer's.
func (o *options) indices(ctx context.Context, page *bytes.Buffer) error {
	fmt.Fprintf(page, `
## Sobol indices

Each function is learned from points drawn from the distributions of its inputs, without noise (effort %s). *Closed form* are indices of the fitted
mean by `+"`sensitivity`"+` (total ones are its estimate); SALib samples the same fitted mean by `+"`predict`"+` on files, with Sobol' points as Saltelli has them. The first
columns tell how far the fit is from the known indices, the largest difference over inputs; the next how far closed form and
SALib's sampling of the same mean are apart, and of how many indices the difference is within SALib's own 95 %% intervals.
Borehole's known indices are SALib's of the function itself, of 16384 points.

`, o.effort)
	markdown.Head(page, "function", "inputs", "rows", "first − known", "total − known", "first − SALib", "total − SALib", "within SALib's error", "its evaluations", "s, closed form", "s, SALib")
	dir, err := os.MkdirTemp("", "analysis-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := harness.Build(ctx, dir)
	if err != nil {
		return err
	}
	for _, k := range knownFunctions() {
		row, err := o.index(ctx, program, k)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		fmt.Fprintln(os.Stderr, row)
		markdown.Row(page, row)
	}
	return nil
}

func (o *options) index(ctx context.Context, program harness.Program, k known) ([]string, error) {
	d := len(k.inputs)
	rng := rand.New(rand.NewPCG(5, uint64(d)))
	p := uniform(k.rows, d, rng, func(u []float64) float64 {
		for i, v := range k.inputs {
			u[i] = v.quantile(u[i])
		}
		return k.f(u)
	})
	columns, bounds, laws := []table.Column{table.ColumnOf("y", p.y)}, map[string]box.Bounds{}, map[string]measure.Law{}
	for i, v := range k.inputs {
		columns = append(columns, table.ColumnOf(name(i), p.x[i]))
		bounds[name(i)] = box.Bounds{Lo: v.lo, Hi: v.hi}
		var err error
		if laws[name(i)], err = v.parsed(); err != nil {
			return nil, err
		}
	}
	rows, err := table.New(columns...)
	if err != nil {
		return nil, err
	}
	m, err := beziergp.Fit(ctx, rows, "y", beziergp.Options{Recipe: auto.Recipe{Effort: o.effort}, Bounds: bounds})
	if err != nil {
		return nil, err
	}
	began := time.Now()
	a, err := analysis.New(m, analysis.Options{Laws: laws, Truncate: true})
	if err != nil {
		return nil, err
	}
	got, err := a.Sobol(ctx, analysis.SobolOptions{Workers: 2, NoPairs: true})
	if err != nil {
		return nil, err
	}
	seconds := time.Since(began).Seconds()
	file := filepath.Join(program.Dir, "m.bgp")
	if err := m.Save(file); err != nil {
		return nil, err
	}
	of, err := o.peer(ctx, program, k, file, 1024)
	if err != nil {
		return nil, err
	}
	if k.first == nil {
		itself, err := o.peer(ctx, program, k, k.name, 16384)
		if err != nil {
			return nil, err
		}
		k.first, k.total = itself.First, itself.Total
	}
	var total []float64
	within := 0
	for i, e := range got.Total {
		total = append(total, e.Value)
		if math.Abs(got.First[i]-of.First[i]) <= of.FirstError[i] {
			within++
		}
		if math.Abs(e.Value-of.Total[i]) <= math.Hypot(of.TotalError[i], 1.96*e.Error) {
			within++
		}
	}
	return []string{k.name, fmt.Sprint(d), fmt.Sprint(k.rows), figure(apart(got.First, k.first)), figure(apart(total, k.total)),
		figure(apart(got.First, of.First)), figure(apart(total, of.Total)), fmt.Sprintf("%d of %d", within, 2*d), fmt.Sprint(of.Evaluations), figure(seconds), figure(of.Seconds)}, nil
}

// apart returns the largest difference.
func apart(a, b []float64) (most float64) {
	for i, v := range a {
		most = max(most, math.Abs(v-b[i]))
	}
	return most
}

// peer has SALib sample what a model in a file says, or the function of that name itself.
func (o *options) peer(ctx context.Context, program harness.Program, k known, of string, points int) (*sampled, error) {
	var inputs []map[string]any
	for _, v := range k.inputs {
		inputs = append(inputs, map[string]any{"lo": v.lo, "hi": v.hi, "law": v.law})
	}
	text, err := json.Marshal(inputs)
	if err != nil {
		return nil, err
	}
	var s sampled
	return &s, o.python3(ctx, &s, "indices", program.Path, of, strconv.Itoa(points), string(text))
}

// python3 runs the script of peers, which prints JSON.
func (o *options) python3(ctx context.Context, into any, args ...string) error {
	cmd := exec.CommandContext(ctx, o.python, append([]string{filepath.Join("bench", "peers", "analysis.py")}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("bench/peers/analysis.py: %w", err)
	}
	return json.Unmarshal(out, into)
}
