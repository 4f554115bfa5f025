package kernel

import (
	"sync"
	"sync/atomic"
)

// Pool runs the parts of a job on a fixed number of workers. Which worker takes
// which part is left open, so a job's result must not depend on it. A Pool is
// used by one goroutine at a time.
type Pool struct {
	workers int
	jobs    []chan *job
}

type job struct {
	next atomic.Int64
	n    int
	run  func(worker, part int)
	wg   sync.WaitGroup
}

// NewPool starts workers − 1 goroutines; the caller of [Pool.Do] is the last
// worker. Close ends them.
func NewPool(workers int) *Pool {
	if workers < 1 {
		panic("kernel: a pool needs at least one worker")
	}
	p := &Pool{workers: workers, jobs: make([]chan *job, workers-1)}
	for i := range p.jobs {
		c := make(chan *job)
		p.jobs[i] = c
		go func() {
			for j := range c {
				j.work(i + 1)
				j.wg.Done()
			}
		}()
	}
	return p
}

// Workers returns the number of workers.
func (p *Pool) Workers() int { return p.workers }

// Do calls run(worker, part) once for every part below n and returns when all
// are done. worker is below [Pool.Workers]; no two calls with the same worker
// overlap, so it may index scratch memory.
func (p *Pool) Do(n int, run func(worker, part int)) {
	j := &job{n: n, run: run}
	helpers := min(len(p.jobs), n-1)
	for _, c := range p.jobs[:max(helpers, 0)] {
		j.wg.Add(1)
		c <- j
	}
	j.work(0)
	j.wg.Wait()
}

func (j *job) work(worker int) {
	for {
		part := int(j.next.Add(1)) - 1
		if part >= j.n {
			return
		}
		j.run(worker, part)
	}
}

// Close ends the workers. The pool cannot be used afterwards.
func (p *Pool) Close() {
	for _, c := range p.jobs {
		close(c)
	}
}
