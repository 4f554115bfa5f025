package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// target is what is asked, again and again, over connections that are kept.
type target struct {
	address string
	request []byte
	idle    chan *line
}

// most is how many connections are kept, and opened.
const most = 512

func newTarget(address, path string, body []byte) *target {
	return &target{address, post(address, path, body), make(chan *line, most)}
}

// close ends the connections.
func (t *target) close() {
	for {
		select {
		case l := <-t.idle:
			l.Close()
		default:
			return
		}
	}
}

var errRefused = errors.New("refused")

// ask sends the request once, and reads the answer.
func (t *target) ask() (err error) {
	var l *line
	select {
	case l = <-t.idle:
	default:
		if l, err = dial(t.address); err != nil {
			return err
		}
	}
	status, body, err := l.ask(t.request)
	if err != nil {
		l.Close()
		return err
	}
	select {
	case t.idle <- l:
	default:
		l.Close()
	}
	switch {
	case refused(status):
		return errRefused
	case status != http.StatusOK:
		return fmt.Errorf("%d: %s", status, body)
	}
	return nil
}

// latencies are how long requests took, in order.
type latencies []time.Duration

func (l latencies) quantile(q float64) time.Duration {
	if len(l) == 0 {
		return 0
	}
	return l[min(int(q*float64(len(l))), len(l)-1)]
}

// closed has so many clients ask, each again when it is answered, and returns how long every
// request took.
func (t *target) closed(ctx context.Context, clients int, d time.Duration) (latencies, error) {
	until := time.Now().Add(d)
	var mu sync.Mutex
	var all latencies
	var failed error
	var wait sync.WaitGroup
	for range clients {
		wait.Go(func() {
			var own latencies
			for time.Now().Before(until) && ctx.Err() == nil {
				began := time.Now()
				if err := t.ask(); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
					return
				}
				own = append(own, time.Since(began))
			}
			mu.Lock()
			all = append(all, own...)
			mu.Unlock()
		})
	}
	wait.Wait()
	slices.Sort(all)
	return all, failed
}

// offered is what came of requests that were sent whether or not former ones were answered.
type offered struct {
	latencies
	refused, failed int
	first           error
	lag             time.Duration // by which the last request was sent too late
}

// open sends requests at a rate, with exponential gaps. A request's time counts from when it
// was due: one that waits for this program to send it is as late as one that the server keeps.
func (t *target) open(ctx context.Context, rate float64, d time.Duration, seed uint64) offered {
	gaps := rand.New(rand.NewPCG(seed, 1))
	var mu sync.Mutex
	var out offered
	var refused, failed atomic.Int64
	var wait sync.WaitGroup
	began := time.Now()
	due := began
	for due.Sub(began) < d && ctx.Err() == nil {
		if ahead := time.Until(due); ahead > 0 {
			time.Sleep(ahead)
		}
		was := due
		wait.Go(func() {
			err := t.ask()
			took := time.Since(was)
			switch {
			case errors.Is(err, errRefused):
				refused.Add(1)
			case err != nil:
				failed.Add(1)
				mu.Lock()
				out.first = err
				mu.Unlock()
			default:
				mu.Lock()
				out.latencies = append(out.latencies, took)
				mu.Unlock()
			}
		})
		out.lag = time.Since(was)
		due = due.Add(time.Duration(gaps.ExpFloat64() / rate * float64(time.Second)))
	}
	wait.Wait()
	slices.Sort(out.latencies)
	out.refused, out.failed = int(refused.Load()), int(failed.Load())
	return out
}
