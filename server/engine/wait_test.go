package engine_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"beziergp/server/engine"
)

// Who would wait too long for a first row is turned away; many rows of one caller keep nobody
// from waiting, for callers take turns.
func TestWaitIsBounded(t *testing.T) {
	var clock atomic.Int64
	h := hold(t)
	h.fails = func([][]float64) error { clock.Add(int64(400 * time.Millisecond)); return nil }
	m := engine.NewModel(h, nil)
	e := start(t, engine.Options{Lanes: 1, Tile: 10, QueueTime: time.Second, Now: func() time.Time { return time.Unix(0, clock.Load()) }})
	results := []<-chan error{ask(context.Background(), e, m, 10, 1)} // which takes 0.4 s
	h.goOn <- struct{}{}
	if err := <-results[0]; err != nil {
		t.Fatal(err)
	}
	results[0] = ask(context.Background(), e, m, 1, 1)
	<-h.began
	<-h.began
	for n, rows := range []int{95, 10, 10} { // waits of 0, 0.4 and 0.8 s
		results = append(results, ask(context.Background(), e, m, rows, 2))
		await(t, e, n+1)
	}
	var busy *engine.BusyError
	if err := <-ask(context.Background(), e, m, 1, 3); !errors.As(err, &busy) { // 1.2 s
		t.Errorf("a caller who would wait too long: %v", err)
	}
	if err := e.Check(); !errors.As(err, &busy) {
		t.Errorf("the same beforehand: %v", err)
	}
	close(h.goOn)
	for _, r := range results {
		if err := <-r; err != nil {
			t.Error(err)
		}
	}
	if err := e.Check(); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
