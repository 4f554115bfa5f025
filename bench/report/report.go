// Package report renders records of benchmarks: a page of tables, the same as CSV,
// and pictures. It runs nothing, and equal records make equal bytes.
package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"beziergp/bench/record"
	"beziergp/bench/suite"
	"beziergp/internal/aside"
)

// Write renders records beside published figures, which are added to the paper's own
// or replace them: the page dir.md, and dir/SUITE.csv and dir/SUITE.svg.
func Write(dir string, records []record.Record, others []Published) error {
	paper, err := Paper()
	if err != nil {
		return err
	}
	published := merge(paper, others)
	var page bytes.Buffer
	page.WriteString(heading)
	machines(&page, records)
	cells := aggregate(records)
	for _, name := range suitesOf(cells) {
		var own []*cell
		for _, c := range cells {
			if c.suite == name {
				own = append(own, c)
			}
		}
		own = append(own, publishedCells(name, own, published)...)
		if err := writeSuite(dir, name, own, &page); err != nil {
			return err
		}
	}
	page.WriteString(format)
	return aside.WriteFile(filepath.Clean(dir)+".md", func(w io.Writer) error {
		_, err := page.WriteTo(w)
		return err
	})
}

const heading = `# Benchmarks

Made by ` + "`beziergp bench`" + ` from the records beside this page; the same commands make it again.

Every fit is the command ` + "`beziergp fit`" + ` with the seed and the options in its record, on the rows that a split's mask marks
with 0; ` + "`beziergp eval`" + ` scores it on the others. Scores are in the units of the target, mean ± standard deviation over the
splits, and the log-likelihood is minus the NLPD. Seconds are wall time of the whole command, reading the table included,
and peak memory is the resident memory of the fit's process. The best of each set among the methods run here is in bold.
`

const format = `
## Records

A record is a line of JSON in a file that ends in .jsonl; any program may write some. It has "suite", "set", "split",
"method", "options" (a list of texts: what else decides on the outcome), "seed", "rows" (trained on), "test_rows",
"inputs", "rmse", "nlpd", "crps", "coverage95" (null where there is none), "conformal95" (likewise, of conformal
intervals; may be left out), "fit_seconds", "predict_seconds", "peak_memory" (bytes; may be left out), "version",
"processor", "workers", "time" (RFC 3339), "floor" (the deviation of the noise, where a generated table makes it known)
and "error" (why there are no scores). Of records of the same suite, set, split, method and seed the last counts.
`

func suitesOf(cells []*cell) (names []string) {
	for _, c := range cells {
		if !slices.Contains(names, c.suite) {
			names = append(names, c.suite)
		}
	}
	return names
}

// writeSuite writes a suite's files, and its part of the page.
func writeSuite(dir, name string, cells []*cell, page *bytes.Buffer) error {
	g := newGrid(name, cells)
	fmt.Fprintf(page, "\n## %s\n", markdown(name))
	s, ok := suite.Named(name)
	if ok {
		fmt.Fprintf(page, "\n%s.\n", strings.ToUpper(s.About[:1])+s.About[1:])
	}
	if s.Notes != "" {
		fmt.Fprintf(page, "\n%s\n", s.Notes)
	}
	g.shapes(page)
	if err := g.picture(dir, page); err != nil {
		return err
	}
	if s.Varies == suite.OverSizes {
		scaling(page, scalingSeries(cells))
	} else {
		for _, m := range measures() {
			g.table(page, m)
		}
		g.sources(page)
	}
	if s.Varies == suite.OverMethods {
		g.verdict(page)
		g.ranks(page)
	}
	g.failures(page)
	return aside.WriteFile(filepath.Join(dir, name+".csv"), func(w io.Writer) error { return writeCSV(w, cells) })
}
