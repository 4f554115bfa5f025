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

	"beziergp/bench/markdown"
	"beziergp/bench/record"
	"beziergp/bench/suite"
	"beziergp/internal/atomicfile"
	"beziergp/plot/canvas"
)

// Write renders records beside published figures, which are added to the paper's own
// or replace them: the page dir.md, and dir/SUITE.csv, dir/SUITE.svg and dir/SUITE-tested.svg, or .png.
func Write(dir string, records []record.Record, others []Published, pictures canvas.Format) error {
	paper, err := Paper()
	if err != nil {
		return err
	}
	published := merge(paper, others)
	cells := aggregate(records)
	var grids []*grid
	for _, name := range suitesOf(cells) {
		var own []*cell
		for _, c := range cells {
			if c.suite == name {
				own = append(own, c)
			}
		}
		grids = append(grids, newGrid(name, append(own, publishedCells(name, own, published)...)))
	}
	var page bytes.Buffer
	page.WriteString(heading)
	summary(&page, grids)
	page.WriteString(method)
	machines(&page, records)
	for _, g := range grids {
		if err := g.write(dir, &page, pictures); err != nil {
			return err
		}
	}
	page.WriteString(format)
	return atomicfile.WriteFile(filepath.Clean(dir)+".md", func(w io.Writer) error {
		_, err := page.WriteTo(w)
		return err
	})
}

const heading = `# Benchmarks

Made by ` + "`beziergp bench`" + ` from the records beside this page; the same commands make it again.
`

const method = `
## How to read the tables

Every fit of this program is the command ` + "`beziergp fit`" + ` with the seed and the options in its record, on the rows that a
split's mask marks with 0; ` + "`beziergp eval`" + ` scores it on the others. Other libraries learn from the same rows and are scored on
the same others by ` + "`bench/peers/peers.py`" + `, whose head and ` + "`bench/peers/trees.py`" + ` say how: a fifth of the training rows chooses among a
few candidates and the number of trees, and around the mean stands one deviation, a variance of each row from a second model
of the same library, or what the library itself offers. Classes, counts and amounts they learn by ` + "`bench/peers/tasks.py`" + `: a held-out
fifth chooses among candidates drawn at random by the suite's own loss, as ` + "`bench/peers/laws.py`" + ` says.

Scores are in the units of the target, mean ± standard deviation over the splits, and the log-likelihood is minus the NLPD,
in nats a row. Splits differ by more than methods do, so that methods are compared on the splits that both have alone, and a
method that lacks some has (1 of 10) behind its mean. In bold is what is first on its set: there is another method run here,
and none is better on the splits that both have.

Seconds are wall time of the whole command, reading the table included, and peak memory is the resident memory of the fit's
process. Times are of those fits that had the machine to themselves. A ~ marks a method none of whose fits had: its time is
that of all processors together over the number of workers, the least that it can take alone, which is to its advantage. A fit
had the machine to itself where other programs kept at most a tenth of a processor busy in the mean, or where the record does
not tell: such records were made before that was measured, or on a system that does not measure it.
`

const format = `
## Records

A record is a line of JSON in a file that ends in .jsonl; any program may write some. It has "suite", "set", "split",
"method", "options" (a list of texts: what else decides on the outcome), "seed", "rows" (trained on), "test_rows",
"inputs", "rmse", "nlpd", "crps", "coverage95" (null where there is none), "conformal95" (likewise, of conformal
intervals; may be left out), "log_loss", "accuracy" and "ece" (of classes alone), "deviance" (of counts and amounts alone),
"fit_seconds", "predict_seconds", "cpu_seconds" (of all processors together, user and system, of the fit; may be left out),
"beside" (how many processors other programs kept busy during the fit, in the mean; may be left out), "curve" (pairs of
seconds and the RMSE that test rows have then; may be left out), "peak_memory" (bytes; may be left out), "version", "processor", "workers", "time" (RFC 3339), "floor" (the deviation of
the noise, where a generated table makes it known) and "error" (why there are no scores). Of records of the same suite, set,
split, method and seed the last counts.
`

func suitesOf(cells []*cell) (names []string) {
	for _, c := range cells {
		if !slices.Contains(names, c.suite) {
			names = append(names, c.suite)
		}
	}
	return names
}

// write writes a suite's files, and its part of the page.
func (g *grid) write(dir string, page *bytes.Buffer, pictures canvas.Format) error {
	name, cells := g.suite, g.all
	fmt.Fprintf(page, "\n## %s\n", markdown.Text(name))
	s, ok := suite.Named(name)
	if ok {
		fmt.Fprintf(page, "\n%s.\n", strings.ToUpper(s.About[:1])+s.About[1:])
	}
	if s.Notes != "" {
		fmt.Fprintf(page, "\n%s\n", s.Notes)
	}
	g.shapes(page)
	if err := g.picture(dir, page, pictures); err != nil {
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
	if s.Varies == suite.OverSeconds {
		g.quality(page)
	}
	if s.Varies == suite.OverMethods {
		g.comparisons(page)
		if err := g.tested(dir, page, pictures); err != nil {
			return err
		}
		g.verdict(page)
		g.ranks(page)
	}
	g.failures(page)
	return atomicfile.WriteFile(filepath.Join(dir, name+".csv"), func(w io.Writer) error { return writeCSV(w, cells) })
}
