package cv

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"beziergp"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/internal/printable"
	"beziergp/metric"
	"beziergp/table"
)

// page is what is printed: a line a fold as it is done, what they have in common, and the
// scores of all rows.
type page struct {
	out   io.Writer
	json  bool
	names []string // of all folds
	folds []scored
	all   *apply.Parts
	rows  []predicted
	// workers score the rows of a fold.
	workers int
	// target is the column of the targets, and classes are its classes; nil for numbers.
	target  table.Field
	classes []string
}

// scored is a fold that is done.
type scored struct {
	Fold      string       `json:"fold"`
	TrainRows int          `json:"train_rows"`
	Seconds   float64      `json:"seconds"`
	Report    apply.Report `json:"scores"`
}

// add takes in a fold and prints its line.
func (p *page) add(v *beziergp.Validation, train int, y []float64, seconds float64) error {
	own := apply.NewParts(p.workers)
	if err := errors.Join(own.Add(v.Model, v.Rows, p.target, y, v.Predictions), p.all.Add(v.Model, v.Rows, p.target, y, v.Predictions)); err != nil {
		return err
	}
	m := v.Predictions
	p.classes = apply.ClassesOf(v.Model, p.target)
	for i, row := range v.Test {
		if p.classes != nil {
			break
		}
		p.rows = append(p.rows, predicted{row, v.Fold, y[i], m.Mean[i], m.Std[i], m.Lower[i], m.Upper[i], nil})
	}
	if p.classes != nil {
		for i, all := range apply.AlignedOf(v.Model, p.target, m) {
			p.rows = append(p.rows, predicted{row: v.Test[i], fold: v.Fold, observed: y[i], classes: all})
		}
	}
	p.folds = append(p.folds, scored{p.names[v.Fold], train, seconds, own.Report()})
	if p.json {
		return nil
	}
	scores := own.Report().Scores
	if len(p.folds) == 1 {
		if err := p.line("fold", "trained", func(s gate.Score) string { return s.Name }, scores, "took"); err != nil {
			return err
		}
	}
	return p.line(p.names[v.Fold], fmt.Sprint(train), number, scores, fmt.Sprintf("%.1f s", seconds))
}

// line prints a line of the table: what it is of, rows trained on, scores, and the time it
// took.
func (p *page) line(name, train string, text func(gate.Score) string, scores []gate.Score, took string) error {
	width := len("fold") // of the first column
	for _, n := range append([]string{"deviation"}, p.names...) {
		width = max(width, len([]rune(printable.Name(n))))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s  %8s", width, printable.Name(name), train)
	for _, s := range scores {
		fmt.Fprintf(&b, "  %*s", max(8, len(s.Name)), text(s))
	}
	fmt.Fprintf(&b, "  %8s", took)
	_, err := fmt.Fprintln(p.out, strings.TrimRight(b.String(), " "))
	return err
}

func number(s gate.Score) string {
	if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) {
		return "-"
	}
	return fmt.Sprintf("%.6g", s.Value)
}

// moments returns means and deviations of the scores over the folds.
func (p *page) moments() (mean, deviation []gate.Score) {
	for i, s := range p.folds[0].Report.Scores {
		var values []float64
		for _, f := range p.folds {
			values = append(values, f.Report.Scores[i].Value)
		}
		m, sd := metric.MeanSD(values)
		mean, deviation = append(mean, gate.Score{Name: s.Name, Value: m}), append(deviation, gate.Score{Name: s.Name, Value: sd})
	}
	return mean, deviation
}

// conclude prints what comes after the last fold.
func (p *page) conclude(stopped bool) error {
	if len(p.folds) == 0 {
		return nil
	}
	mean, deviation := p.moments()
	if p.json {
		return json.NewEncoder(p.out).Encode(map[string]any{
			"folds": p.folds, "mean": byName(mean), "deviation": byName(deviation), "all": p.all.Report(), "interrupted": stopped,
		})
	}
	for _, own := range []struct {
		name   string
		scores []gate.Score
	}{{"mean", mean}, {"deviation", deviation}} {
		text := func(s gate.Score) string {
			if s.Name == own.scores[0].Name { // the number of rows
				return ""
			}
			return number(s)
		}
		if err := p.line(own.name, "", text, own.scores, ""); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(p.out, "\nall rows together"); err != nil {
		return err
	}
	return p.all.Report().Print(p.out, false)
}

// byName returns scores, but for the number of rows, as an object of JSON, null where there
// is none.
func byName(scores []gate.Score) map[string]*float64 {
	all := map[string]*float64{}
	for _, s := range scores[1:] {
		all[s.Name] = nil
		if v := s.Value; !math.IsNaN(v) && !math.IsInf(v, 0) {
			all[s.Name] = &v
		}
	}
	return all
}
