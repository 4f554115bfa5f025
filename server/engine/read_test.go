package engine_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beziergp/server/engine"
)

// As many bodies are read at a time as there are lanes; who waits too long, or comes when too
// many wait, is told so, and gives up when its caller does.
func TestReadersAreBounded(t *testing.T) {
	e, err := engine.New(engine.Options{Lanes: 2, QueueTasks: 10, QueueTime: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var now, most, read atomic.Int64
	held, open := make(chan struct{}, 100), make(chan struct{})
	hold := func() error {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		held <- struct{}{}
		<-open
		now.Add(-1)
		read.Add(1)
		return nil
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if err := e.Read(context.Background(), hold); err != nil {
				t.Error(err)
			}
		})
	}
	<-held
	<-held
	var busy *engine.BusyError
	if err := e.Read(context.Background(), hold); !errors.As(err, &busy) {
		t.Errorf("who waits too long: %v", err)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.Read(gone, hold); !errors.Is(err, context.Canceled) {
		t.Errorf("whose caller has gone: %v", err)
	}
	var refused atomic.Int64
	for range 30 { // of which ten may wait, until they have waited too long
		all.Go(func() {
			var busy *engine.BusyError
			if err := e.Read(context.Background(), hold); errors.As(err, &busy) {
				refused.Add(1)
			} else {
				t.Error(err)
			}
		})
	}
	for refused.Load() < 30 {
		time.Sleep(time.Millisecond)
	}
	close(open)
	all.Wait()
	if most.Load() != 2 || read.Load() != 2 {
		t.Errorf("%d at a time, %d in all", most.Load(), read.Load())
	}
	want := errors.New("no rows")
	if err := e.Read(context.Background(), func() error { return want }); err != want {
		t.Errorf("%v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = e.Read(context.Background(), func() error { panic("no") })
	}()
	for range 3 { // the places are given back
		if err := e.Read(context.Background(), func() error { return nil }); err != nil {
			t.Error(err)
		}
	}
}
