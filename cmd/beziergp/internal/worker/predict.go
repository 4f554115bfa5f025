//go:build !lean && !wasm

package worker

import (
	"fmt"
	"math"
	"slices"
	"time"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/model"
	"beziergp/predictive"
)

// predictOptions are those of the verb predict.
type predictOptions struct {
	Model     string    `json:"model"`
	Columns   []string  `json:"columns"` // of the answer, in order
	Quantiles []float64 `json:"quantiles"`
	Level     float64   `json:"level"`
	Interval  string    `json:"interval"`
	OutOfBox  string    `json:"out_of_box"`
	Workers   int       `json:"workers"`
	// Time asks for how long predicting took, without what brings rows and numbers.
	Time bool `json:"time"`
}

// few is the number of rows that one goroutine predicts before others would have begun.
const few = 256

// predict predicts the rows of the body.
func predict(r *request) (any, []byte, error) {
	var o predictOptions
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	m, err := r.model(o.Model)
	if err != nil {
		return nil, nil, err
	}
	options := model.PredictOptions{Workers: o.Workers, Level: o.Level, Interval: model.Interval(o.Interval), Policy: box.Policy(o.OutOfBox), MeanAlone: o.meanAlone()}
	least := 0.0 // that a class has to have to be in a set
	if slices.Contains(o.Columns, "sets") {
		if least, err = (apply.Options{Level: o.Level}).Least(m); err != nil {
			return nil, nil, err
		}
		options.Level = 0
	}
	rows, err := r.rows(0, m)
	if err != nil {
		return nil, nil, err
	}
	if rows.Rows() <= few {
		options.Workers = 1
	}
	began := time.Now()
	p, err := m.Predict(r.ctx, rows, options)
	if err != nil {
		return nil, nil, err
	}
	result := familyOf(p, m.Target().Range)
	if p.Classes != nil && o.numbers() {
		return nil, nil, exit.Usagef("columns: the target %q has classes: ask for their probabilities", m.Target().Name)
	}
	if p.Classes == nil && slices.Contains(o.Columns, "classes") {
		return nil, nil, exit.Usagef("columns: the target %q has no classes", m.Target().Name)
	}
	if o.Time {
		result.Seconds = time.Since(began).Seconds()
	}
	var s stream
	for _, name := range o.Columns {
		if !addColumn(&s, name, p, least) {
			return nil, nil, exit.Usagef("columns: predictions have no column %q", name)
		}
	}
	for _, q := range o.Quantiles {
		if !(q > 0 && q < 1) {
			return nil, nil, exit.Usagef("quantiles: %g; it must be above 0 and below 1", q)
		}
		values := make([]float64, len(p.Mean))
		for i := range values {
			if values[i] = p.Distribution(i).Quantile(q); math.IsInf(values[i], 0) {
				return nil, nil, &model.RowError{Row: i + 1, Err: fmt.Errorf("the quantile %g overflows; ask for one nearer to 0.5", q)}
			}
		}
		s.numbers(fmt.Sprintf("q%g", q), values)
	}
	body, err := s.bytes()
	return result, body, err
}

// numbers tells whether something is asked for that is told of numbers only.
func (o *predictOptions) numbers() bool {
	return len(o.Quantiles) > 0 || slices.ContainsFunc(o.Columns, func(name string) bool { return name != "classes" && name != "sets" && name != "in_box" })
}

// meanAlone tells whether nothing but the mean is asked for, which takes less.
func (o *predictOptions) meanAlone() bool {
	for _, name := range o.Columns {
		if name != "mean" && name != "in_box" {
			return false
		}
	}
	return len(o.Quantiles) == 0
}

// addColumn adds a column of predictions, and tells whether there is one of the name. Least is
// what a class has to have to be in a set.
func addColumn(s *stream, name string, p *model.Predictions, least float64) bool {
	numbers := map[string][]float64{
		"mean": p.Mean, "std": p.Std, "std_f": p.StdF, "lower": p.Lower, "upper": p.Upper, "location": p.Location, "scale": p.Scale,
	}
	switch v, ok := numbers[name]; {
	case ok:
		s.numbers(name, v)
	case name == "in_box":
		s.truths(name, p.InBox)
	case name == "density":
		addDensity(s, p)
	case name == "classes":
		s.classes(p)
	case name == "sets":
		s.sets(p, least)
	default:
		return false
	}
	return true
}

// addDensity adds the densities' values at the nodes, a column each; none where they are 1.
func addDensity(s *stream, p *model.Predictions) {
	if p.Density == nil {
		return
	}
	for k := range predictive.Nodes {
		v := make([]float64, len(p.Mean))
		for i := range v {
			v[i] = p.Density[i*predictive.Nodes+k]
		}
		s.numbers(fmt.Sprintf("density%d", k), v)
	}
}

// covariance returns the covariances of f between all rows of the body, those of a row after
// another in one column.
func covariance(r *request) (any, []byte, error) {
	var o function
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	m, rows, err := o.at(r)
	if err != nil {
		return nil, nil, err
	}
	c, err := m.Covariance(r.ctx, rows, rows)
	if err != nil {
		return nil, nil, err
	}
	var s stream
	s.numbers("covariance", c.RawMatrix().Data)
	body, err := s.bytes()
	return nil, body, err
}
