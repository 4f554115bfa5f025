package comm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Jobs are pieces of work that do not depend on each other, numbered from 0.
type Jobs struct {
	Count  int
	AtOnce int // on this rank, from 1 to 1024
	// Do does one job and returns what came of it.
	Do func(ctx context.Context, job int) ([]byte, error)
	// Done takes what came of a job, on every rank of every job, never by two goroutines at
	// once: on rank 0 as soon as it is there, on the others by the numbers of the jobs, at the end.
	Done func(job int, result []byte) error
}

// RemoteError says what failed on another rank.
type RemoteError struct {
	Rank        int
	Problem     string
	Interrupted bool // it was told to stop
}

func (e *RemoteError) Error() string { return fmt.Sprintf("rank %d: %s", e.Rank, e.Problem) }

// Unwrap returns context.Canceled where the rank was told to stop.
func (e *RemoteError) Unwrap() error {
	if e.Interrupted {
		return context.Canceled
	}
	return nil
}

// patience is how long a rank that was told to stop waits for word of the others.
const patience = 3 * time.Second

// HandOut does jobs on all ranks: rank 0 gives out their numbers in order, each to the first
// rank that is free, gathers what comes of them, and sends it to all. All ranks call it with
// equal jobs. After the first error no job is begun, those under way are stopped, and every
// rank returns it.
func HandOut(ctx context.Context, ranks Comm, jobs Jobs) error {
	counts := make([]byte, 8)
	binary.LittleEndian.PutUint32(counts, uint32(jobs.Count))
	binary.LittleEndian.PutUint32(counts[4:], uint32(jobs.AtOnce))
	last, cancel := Lingering(ctx, patience) // so that no rank is left alone in the middle
	defer cancel()
	all, err := ranks.AllGather(last, counts)
	if err != nil {
		return err
	}
	workers := 0 // of other ranks
	for r, own := range all {
		if n := int(binary.LittleEndian.Uint32(own)); n != jobs.Count {
			return fmt.Errorf("rank %d has %d jobs to do and rank %d has %d: they have gone different ways", ranks.Rank(), jobs.Count, r, n)
		}
		if r != 0 {
			workers += int(binary.LittleEndian.Uint32(own[4:]))
		}
	}
	if ranks.Rank() == 0 {
		return lead(ctx, ranks, jobs, workers)
	}
	return follow(ctx, ranks, jobs)
}

// desk is where rank 0 gives out jobs.
type desk struct {
	Jobs
	mu      sync.Mutex // locked while a result is taken
	given   int
	results [][]byte
	ended   error
}

const none = ^uint32(0)

// next returns the number of a job, or none.
func (d *desk) next() uint32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended != nil || d.given == d.Count {
		return none
	}
	d.given++
	return uint32(d.given - 1)
}

func (d *desk) take(job uint32, result []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended != nil {
		return d.ended
	}
	d.results[job] = result
	return d.Done(int(job), result)
}

func (d *desk) end(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended == nil {
		d.ended = err
	}
}

// lead is what rank 0 does.
func lead(ctx context.Context, ranks Comm, jobs Jobs, workers int) error {
	d := &desk{Jobs: jobs, results: make([][]byte, jobs.Count)}
	if process, ok := ranks.(interface{ spareThread() (done func()) }); ok {
		defer process.spareThread()()
	}
	all, inner := errgroup.WithContext(ctx)
	for range jobs.AtOnce {
		all.Go(func() error {
			for job := d.next(); job != none; job = d.next() {
				if err := inner.Err(); err != nil {
					return err
				}
				result, err := jobs.Do(inner, int(job))
				if err == nil {
					err = d.take(job, result)
				}
				if err != nil {
					d.end(err)
					return err
				}
			}
			return nil
		})
	}
	all.Go(func() error {
		err := d.serve(inner, ranks, workers)
		d.end(err)
		return err
	})
	err := all.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	for r := 1; r < ranks.Size(); r++ {
		if told := ranks.Send(last, r, tagStop, verdict(err)); err == nil && told != nil {
			err = told
		}
	}
	if err != nil {
		return err
	}
	whole, done := Lingering(ctx, patience)
	defer done()
	_, err = ranks.Broadcast(whole, 0, joined(d.results))
	return err
}

// verdict is what is said to the others at the end: nothing where all is well.
func verdict(err error) []byte {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return append([]byte{1}, err.Error()...)
	}
	return append([]byte{0}, err.Error()...)
}

func (e *RemoteError) read(verdict []byte) error {
	e.Interrupted, e.Problem = verdict[0] == 1, string(verdict[1:])
	return e
}

// A question of a worker of another rank: its number, the job that it did and whether that
// failed, and what came of it. The reply is the number of another job.
const (
	questionHead = 9
	firstAsk     = none
)

// serve answers the workers of other ranks until all have been told that there is no more.
func (d *desk) serve(ctx context.Context, ranks Comm, workers int) error {
	for workers > 0 {
		from, question, err := ranks.Receive(ctx, Any, tagAsk)
		if err != nil {
			return err
		}
		worker, job := binary.LittleEndian.Uint32(question), binary.LittleEndian.Uint32(question[4:])
		result := question[questionHead:]
		if question[8] != 0 {
			return (&RemoteError{Rank: from}).read(result)
		}
		if job != firstAsk {
			if err := d.take(job, result); err != nil {
				return err
			}
		}
		next := d.next()
		if next == none {
			workers--
		}
		if err := ranks.Send(ctx, from, tagJob-int(worker), binary.LittleEndian.AppendUint32(nil, next)); err != nil {
			return err
		}
	}
	return nil
}

// follow is what the other ranks do.
func follow(ctx context.Context, ranks Comm, jobs Jobs) error {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	heard := make(chan error, 1)
	go func() { // the verdict comes in the middle of jobs, or after them
		last, cancel := Lingering(ctx, patience)
		defer cancel()
		_, words, err := ranks.Receive(last, 0, tagStop)
		if err == nil && len(words) > 0 {
			err = (&RemoteError{}).read(words)
		}
		if err != nil {
			stop()
		}
		heard <- err
	}()
	var all errgroup.Group
	for worker := range jobs.AtOnce {
		all.Go(func() error { return work(ctx, inner, ranks, jobs, worker) })
	}
	failed := all.Wait()
	if err := <-heard; err != nil {
		return errors.Join(ctx.Err(), err)
	}
	if failed != nil {
		return failed
	}
	whole, done := Lingering(ctx, patience)
	defer done()
	results, err := ranks.Broadcast(whole, 0, nil)
	if err != nil {
		return err
	}
	for job, result := range parted(results) {
		if err := jobs.Done(job, result); err != nil {
			return err
		}
	}
	return nil
}

// Lingering returns a context that is done some time after another one: so long a rank that was
// told to stop waits for the others, which may not have been told yet.
func Lingering(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unregister := context.AfterFunc(ctx, func() { time.AfterFunc(patience, cancel) })
	return last, func() { unregister(); cancel() }
}

// work is a worker of a rank other than 0.
func work(outer, ctx context.Context, ranks Comm, jobs Jobs, worker int) error {
	ask := func(ctx context.Context, job uint32, failed byte, result []byte) error {
		question := binary.LittleEndian.AppendUint32(nil, uint32(worker))
		question = append(binary.LittleEndian.AppendUint32(question, job), failed)
		return ranks.Send(ctx, 0, tagAsk, append(question, result...))
	}
	job, err := firstAsk, ask(ctx, firstAsk, 0, nil)
	for err == nil {
		var reply, result []byte
		if _, reply, err = ranks.Receive(ctx, 0, tagJob-worker); err != nil {
			break
		}
		if job = binary.LittleEndian.Uint32(reply); job == none {
			return nil
		}
		if result, err = jobs.Do(ctx, int(job)); err == nil {
			err = ask(ctx, job, 0, result)
		}
	}
	if outer.Err() == nil && ctx.Err() != nil { // rank 0 has said so itself
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(outer), patience)
	defer cancel()
	return errors.Join(err, ask(last, job, 1, verdict(err)))
}

// joined is several messages as one.
func joined(messages [][]byte) (one []byte) {
	for _, m := range messages {
		one = append(binary.LittleEndian.AppendUint64(one, uint64(len(m))), m...)
	}
	return one
}

func parted(one []byte) (messages [][]byte) {
	for len(one) > 0 {
		n := binary.LittleEndian.Uint64(one)
		messages, one = append(messages, one[8:8+n]), one[8+n:]
	}
	return messages
}
