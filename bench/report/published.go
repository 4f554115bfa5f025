package report

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"beziergp/bench/record"
)

// Published is what somebody has published of a method on a set.
type Published struct {
	Suite       string // empty for any but those that vary something else than the method
	Set, Method string
	RMSE, NLPD  Stat
	Units       string
	Source      string
}

// Paper are the figures of Jørgensen & Osborne (2022): its Table 1, its table of
// permutations, and the numbers behind its large-scale figure.
func Paper() ([]Published, error) { return readPublished(strings.NewReader(paper), "paper.csv") }

//go:embed paper.csv
var paper string

// ReadPublished reads a CSV file of published figures. Its columns are set, method,
// rmse, rmse_sd, ll, ll_sd, units and source, in any order; suite may be among them.
func ReadPublished(path string) ([]Published, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readPublished(file, path)
}

func readPublished(from io.Reader, name string) ([]Published, error) {
	r := csv.NewReader(from)
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, column := range []string{"set", "method", "rmse", "rmse_sd", "ll", "ll_sd", "units", "source"} {
		if !slices.Contains(header, column) {
			return nil, &record.FileError{File: name, Line: 1, Err: fmt.Errorf("there is no column %q", column)}
		}
	}
	var all []Published
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		text := map[string]string{}
		for i, column := range header {
			text[column] = cells[i]
		}
		p := Published{Suite: text["suite"], Set: text["set"], Method: text["method"], Units: text["units"], Source: text["source"]}
		line, _ := r.FieldPos(0)
		for column, to := range map[string]*float64{"rmse": &p.RMSE.Mean, "rmse_sd": &p.RMSE.SD, "ll": &p.NLPD.Mean, "ll_sd": &p.NLPD.SD} {
			*to = math.NaN()
			if text[column] == "" {
				continue
			}
			if *to, err = strconv.ParseFloat(text[column], 64); err != nil {
				return nil, &record.FileError{File: name, Line: line, Err: fmt.Errorf("column %q: %q is not a number", column, text[column])}
			}
		}
		p.NLPD.Mean = -p.NLPD.Mean
		all = append(all, p)
	}
}

// merge returns the paper's figures and others; of the same method on the same set the
// latter count.
func merge(paper, others []Published) []Published {
	kept := slices.DeleteFunc(slices.Clone(paper), func(p Published) bool {
		return slices.ContainsFunc(others, func(o Published) bool { return o.Set == p.Set && o.Method == p.Method })
	})
	return append(kept, others...)
}
