package infer

import (
	"context"
	"math"
	"slices"

	"beziergp/explain"
	"beziergp/model"
	"beziergp/server/oip"
	"beziergp/server/repository"
)

// mostExplained is how many rows of a request are explained: each takes as long as many
// predictions.
const mostExplained = 1000

// Explanation is what every column adds to the predictions of rows.
type Explanation struct {
	Columns []string
	Base    float64
	Values  []float64 // [n, columns]
}

// Explain explains rows, as [explain.Explainer.Explain] does, against each input's averages
// over the training rows.
func (s *Service) Explain(ctx context.Context, m *repository.Loaded, columns [][]float64, a *Ask) (*Explanation, error) {
	own, ok := m.Model.Model.(*model.Model)
	if !ok {
		return nil, oip.Errorf(oip.Invalid, "explain: the model is of another method than bezier; leave it out")
	}
	if err := explain.Check(own); err != nil {
		return nil, oip.Errorf(oip.Invalid, "explain: %v", err)
	}
	n := len(columns[0])
	if n > mostExplained {
		return nil, oip.Errorf(oip.TooLarge, "explain: %d rows; send %d at a time", n, mostExplained)
	}
	ctx, cancel := s.within(ctx, a)
	defer cancel()
	ctx, end := span(ctx, "explain", m, n)
	var out explain.Attributions
	err := s.Engine.Run(ctx, n, func() error {
		e, err := explain.New(own, explain.Options{Workers: 1, Policy: a.Predict.Policy})
		if err != nil {
			return err
		}
		defer e.Close()
		return e.Explain(ctx, columns, &out)
	})
	err = s.told(err)
	end(err)
	if err != nil {
		return nil, err
	}
	return &Explanation{out.Columns, out.Base, out.Values}, nil
}

// tensors returns the outputs of an explanation that are wanted.
func (e *Explanation) tensors(wanted []string, n int) (all []oip.Tensor) {
	if slices.Contains(wanted, "attributions") {
		all = append(all, oip.Tensor{Name: "attributions", Datatype: oip.FP64, Shape: []int64{int64(n), int64(len(e.Columns))}, Values: oip.Values{Floats: e.Values}})
	}
	if slices.Contains(wanted, "base") {
		base := make([]float64, n)
		for i := range base {
			if base[i] = e.Base; math.IsNaN(e.Values[i*len(e.Columns)]) {
				base[i] = math.NaN()
			}
		}
		all = append(all, oip.Tensor{Name: "base", Datatype: oip.FP64, Shape: []int64{int64(n)}, Values: oip.Values{Floats: base}})
	}
	return all
}

// Table returns the columns of an explanation of n rows: base, and phi_NAME of every column.
func (e *Explanation) Table(n int) []Column {
	all := []Column{{Name: "base", Numbers: make([]float64, n)}}
	for i := range n {
		all[0].Numbers[i] = e.Base
	}
	for k, name := range e.Columns {
		c := Column{Name: "phi_" + name, Numbers: make([]float64, n)}
		for i := range n {
			c.Numbers[i] = e.Values[i*len(e.Columns)+k]
		}
		all = append(all, c)
	}
	return all
}
