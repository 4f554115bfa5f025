package console

import (
	"log/slog"
	"time"

	"beziergp/internal/printable"
)

// State is how far a task has come.
type State struct {
	Task   string // what is done, as in "training"
	Done   int64
	Total  int64  // −1 if unknown
	Unit   string // of Done and Total, as in "step"
	Detail string // what else there is to see, as in "RMSE 0.41"; may be empty
	Fields []slog.Attr
}

// task is what the console remembers of the task that runs.
type task struct {
	name  string
	began time.Time
	first int64 // done at the first report: a resumed run does not begin at 0
	shown time.Time
}

// display shows the states of one task.
type display interface {
	// show shows a state. remaining is 0 while unknown.
	show(s State, now time.Time, remaining time.Duration)
	// end takes away what should not stay.
	end()
}

// refresh is the time between two looks at a state. Tasks report far more often.
const refresh = 100 * time.Millisecond

// Update shows a state. A task's last report is that with Done = Total; a report of
// another task, or any message, ends it too.
func (c *Console) Update(s State) {
	if c.Quiet || c.Progress == Never {
		return
	}
	if c.Part != "" {
		s.Task = c.Part + ", " + s.Task
	}
	s.Task, s.Detail = printable.Line(s.Task), printable.Line(s.Detail)
	now := c.now()
	if c.display == nil || c.task.name != s.Task {
		c.EndProgress()
		c.display = c.newDisplay(now)
		c.task = task{name: s.Task, began: now, first: s.Done}
	}
	last := s.Done == s.Total
	if !last && now.Sub(c.task.shown) < refresh {
		return
	}
	c.task.shown = now
	c.display.show(s, now, c.task.remaining(s, now))
	if last {
		c.EndProgress()
	}
}

// EndProgress takes a bar away.
func (c *Console) EndProgress() {
	if c.display != nil {
		c.display.end()
		c.display = nil
	}
}

func (c *Console) newDisplay(now time.Time) display {
	switch {
	case c.Format == JSON:
		return &lines{began: now, last: now, write: c.recordState}
	case c.Progress == Always || IsTerminal(c.w):
		return &bar{w: c.w}
	}
	return &lines{began: now, last: now, write: c.writeState}
}

// remaining returns the time that the rest takes at the speed so far.
func (t task) remaining(s State, now time.Time) time.Duration {
	if s.Done <= t.first || s.Total < s.Done {
		return 0
	}
	perUnit := float64(now.Sub(t.began)) / float64(s.Done-t.first)
	return time.Duration(perUnit * float64(s.Total-s.Done))
}
