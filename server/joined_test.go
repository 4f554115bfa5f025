package server_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beziergp/model"
	"beziergp/server/engine"
)

// together notes how many callers' rows were predicted together, and holds the first of them
// up until others wait.
type together struct {
	first sync.Once
	hold  func()
	most  atomic.Int64
}

func (o *together) Batch(tasks, _ int, _ time.Duration) {
	o.first.Do(o.hold)
	o.most.Store(max(o.most.Load(), int64(tasks)))
}
func (o *together) Waited(time.Duration)                     {}
func (o *together) Rows(_ [][]float64, _ *model.Predictions) {}

// Rows of several callers that go through a model together each have their own probabilities.
func TestCallersHaveTheirOwnClasses(t *testing.T) {
	f := fit(t, "three")
	n := len(f.columns[0])
	for _, tile := range []int{3, 7, 512} {
		e, err := engine.New(engine.Options{Lanes: 1, Tile: tile, QueueTime: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		o := &together{hold: func() {
			for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(time.Millisecond) {
				if tasks, _ := e.Waiting(); tasks >= 20 {
					return
				}
			}
		}}
		served := engine.NewModel(f.Model, o)
		var wait sync.WaitGroup
		for size := 1; size <= 11; size++ {
			for from := 0; from < n; from += size {
				to := min(n, from+size)
				wait.Go(func() {
					part := make([][]float64, len(f.columns))
					for k := range part {
						part[k] = f.columns[k][from:to]
					}
					a, err := e.Predict(context.Background(), served, flagged, part, engine.Extra{})
					if err != nil {
						t.Error(err)
						return
					}
					for i := from; i < to; i++ {
						if got, want := a.Classes[3*(i-from):3*(i-from+1)], f.want.Probabilities(i); !slices.Equal(numbers(got), numbers(want)) || a.Class[i-from] != f.want.Class(i) {
							t.Errorf("tiles of %d: row %d: %v, class %d, want %v", tile, i, got, a.Class[i-from], want)
						}
					}
				})
			}
		}
		wait.Wait()
		if o.most.Load() < 2 {
			t.Errorf("tiles of %d: no two callers' rows were predicted together", tile)
		}
	}
}
