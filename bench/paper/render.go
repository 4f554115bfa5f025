package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"os"
	"runtime"
	"strings"

	"beziergp/metric"
)

// table1 is the row "BezierGP, ν = 20" of the paper's Table 1: mean and deviation
// over 20 splits of their own, in the target's units.
//
//go:embed table1.csv
var table1 string

const heading = `# The paper's Table 1, rerun

Order 20, 20 orderings, 10000 steps of 500 rows at rate 0.001, seed 0, then σ² in closed form. Mean ± standard deviation over
the splits, on the test rows, in the units of the target; the log-likelihood is that of one test row. The paper's figures
are over 20 splits of their own (Jørgensen & Osborne 2022, Table 1, BezierGP ν = 20). Test rows outside the training box are
clipped to its face here; the paper's polynomials are evaluated there, which is why its RMSE explodes on two sets.

`

// render writes the table of all records as Markdown.
func render(path string, records []record) error {
	rows, err := csv.NewReader(strings.NewReader(table1)).ReadAll()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(heading)
	b.WriteString("| set | splits | RMSE | paper's RMSE | log-likelihood | paper's log-likelihood | 95 % coverage | rows outside the box | seconds a fit |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|\n")
	for _, published := range rows[1:] {
		var rmse, ll, coverage, seconds []float64
		outside, n := 0, 0
		for _, r := range records {
			if r.Set == published[0] {
				rmse, ll = append(rmse, r.RMSE), append(ll, -r.NLPD)
				coverage, seconds = append(coverage, r.Coverage95), append(seconds, r.Seconds)
				outside, n = outside+r.OutsideBox, n+r.N
			}
		}
		if len(rmse) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s ± %s | %s | %s ± %s | %s | %d of %d | %.0f |\n", published[0], len(rmse),
			meanSD(rmse), published[1], published[2], meanSD(ll), published[3], published[4], meanSD(coverage), outside, n, mean(seconds))
	}
	fmt.Fprintf(&b, "\nMade by `go run ./bench/paper -data ../shared/data` with %s on %s/%s, %d processors; the records of the single fits\nare in the file of JSON lines beside this one.\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	return os.WriteFile(path, b.Bytes(), 0o644)
}

func mean(v []float64) float64 { m, _ := metric.MeanSD(v); return m }

func meanSD(v []float64) string {
	m, sd := metric.MeanSD(v)
	if len(v) == 1 {
		return fmt.Sprintf("%.4g", m)
	}
	return fmt.Sprintf("%.4g ± %.2g", m, sd)
}
