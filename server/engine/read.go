package engine

import (
	"context"
	"time"
)

// Read runs what makes rows of a request's body, of as many at a time as there are lanes:
// beyond, requests that are read would take the processors from those that are read already,
// and from callers who want little. It fails with a [BusyError] where too many wait, or where
// this one would wait longer than the options say; with ctx's error; and as read does.
func (e *Engine) Read(ctx context.Context, read func() error) error {
	if err := e.queueToRead(); err != nil {
		return err
	}
	late := time.NewTimer(e.options.QueueTime)
	defer late.Stop()
	var err error
	select {
	case e.readers <- struct{}{}:
	default:
		select {
		case e.readers <- struct{}{}:
		case <-late.C:
			err = e.busy()
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	defer func() {
		e.mu.Lock()
		e.unread--
		e.mu.Unlock()
	}()
	if err != nil {
		return err
	}
	defer func() { <-e.readers }()
	return read()
}

func (e *Engine) queueToRead() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.checkUnread()
	if err == nil {
		e.unread++
	}
	return err
}

func (e *Engine) busy() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return &BusyError{e.rows, e.pace.until(e.rows)}
}
