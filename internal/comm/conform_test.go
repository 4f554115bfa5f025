package comm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// conform holds a rank to the interface. All ranks call it, and it returns what is wrong on
// this one.
func conform(c Comm) error {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	defer cancel()
	for _, check := range []struct {
		name string
		run  func(context.Context, Comm) error
	}{
		{"collective functions", collectives}, {"letters", letters}, {"a barrier", barrier}, {"jobs", handOut}, {"a job that fails", failingJob}, {"a set-up", setUps}, {"steps", proceeds}, {"parts", scatters},
	} {
		if err := check.run(ctx, c); err != nil {
			return fmt.Errorf("%s on rank %d of %d: %w", check.name, c.Rank(), c.Size(), err)
		}
		if err := c.Barrier(ctx); err != nil {
			return err
		}
	}
	return nil
}

// text is what rank r says to rank to: of lengths that differ, one of them nothing.
func text(r, to, size int) []byte {
	return bytes.Repeat([]byte{byte(r), byte(to), 7}, ((r+2*to)%size)*size)
}

func collectives(ctx context.Context, c Comm) error {
	n := c.Size()
	for root := range n {
		for _, length := range []int{0, 1, 1 << 20} {
			own := bytes.Repeat([]byte{byte(c.Rank() + 1)}, length)
			got, err := c.Broadcast(ctx, root, own)
			if err != nil || !bytes.Equal(got, bytes.Repeat([]byte{byte(root + 1)}, length)) {
				return fmt.Errorf("broadcast of %d bytes from %d gives %d bytes, %v", length, root, len(got), err)
			}
		}
		all, err := c.Gather(ctx, root, text(c.Rank(), root, n))
		if err != nil || c.Rank() != root && all != nil {
			return fmt.Errorf("gather to %d gives %d messages, %v", root, len(all), err)
		}
		for r, got := range all {
			if !bytes.Equal(got, text(r, root, n)) {
				return fmt.Errorf("gather to %d gives %d bytes of %d", root, len(got), r)
			}
		}
	}
	all, err := c.AllGather(ctx, text(c.Rank(), 1, n))
	if err != nil || len(all) != n {
		return fmt.Errorf("all-gather gives %d messages, %v", len(all), err)
	}
	out := make([][]byte, n)
	for r, got := range all {
		if !bytes.Equal(got, text(r, 1, n)) {
			return fmt.Errorf("all-gather gives %d bytes of %d", len(got), r)
		}
		out[r] = text(c.Rank(), r, n)
	}
	if all, err = c.AllToAll(ctx, out); err != nil || len(all) != n {
		return fmt.Errorf("all-to-all gives %d messages, %v", len(all), err)
	}
	for r, got := range all {
		if !bytes.Equal(got, text(r, c.Rank(), n)) {
			return fmt.Errorf("all-to-all gives %d bytes of %d", len(got), r)
		}
	}
	return nil
}

// letters sends to the next rank: long ones, in order, by tags.
func letters(ctx context.Context, c Comm) error {
	if c.Size() == 1 {
		return nil
	}
	next, before := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	long := bytes.Repeat([]byte{byte(c.Rank())}, 3<<20)
	sent := make(chan error, 1)
	go func() {
		sent <- errors.Join(c.Send(ctx, next, 5, long), c.Send(ctx, next, 3, []byte("a")), c.Send(ctx, next, 3, []byte("b")), c.Send(ctx, next, 4, nil))
	}()
	for _, want := range []struct {
		from, tag int
		message   []byte
	}{
		{Any, 5, bytes.Repeat([]byte{byte(before)}, 3<<20)}, {before, 3, []byte("a")}, {Any, 3, []byte("b")}, {before, 4, nil},
	} {
		from, got, err := c.Receive(ctx, want.from, want.tag)
		if err != nil || from != before || !bytes.Equal(got, want.message) {
			return fmt.Errorf("%d bytes from %d with tag %d: %v", len(got), from, want.tag, err)
		}
	}
	short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	if _, _, err := c.Receive(short, Any, 9); !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("nothing has come, and the error is %v", err)
	}
	return <-sent
}

func barrier(ctx context.Context, c Comm) error {
	if c.Rank() == 0 {
		time.Sleep(30 * time.Millisecond)
	}
	before := time.Now()
	if err := c.Barrier(ctx); err != nil {
		return err
	}
	if waited := time.Since(before); c.Rank() != 0 && waited < 10*time.Millisecond {
		return fmt.Errorf("no wait for rank 0, %v", waited)
	}
	return nil
}

// handOut does jobs whose results tell who did them: each once, and the same everywhere.
func handOut(ctx context.Context, c Comm) error {
	for _, count := range []int{0, 1, 23} {
		var done atomic.Int64
		var results []string
		taken := make([]string, count)
		others := make(chan struct{}) // closed once another rank has done something
		var once sync.Once
		err := HandOut(ctx, c, Jobs{count, 2, func(ctx context.Context, job int) ([]byte, error) {
			done.Add(1)
			if c.Rank() == 0 && c.Size() > 1 && count > 1 { // rank 0 leaves some
				select {
				case <-others:
				case <-ctx.Done():
					return nil, errors.New("no other rank does anything")
				}
			}
			return fmt.Appendf(nil, "job %d by %d", job, c.Rank()), nil
		}, func(job int, result []byte) error {
			taken[job] += string(result)
			results = append(results, string(result))
			if !strings.HasSuffix(string(result), " 0") {
				once.Do(func() { close(others) })
			}
			return nil
		}})
		if err != nil {
			return err
		}
		if len(results) != count {
			return fmt.Errorf("%d results of %d", len(results), count)
		}
		by := make([]int, c.Size())
		for job, result := range taken {
			var got, who int
			if _, err := fmt.Sscanf(result, "job %d by %d", &got, &who); err != nil || got != job {
				return fmt.Errorf("job %d gives %q", job, result)
			}
			by[who]++
		}
		if by[c.Rank()] != int(done.Load()) {
			return fmt.Errorf("%d jobs done here, and %d are known of", done.Load(), by[c.Rank()])
		}
		said, err := c.AllGather(ctx, []byte(strings.Join(taken, ";")))
		if err != nil || !bytes.Equal(said[0], said[c.Rank()]) {
			return fmt.Errorf("not the same results as on rank 0: %v", err)
		}
	}
	return nil
}

// failingJob ends the jobs of all ranks by an error of one of them.
func failingJob(ctx context.Context, c Comm) error {
	var mu sync.Mutex
	began := time.Now()
	err := HandOut(ctx, c, Jobs{9, 1, func(ctx context.Context, job int) ([]byte, error) {
		if job == 2 {
			return nil, errors.New("it does not work")
		}
		select { // the others take longer than anyone waits
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration(job/2) * 20 * time.Second):
			return nil, nil
		}
	}, func(int, []byte) error {
		mu.Lock()
		defer mu.Unlock()
		return nil
	}})
	if err == nil || !strings.Contains(err.Error(), "it does not work") {
		return fmt.Errorf("a job failed, and the error is %v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		return fmt.Errorf("the jobs under way were not stopped: %v", took)
	}
	return nil
}

func setUps(ctx context.Context, c Comm) error {
	same := []Item{{"the table", "a", "give all the same"}, {"the seed", "1", "give all the same"}}
	if err := Agree(ctx, c, same, nil); err != nil {
		return err
	}
	if c.Size() == 1 {
		return nil
	}
	own := []Item{same[0], {"the seed", fmt.Sprint(c.Rank() / (c.Size() - 1)), "give all the same"}}
	err := Agree(ctx, c, own, nil)
	if want := fmt.Sprintf("the seed of rank %d on ", c.Size()-1); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ", 1 and 0: give") {
		return fmt.Errorf("seeds differ, and the error is %v", err)
	}
	lost := errors.New("no such file")
	var mine error
	if c.Rank() == 1 {
		mine = lost
	}
	err = Agree(ctx, c, same, mine)
	var other *RemoteError
	if c.Rank() == 1 && err != lost || c.Rank() != 1 && (!errors.As(err, &other) || err.Error() != "rank 1: no such file") {
		return fmt.Errorf("rank 1 has no file, and the error is %v", err)
	}
	return nil
}
