package serve

import (
	"context"
	"fmt"
	"sync"

	"beziergp/internal/limit"
	"beziergp/model"
)

// Pool predicts single rows for many callers at once. A row is predicted by the goroutine
// that asks, with memory that the next one uses again; no goroutine is started, and there is
// nothing to close.
type Pool struct {
	columns int
	idle    sync.Pool // of *worker
	fresh   func() (*worker, error)
}

// worker is what a row is predicted with.
type worker struct {
	predictor *model.Predictor
	columns   [][]float64
}

// NewPool returns a pool of predictors of m, each of one worker. It fails as
// [Model.NewPredictor] does, and where the options ask for more workers.
func NewPool(m Model, o model.PredictOptions) (*Pool, error) {
	if o.Workers > 1 {
		return nil, &limit.OptionError{Option: "workers", Problem: fmt.Sprintf("%d; a row of a pool is predicted by one, the caller's", o.Workers)}
	}
	if o.Workers == 0 {
		o.Workers = 1
	}
	p := &Pool{columns: len(m.Columns())}
	p.fresh = func() (*worker, error) {
		// Of one worker, a predictor starts no goroutine, so that it may be forgotten.
		predictor, err := m.NewPredictor(o)
		return &worker{predictor, make([][]float64, p.columns)}, err
	}
	first, err := p.fresh()
	if err != nil {
		return nil, err
	}
	p.idle.Put(first)
	return p, nil
}

// Predict fills out with the prediction of one row, [columns], as [Schema.Row] returns it.
// out may be used again, but not by two callers at once. It fails as
// [model.Predictor.Predict] does, for row 1.
func (p *Pool) Predict(ctx context.Context, row []float64, out *model.Predictions) error {
	if len(row) != p.columns {
		return fmt.Errorf("a row of %d values for a model of %d columns", len(row), p.columns)
	}
	w, ok := p.idle.Get().(*worker)
	if !ok {
		var err error
		if w, err = p.fresh(); err != nil {
			return err
		}
	}
	defer p.idle.Put(w)
	for i := range row {
		w.columns[i] = row[i : i+1]
	}
	w.predictor.Reset()
	err := w.predictor.Predict(ctx, w.columns, out)
	clear(w.columns) // the row is the caller's
	return err
}
