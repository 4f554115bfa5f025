package kernel

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Pool runs the parts of a job on a fixed number of workers. Which worker takes
// which part is left open, so a job's result must not depend on it. A Pool is
// used by one goroutine at a time.
//
// A training step asks several times, with little in between, so that workers
// look out for the next job for [patience] before they sleep.
type Pool struct {
	workers int

	// ticket is the job's number in the upper half and the number of parts
	// that nobody has taken in the lower one. Who takes a part by lowering it
	// may read n and run: they change only when all parts are done.
	ticket atomic.Uint64
	n      int
	run    func(worker, part int)
	open   atomic.Int64 // parts that are not done
	closed atomic.Bool

	caller  sleeper
	helpers []sleeper
}

// patience is how long a worker looks out for work: longer than the serial
// stretches of a training step, short enough that an idle process sleeps.
const patience = 50 * time.Microsecond

// NewPool starts workers − 1 goroutines; the caller of [Pool.Do] is the last
// worker. Close ends them.
func NewPool(workers int) *Pool {
	if workers < 1 {
		panic("kernel: a pool needs at least one worker")
	}
	p := &Pool{workers: workers, helpers: make([]sleeper, workers-1)}
	p.caller.wake = make(chan struct{}, 1)
	for i := range p.helpers {
		p.helpers[i].wake = make(chan struct{}, 1)
		go p.help(i + 1)
	}
	return p
}

// Workers returns the number of workers.
func (p *Pool) Workers() int { return p.workers }

// Do calls run(worker, part) once for every part below n and returns when all
// are done. worker is below [Pool.Workers]; no two calls with the same worker
// overlap, so it may index scratch memory. Do allocates nothing.
func (p *Pool) Do(n int, run func(worker, part int)) {
	if n <= 1 || p.workers == 1 {
		for part := range n {
			run(0, part)
		}
		return
	}
	p.n, p.run = n, run
	p.open.Store(int64(n))
	p.ticket.Store((p.ticket.Load()>>32+1)<<32 | uint64(n))
	for i := range p.helpers[:min(len(p.helpers), n-1)] {
		p.helpers[i].rouse()
	}
	p.work(0)
	p.caller.until(func() bool { return p.open.Load() == 0 })
	p.run = nil // what it holds on to is the caller's
}

// work takes parts until none is left.
func (p *Pool) work(worker int) {
	for {
		t := p.ticket.Load()
		left := int(uint32(t))
		if left == 0 {
			return
		}
		if !p.ticket.CompareAndSwap(t, t-1) {
			continue
		}
		p.run(worker, p.n-left)
		if p.open.Add(-1) == 0 && worker != 0 {
			p.caller.rouse()
		}
	}
}

// help is the life of a worker that is not the caller.
func (p *Pool) help(worker int) {
	self := &p.helpers[worker-1]
	for {
		self.until(func() bool { return uint32(p.ticket.Load()) != 0 || p.closed.Load() })
		if p.closed.Load() {
			return
		}
		p.work(worker)
	}
}

// Close ends the workers. The pool cannot be used afterwards.
func (p *Pool) Close() {
	p.closed.Store(true)
	for i := range p.helpers {
		p.helpers[i].rouse()
	}
}

// A sleeper waits for a condition that others bring about: at first awake, then
// asleep. They call rouse after they have.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{} // one deep: whoever takes asleep back owes one token
	_      [64]byte      // its own cache line
}

func (s *sleeper) rouse() {
	if s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

// until returns when ready reports true.
func (s *sleeper) until(ready func() bool) {
	for {
		if ready() {
			return
		}
		for start := time.Now(); time.Since(start) < patience; {
			for range 32 {
				pause()
				if ready() {
					return
				}
			}
			// Where there are fewer processors than workers, whoever this
			// one waits for may need this processor.
			runtime.Gosched()
		}
		s.asleep.Store(true)
		if ready() && s.asleep.CompareAndSwap(true, false) {
			return
		}
		<-s.wake
	}
}
