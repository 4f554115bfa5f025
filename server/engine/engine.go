// Package engine predicts rows of many models for many callers at once, on few goroutines.
//
// Rows that wait for one model, with the same options, go through it together: a [Lane] takes
// what waits, up to a tile, from however many callers. There is no timer, so that a caller
// who is alone never waits for others. A caller with many rows has them predicted tile by
// tile, by all lanes, and others in between. What waits is bounded; beyond the bound callers
// are turned away.
//
// A prediction does not depend on what it was predicted with, to the bit.
package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"beziergp/internal/limit"
	"beziergp/model"
)

// Options are how an engine works. The zero value is the documented default.
type Options struct {
	// Lanes is the number of tiles that are predicted at a time, by default one a processor.
	Lanes int
	// Tile is the number of rows that are predicted together at most, by default 512.
	Tile int
	// QueueRows and QueueTasks bound what waits, by default 2¹⁸ rows of 4096 callers. A caller
	// who is alone may have more rows.
	QueueRows, QueueTasks int
	// QueueTime bounds how long a caller would wait for a first row, by the pace so far; by
	// default half a second. What waits longer is late for whoever asked, and keeps others from
	// being answered when the rush is over.
	QueueTime time.Duration
	// Now is the clock, by default time.Now.
	Now func() time.Time
}

// Engine predicts. It is safe for concurrent use.
type Engine struct {
	options Options

	mu     sync.Mutex
	groups []*group // with tasks, the next one first
	byKey  map[key]*group
	rows   int // that wait
	tasks  int // that wait, with rows left
	lanes  int // at work
	unread int // callers whose bodies are read, or wait for that
	pace   pace

	readers chan struct{} // holds one for every caller whose body is read
}

// key is what tasks of a group have in common.
type key struct {
	model   *Model
	options model.PredictOptions
	own     *task // of a task that joins no other
}

// group is tasks whose rows may be predicted together, in the order in which they came.
type group struct {
	key   key
	tasks []*task
}

// BusyError says that too much waits.
type BusyError struct {
	Rows  int           // that wait
	After time.Duration // until what waits now is done, by the pace so far
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%d rows wait already; ask again in %v", e.Rows, e.After)
}

// PanicError is a panic of a model's code, which ended one task alone.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// New returns an engine. It fails with an OptionError where an option is out of range.
func New(o Options) (*Engine, error) {
	if err := limit.CheckWorkers(o.Lanes); err != nil {
		return nil, err
	}
	for _, c := range []struct {
		name  string
		value *int
		other int
	}{{"lanes", &o.Lanes, runtime.GOMAXPROCS(0)}, {"tile", &o.Tile, 512}, {"queue rows", &o.QueueRows, 1 << 18}, {"queue tasks", &o.QueueTasks, 4096}} {
		switch {
		case *c.value < 0:
			return nil, &limit.OptionError{Option: c.name, Problem: fmt.Sprintf("%d is below 0", *c.value)}
		case *c.value == 0:
			*c.value = c.other
		}
	}
	switch {
	case o.QueueTime < 0:
		return nil, &limit.OptionError{Option: "queue time", Problem: fmt.Sprintf("%v is below 0", o.QueueTime)}
	case o.QueueTime == 0:
		o.QueueTime = 500 * time.Millisecond
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Engine{options: o, byKey: map[key]*group{}, readers: make(chan struct{}, o.Lanes)}, nil
}

// Waiting returns the numbers of tasks and rows that wait.
func (e *Engine) Waiting() (tasks, rows int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.tasks, e.rows
}

// Check returns a [BusyError] where nothing more can wait: callers may ask before they go to
// the trouble of receiving a body.
func (e *Engine) Check() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.checkUnread()
}

// checkUnread takes those whose rows nobody knows yet for as large as those that wait, and for a
// tile at most: to find out, and to turn one away then, is work for nothing.
func (e *Engine) checkUnread() error {
	typical := min(max(e.rows/max(e.tasks, 1), 1), e.options.Tile)
	return e.check(typical*(e.unread+1), e.unread)
}

// check counts so many callers beside the tasks that wait.
func (e *Engine) check(rows, unread int) error {
	if e.tasks+unread < e.options.QueueTasks && (e.rows == 0 || e.rows+rows <= e.options.QueueRows) && e.wait() <= e.options.QueueTime {
		return nil
	}
	return &BusyError{e.rows, e.pace.until(e.rows)}
}

// wait returns how long a caller who comes now would wait: tasks take turns, a tile each.
func (e *Engine) wait() time.Duration {
	rows := min(e.rows, e.tasks*e.options.Tile)
	if rows <= e.options.Lanes*e.options.Tile { // these are next, however slow a tile of few rows has been
		return 0
	}
	return e.pace.of(rows)
}

// Predict predicts rows, columns [Model.Columns] with n values each, which must not be changed
// any more. It fails with a [BusyError], with ctx's error, with a [PanicError], and
// as [model.Predictor.Predict] does.
func (e *Engine) Predict(ctx context.Context, m *Model, o model.PredictOptions, columns [][]float64, extra Extra) (*Answer, error) {
	o.Workers = 1
	n := len(columns[0])
	if n == 0 {
		return nil, errNoRows
	}
	t := &task{ctx: ctx, columns: columns, rows: n, left: n, answer: newAnswer(n, extra, o, len(m.Classes())), done: make(chan struct{})}
	if err := e.do(key{model: m, options: o}, t); err != nil {
		return nil, err
	}
	return t.answer, nil
}

// Run runs what takes as long as so many rows do, in the place of a tile. It fails with a
// [BusyError], with ctx's error, with a [PanicError] and as run does.
func (e *Engine) Run(ctx context.Context, rows int, run func() error) error {
	t := &task{ctx: ctx, rows: rows, left: rows, run: run, done: make(chan struct{})}
	return e.do(key{own: t}, t)
}

// do has a task done. Where a lane is free, the caller is one for the time of a tile.
func (e *Engine) do(k key, t *task) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	t.came = e.options.Now()
	e.mu.Lock()
	if err := e.check(t.rows, 0); err != nil {
		e.mu.Unlock()
		return err
	}
	e.push(k, t)
	free := e.lanes < e.options.Lanes
	var b *batch
	if free {
		e.lanes++
		b = e.take()
		if e.tasks > 0 && e.lanes < e.options.Lanes { // rows of this task are left
			e.lanes++
			go e.lane()
		}
	}
	e.mu.Unlock()
	if free {
		e.run(b)
		e.leave()
	}
	select {
	case <-t.done:
	case <-t.ctx.Done():
		select {
		case <-t.done: // at the same time
		default:
			e.withdraw(t)
			return t.ctx.Err()
		}
	}
	return t.err
}

// leave ends a lane that a caller was, and leaves it to another goroutine where rows wait.
func (e *Engine) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tasks > 0 {
		go e.lane()
		return
	}
	e.lanes--
}

// lane predicts what waits until nothing does.
func (e *Engine) lane() {
	for {
		e.mu.Lock()
		b := e.take()
		if b == nil {
			e.lanes--
			e.mu.Unlock()
			return
		}
		e.mu.Unlock()
		e.run(b)
	}
}

var errNoRows = errors.New("there are no rows to predict")
