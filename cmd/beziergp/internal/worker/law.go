//go:build !lean && !wasm

package worker

import (
	"fmt"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/table"
)

// lawNamed returns the law of a name, nil for that of the target's column. Without a name it
// is that of a number, as whoever asks without one expects.
func lawNamed(name string) (likelihood.Likelihood, error) {
	switch name {
	case "":
		return likelihood.Gaussian{}, nil
	case "auto":
		return nil, nil
	}
	law, err := likelihood.Named(name)
	if err != nil {
		return nil, exit.Usagef("likelihood: %w", err)
	}
	return law, nil
}

// unit returns the deviation of a target that is learned as a number, 0 of others. Of several
// targets it is 1: a score of all is in deviations.
func (o *fitOptions) unit(rows *table.Table, law likelihood.Likelihood) float64 {
	if len(o.Targets) > 1 {
		return 1
	}
	f, _ := rows.Field(o.Targets[0])
	if law == nil {
		law = likelihood.OfTarget(box.Target{Kind: f.Kind, Levels: f.Levels})
	}
	if !likelihood.IsGaussian(law) {
		return 0
	}
	y, _ := rows.Column(o.Targets[0])
	return deviation(y)
}

// sets adds which classes are in the sets of rows, a column each, s0 and so on.
func (s *stream) sets(p *model.Predictions, least float64) {
	n := len(p.InBox)
	if n == 0 || p.Classes == nil {
		return
	}
	all := make([][]bool, len(p.Classes)/n)
	for c := range all {
		all[c] = make([]bool, n)
	}
	for i := range n {
		for _, c := range p.Set(i, least) {
			all[c][i] = true
		}
	}
	for c, in := range all {
		s.truths(fmt.Sprintf("s%d", c), in)
	}
}

// classes adds the probabilities of the classes, a column each, p0 and so on.
func (s *stream) classes(p *model.Predictions) {
	n := len(p.InBox)
	if n == 0 || p.Classes == nil {
		return
	}
	k := len(p.Classes) / n
	for c := range k {
		column := make([]float64, n)
		for i := range column {
			column[i] = p.Classes[i*k+c]
		}
		s.numbers(fmt.Sprintf("p%d", c), column)
	}
}
