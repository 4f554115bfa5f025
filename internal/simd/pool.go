package simd

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Pool runs the parts of a job on a fixed number of workers. Worker w begins with
// the parts w, w + workers and so on, so that what a part leaves in a processor's own
// cache is there when the part of the same number of the next job asks for it; who has
// no more takes others' parts. A job's result must not depend on who takes which. A
// Pool is used by one goroutine at a time.
//
// A training step asks several times, with little in between, so that workers
// look out for the next job for [patience] before they sleep.
type Pool struct {
	// Who takes a part may read n and run: they change only when all parts are done.
	n      int
	run    func(worker, part int)
	open   atomic.Int64 // parts that are not done
	closed atomic.Bool

	shares  []share // by worker
	caller  sleeper
	helpers []sleeper
}

// share is the parts that a worker begins with.
type share struct {
	// ticket is the job's number in the upper half and the number of parts that
	// nobody has taken in the lower one. Lowering it takes the next.
	ticket atomic.Uint64
	_      [56]byte // its own cache line
}

// patience is how long a worker looks out for work: longer than the serial
// stretches of a training step, short enough that an idle process sleeps.
const patience = 50 * time.Microsecond

// NewPool starts workers − 1 goroutines; the caller of [Pool.Do] is the last
// worker. Close ends them.
func NewPool(workers int) *Pool {
	if workers < 1 {
		panic("simd: a pool needs at least one worker")
	}
	p := &Pool{shares: make([]share, workers), helpers: make([]sleeper, workers-1)}
	p.caller.wake = make(chan struct{}, 1)
	for i := range p.helpers {
		p.helpers[i].wake = make(chan struct{}, 1)
		go p.help(i + 1)
	}
	return p
}

// Workers returns the number of workers.
func (p *Pool) Workers() int { return len(p.shares) }

// Do calls run(worker, part) once for every part below n and returns when all
// are done. worker is below [Pool.Workers]; no two calls with the same worker
// overlap, so it may index scratch memory. Do allocates nothing.
func (p *Pool) Do(n int, run func(worker, part int)) {
	if n <= 1 || len(p.shares) == 1 {
		for part := range n {
			run(0, part)
		}
		return
	}
	p.n, p.run = n, run
	p.open.Store(int64(n))
	for w := range p.shares {
		t := &p.shares[w].ticket
		t.Store((t.Load()>>32+1)<<32 | uint64(p.share(w)))
	}
	for i := range p.helpers[:min(len(p.helpers), n-1)] {
		p.helpers[i].rouse()
	}
	p.work(0)
	p.caller.until(func() bool { return p.open.Load() == 0 })
	p.run = nil // what it holds on to is the caller's
}

// share returns the number of parts that a worker begins with.
func (p *Pool) share(worker int) int {
	workers := len(p.shares)
	return (p.n - min(worker, p.n) + workers - 1) / workers
}

// work takes parts until none is left.
func (p *Pool) work(worker int) {
	done, workers := 0, len(p.shares)
	for k := range workers {
		owner := (worker + k) % workers
		for ticket := &p.shares[owner].ticket; ; {
			t := ticket.Load()
			left := int(uint32(t))
			if left == 0 {
				break
			}
			if ticket.CompareAndSwap(t, t-1) {
				p.run(worker, owner+workers*(p.share(owner)-left))
				done++
			}
		}
	}
	if done > 0 && p.open.Add(-int64(done)) == 0 && worker != 0 {
		p.caller.rouse()
	}
}

// help is the life of a worker that is not the caller.
func (p *Pool) help(worker int) {
	self, ticket := &p.helpers[worker-1], &p.shares[worker].ticket
	for {
		self.until(func() bool { return uint32(ticket.Load()) != 0 || p.closed.Load() })
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
