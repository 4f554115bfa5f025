package engine

import (
	"errors"
	"runtime/debug"

	"beziergp/box"
	"beziergp/model"
)

// run does a batch. Where one of several tasks fails, every task is done again by itself, so
// that none fails for another's rows.
func (e *Engine) run(b *batch) {
	if b == nil {
		return
	}
	began := e.options.Now()
	for _, p := range b.parts {
		if p.from == 0 {
			b.key.waited(began.Sub(p.task.came))
		}
	}
	err := e.attempt(b.key, b.parts)
	switch {
	case err == nil:
		for _, p := range b.parts {
			p.task.finish(p.to-p.from, nil)
		}
	case len(b.parts) == 1:
		b.parts[0].task.finish(0, fromRow(err, b.parts[0].from))
	default:
		for i, p := range b.parts {
			p.task.finish(p.to-p.from, fromRow(e.attempt(b.key, b.parts[i:i+1]), p.from))
		}
	}
	took := e.options.Now().Sub(began)
	if b.key.model != nil {
		b.key.model.observe(b, took)
	}
	e.mu.Lock()
	e.pace.add(b.rows, took, e.options.Lanes)
	e.mu.Unlock()
}

// attempt does parts of tasks, and returns what a panic was as an error.
func (e *Engine) attempt(k key, parts []part) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{v, debug.Stack()}
		}
	}()
	if k.own != nil {
		return k.own.run()
	}
	return k.model.predict(k.options, parts)
}

// fromRow counts the row of an error from the beginning of a task.
func fromRow(err error, from int) error {
	var bad *model.RowError
	if errors.As(err, &bad) {
		bad.Row += from
	}
	return box.Offset(err, from)
}
