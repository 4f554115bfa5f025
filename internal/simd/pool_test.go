package simd

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// Every part runs once, on a worker that runs nothing else at the time.
func TestPool(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		p := NewPool(workers)
		busy := make([]atomic.Bool, workers)
		for round := range 300 {
			n := round % 20
			ran := make([]int32, n)
			p.Do(n, func(worker, part int) {
				if busy[worker].Swap(true) {
					t.Errorf("%d workers: worker %d runs two parts at once", workers, worker)
				}
				atomic.AddInt32(&ran[part], 1)
				if part == round%7 {
					runtime.Gosched()
				}
				busy[worker].Store(false)
			})
			for part, times := range ran {
				if times != 1 {
					t.Fatalf("%d workers: part %d of %d ran %d times", workers, part, n, times)
				}
			}
			if round%100 == 99 {
				time.Sleep(4 * patience) // let the workers fall asleep
			}
		}
		p.Close()
	}
}

// What one job writes without a lock, the next may read: the race detector
// watches this.
func TestPoolOrder(t *testing.T) {
	p := NewPool(4)
	defer p.Close()
	cells := make([]int, 64)
	for range 200 {
		p.Do(len(cells), func(_, part int) { cells[part]++ })
		p.Do(len(cells), func(_, part int) { cells[len(cells)-1-part]++ })
	}
	for i, x := range cells {
		if x != 400 {
			t.Fatalf("cell %d is %d, want 400", i, x)
		}
	}
}

// Fewer processors than workers must not make them wait for each other.
func TestPoolOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := NewPool(4)
	defer p.Close()
	var sum atomic.Int64
	start := time.Now()
	for range 100 {
		p.Do(8, func(_, part int) { sum.Add(int64(part)) })
	}
	if sum.Load() != 100*28 {
		t.Errorf("sum %d, want %d", sum.Load(), 100*28)
	}
	// A waiter gives way every few microseconds, so this takes about a
	// millisecond; a waiter that did not would be preempted after ten.
	if d := time.Since(start); d > 500*time.Millisecond {
		t.Errorf("100 jobs took %v on one processor", d)
	}
}

// The caller falls asleep over a part that takes another worker long, and wakes.
func TestPoolSlowPart(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	for range 20 {
		done, helped := make(chan bool), make(chan bool)
		go func() {
			p.Do(2, func(worker, _ int) {
				if worker == 0 {
					<-helped // so that one part is the helper's
					return
				}
				close(helped)
				time.Sleep(10 * patience)
			})
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatal("the caller sleeps on")
		}
	}
}

func TestPoolAllocatesNothing(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	var sum atomic.Int64
	run := func(_, part int) { sum.Add(int64(part)) }
	if n := testing.AllocsPerRun(100, func() { p.Do(8, run) }); n != 0 {
		t.Errorf("Do allocates %v times", n)
	}
}

func TestPoolEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		p := NewPool(4)
		p.Do(16, func(_, _ int) {})
		p.Close()
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// BenchmarkPool is a job of parts that do nothing: what asking costs, right after
// the last job and after a serial stretch.
func BenchmarkPool(b *testing.B) {
	run := func(_, _ int) {}
	for _, serial := range []time.Duration{0, 10 * time.Microsecond, 10 * patience} {
		b.Run(fmt.Sprintf("after=%v", serial), func(b *testing.B) {
			p := NewPool(2)
			defer p.Close()
			var total time.Duration
			for range b.N {
				for start := time.Now(); time.Since(start) < serial; {
				}
				start := time.Now()
				p.Do(2, run)
				total += time.Since(start)
			}
			b.ReportMetric(float64(total.Nanoseconds())/float64(b.N), "ns/Do")
		})
	}
}

// BenchmarkPoolSpeedup shares layers between two workers as training does: 20
// orderings of four layers, three jobs a step.
func BenchmarkPoolSpeedup(b *testing.B) {
	const m, n, d, r = 21, 128, 4, 20
	random := newRand(1)
	phi, w := newMatrix(m, n, n, normal(random)), newMatrix(m, m, m, normal(random))
	var alone time.Duration
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			p := NewPool(workers)
			defer p.Close()
			type scratch struct{ a, b *matrix }
			var s []scratch
			for range workers {
				s = append(s, scratch{newMatrix(m, n, n, normal(random)), newMatrix(m, n, n, normal(random))})
			}
			run := func(worker, _ int) {
				a, b := s[worker].a.data, s[worker].b.data
				for range d {
					Layer(b, phi.data, w.data, a, m, 1, m, m, n, n)
				}
			}
			best := time.Duration(1<<63 - 1)
			for range b.N {
				start := time.Now()
				for range 3 {
					p.Do(r, run)
				}
				best = min(best, time.Since(start))
			}
			if workers == 1 {
				alone = best
			}
			b.ReportMetric(float64(alone)/float64(best), "speedup")
		})
	}
}
