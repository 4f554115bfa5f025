package engine

import (
	"context"
	"fmt"
	"math"

	"beziergp/model"
)

// Probe predicts two rows, one without any value and one of zeros, both of exposure 1 or
// offset 0 where the model has one, and fails where the numbers are not finite or the code
// panics: a file may be whole and of no use.
func (m *Model) Probe(o model.PredictOptions) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a row cannot be predicted: panic: %v", v)
		}
	}()
	o.Workers = 1
	w, err := m.worker(o)
	if err != nil {
		return err
	}
	for k := range w.part {
		w.part[k] = []float64{math.NaN(), 0}
	}
	if offset := m.Offset(); offset != nil { // without which no row is one
		own := 0.0
		if offset.Exposure {
			own = 1
		}
		w.part[len(w.part)-1] = []float64{own, own}
	}
	w.predictor.Reset()
	if err := w.predictor.Predict(context.Background(), w.part, &w.out); err != nil {
		return fmt.Errorf("a row cannot be predicted: %w", err)
	}
	if err := sound(&w.out, len(m.Classes())); err != nil {
		return err
	}
	clear(w.part)
	m.keep(o, w)
	return nil
}

// sound fails where a row has no numbers. Of three classes or more these are probabilities alone.
func sound(p *model.Predictions, classes int) error {
	for i := range p.Mean {
		sum := 0.0
		for _, v := range p.Probabilities(i) {
			sum += v
		}
		if classes > 0 && !(math.Abs(sum-1) < 1e-6) {
			return fmt.Errorf("the probabilities of a row add up to %g", sum)
		}
		if v := p.Mean[i] + p.Std[i]; classes <= 2 && (math.IsNaN(v) || math.IsInf(v, 0)) {
			return fmt.Errorf("a row is predicted as %g ± %g", p.Mean[i], p.Std[i])
		}
	}
	return nil
}
