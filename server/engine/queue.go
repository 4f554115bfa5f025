package engine

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// task is what a caller waits for.
type task struct {
	ctx     context.Context
	columns [][]float64
	rows    int
	answer  *Answer
	run     func() error // in the place of rows to predict
	came    time.Time

	next int // the first row that no lane has taken; of the engine's mutex

	mu   sync.Mutex
	left int // rows that are not done
	err  error
	gone atomic.Bool // nobody waits for it, or it has failed
	done chan struct{}
}

// part is rows of a task, from and to.
type part struct {
	task     *task
	from, to int
}

// batch is what a lane does at once.
type batch struct {
	key   key
	parts []part
	rows  int
}

// push has a task wait. The caller holds the mutex, here and below.
func (e *Engine) push(k key, t *task) {
	g := e.byKey[k]
	if g == nil {
		g = &group{key: k}
		e.byKey[k] = g
		e.groups = append(e.groups, g)
	}
	g.tasks = append(g.tasks, t)
	e.rows += t.rows
	e.tasks++
}

// take returns the next rows to predict, nil where none wait: those of the group whose turn
// it is, of one task after another. A task that has more, and the group, go to the back.
func (e *Engine) take() *batch {
	for len(e.groups) > 0 {
		g := e.groups[0]
		e.groups = e.groups[1:]
		b := &batch{key: g.key}
		var back []*task
		for len(g.tasks) > 0 && b.rows < e.options.Tile {
			t := g.tasks[0]
			g.tasks[0] = nil
			g.tasks = g.tasks[1:]
			if t.gone.Load() {
				e.forget(t)
				continue
			}
			n := t.rows - t.next
			if t.run == nil {
				n = min(n, e.options.Tile-b.rows)
			}
			b.parts = append(b.parts, part{t, t.next, t.next + n})
			b.rows += n
			t.next += n
			e.rows -= n
			if t.next < t.rows {
				back = append(back, t)
			} else {
				e.tasks--
			}
		}
		if g.tasks = append(g.tasks, back...); len(g.tasks) > 0 {
			e.groups = append(e.groups, g)
		} else {
			delete(e.byKey, g.key)
		}
		if len(b.parts) > 0 {
			return b
		}
	}
	return nil
}

// forget takes the rows of a task off the count that no lane will take.
func (e *Engine) forget(t *task) {
	e.rows -= t.rows - t.next
	if t.next < t.rows {
		e.tasks--
	}
	t.next = t.rows
}

// withdraw takes a task away that nobody waits for any more.
func (e *Engine) withdraw(t *task) {
	t.gone.Store(true)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(t)
	for _, g := range e.groups {
		if at := slices.Index(g.tasks, t); at >= 0 {
			g.tasks = slices.Delete(g.tasks, at, at+1)
			return // an empty group is passed over when its turn comes
		}
	}
}

// finish counts rows of a task as done, and ends it where all are, or with an error.
func (t *task) finish(rows int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left == 0 {
		return // it failed before
	}
	if err != nil {
		t.err, t.left = err, 0
		t.gone.Store(true)
	} else if t.left -= rows; t.left > 0 {
		return
	}
	close(t.done)
}

// pace is how many rows a second are done, of all lanes together, lately. Both sums forget, so
// that a tile of one row that took long for once counts for little beside full ones.
type pace struct{ seconds, rows float64 }

func (p *pace) add(rows int, d time.Duration, lanes int) {
	const keep = 15. / 16
	p.seconds = keep*p.seconds + d.Seconds()
	p.rows = keep*p.rows + float64(rows*lanes)
}

// of returns how long so many rows take, 0 where nobody knows yet.
func (p *pace) of(rows int) time.Duration {
	if p.rows == 0 {
		return 0
	}
	return time.Duration(p.seconds / p.rows * float64(rows) * float64(time.Second))
}

// until is the same from one second to half a minute.
func (p *pace) until(rows int) time.Duration {
	d := p.of(rows)
	return min(max(d.Round(time.Second), time.Second), 30*time.Second)
}
