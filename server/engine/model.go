package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"beziergp/model"
	"beziergp/serve"
)

// Observer is told of every batch of a model that was done; it must be quick, and safe for
// concurrent use.
type Observer interface {
	// Batch is told of rows of so many callers, which took so long.
	Batch(tasks, rows int, took time.Duration)
	// Waited is told how long a caller's first row has waited.
	Waited(time.Duration)
	// Rows is told of predictions, with the columns that they are of.
	Rows(columns [][]float64, p *model.Predictions)
}

// Model is a model with what it takes to predict. It is safe for concurrent use.
type Model struct {
	serve.Model
	Schema   *serve.Schema
	observer Observer // may be nil

	mu   sync.Mutex
	idle map[model.PredictOptions][]*worker
	kept int
}

// worker is what a lane predicts with.
type worker struct {
	predictor *model.Predictor
	columns   [][]float64 // [columns][tile], where rows of several tasks are put together
	part      [][]float64 // views of these, or of a task's own
	out       model.Predictions
}

// mostKept is how many predictors a model keeps for later. Options are the client's choice,
// and a level may be any number.
const mostKept = 64

// NewModel returns a model to predict with. observer may be nil.
func NewModel(m serve.Model, observer Observer) *Model {
	return &Model{Model: m, Schema: serve.NewSchema(m.Columns(), m.Missing()), observer: observer, idle: map[model.PredictOptions][]*worker{}}
}

// Check returns the error of options that the model cannot predict by.
func (m *Model) Check(o model.PredictOptions) error {
	o.Workers = 1
	w, err := m.worker(o)
	if err != nil {
		return err
	}
	m.keep(o, w)
	return nil
}

func (m *Model) worker(o model.PredictOptions) (*worker, error) {
	m.mu.Lock()
	if have := m.idle[o]; len(have) > 0 {
		w := have[len(have)-1]
		if m.idle[o] = have[:len(have)-1]; len(have) == 1 {
			delete(m.idle, o)
		}
		m.kept--
		m.mu.Unlock()
		return w, nil
	}
	m.mu.Unlock()
	// Of one worker, a predictor starts no goroutine, so that it may be forgotten.
	p, err := m.NewPredictor(o)
	if err != nil {
		return nil, err
	}
	n := len(m.Columns())
	return &worker{predictor: p, columns: make([][]float64, n), part: make([][]float64, n)}, nil
}

// keep keeps a worker for the next lane; of many options any other is forgotten for it.
func (m *Model) keep(o model.PredictOptions, w *worker) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for other, have := range m.idle {
		if m.kept < mostKept {
			break
		}
		m.kept -= len(have)
		delete(m.idle, other)
	}
	m.idle[o] = append(m.idle[o], w)
	m.kept++
}

// predict predicts parts of tasks together.
func (m *Model) predict(o model.PredictOptions, parts []part) error {
	w, err := m.worker(o)
	if err != nil {
		return err
	}
	rows := w.gather(parts)
	w.predictor.Reset()
	if err := w.predictor.Predict(context.Background(), w.part, &w.out); err != nil {
		return err // a worker whose predictor failed is not used again
	}
	if len(w.out.Mean) != rows {
		return fmt.Errorf("%d predictions of %d rows", len(w.out.Mean), rows)
	}
	at := 0
	for _, p := range parts {
		if err := p.task.answer.set(&w.out, p.from, at, p.to-p.from); err != nil {
			return err
		}
		at += p.to - p.from
	}
	if m.observer != nil {
		m.observer.Rows(w.part, &w.out)
	}
	clear(w.part) // rows are the callers'
	m.keep(o, w)
	return nil
}

// gather puts the rows of parts together; those of one stay where they are.
func (w *worker) gather(parts []part) (rows int) {
	for _, p := range parts {
		rows += p.to - p.from
	}
	for k := range w.part {
		if len(parts) == 1 {
			w.part[k] = parts[0].task.columns[k][parts[0].from:parts[0].to]
			continue
		}
		w.columns[k] = w.columns[k][:0]
		for _, p := range parts {
			w.columns[k] = append(w.columns[k], p.task.columns[k][p.from:p.to]...)
		}
		w.part[k] = w.columns[k]
	}
	return rows
}

func (m *Model) observe(b *batch, took time.Duration) {
	if m.observer != nil {
		m.observer.Batch(len(b.parts), b.rows, took)
	}
}

func (k key) waited(d time.Duration) {
	if k.model != nil && k.model.observer != nil {
		k.model.observer.Waited(d)
	}
}
