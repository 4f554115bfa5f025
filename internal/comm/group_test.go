package comm

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// together runs a function as every rank of a group, and returns the first error.
func together(size int, run func(Comm) error) error {
	errs := make([]error, size)
	var all sync.WaitGroup
	for r, c := range Group(size) {
		all.Go(func() { errs[r] = run(c) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func TestGroupConforms(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4} {
		if err := together(size, conform); err != nil {
			t.Error(err)
		}
	}
}

// What is sent and received is nobody else's.
func TestMessagesAreCopies(t *testing.T) {
	err := together(2, func(c Comm) error {
		own := []byte{1}
		all, err := c.AllGather(t.Context(), own)
		if err != nil {
			return err
		}
		own[0], all[1-c.Rank()][0] = 9, 8
		if err := c.Barrier(t.Context()); err != nil {
			return err
		}
		if all[c.Rank()][0] != 1 {
			return errors.New("a message was shared")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// An interrupt on any rank ends the jobs of all, and each can tell that it was one.
func TestInterruptedJobs(t *testing.T) {
	for interrupted := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		_ = together(3, func(c Comm) error {
			own := t.Context()
			if c.Rank() == interrupted {
				own = ctx
			}
			err := HandOut(own, c, Jobs{20, 1, func(ctx context.Context, job int) ([]byte, error) {
				if job == 3 {
					cancel()
				}
				select {
				case <-ctx.Done():
					return nil, ctx.Err()
				case <-time.After(50 * time.Millisecond):
					return nil, nil
				}
			}, func(int, []byte) error { return nil }})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("rank %d is interrupted, and rank %d says %v", interrupted, c.Rank(), err)
			}
			return nil
		})
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("rank %d is interrupted, and the others take %v", interrupted, took)
		}
	}
}

func TestEnd(t *testing.T) {
	for name, c := range map[string]struct {
		codes []int
		words []string
		said  []string // by rank 0
		want  int
	}{
		"well":             {[]int{0, 0, 0}, []string{"", "", ""}, nil, 0},
		"the same for all": {[]int{2, 2, 2}, []string{"no", "no", "no"}, nil, 2},
		"one has failed":   {[]int{1, 3, 1}, []string{"rank 1: no file", "no file", "rank 1: no file"}, nil, 3},
		"one alone":        {[]int{0, 0, 1}, []string{"", "", "lost"}, []string{"rank 2: lost"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			err := together(3, func(r Comm) error {
				var said []string
				if got := End(r, c.codes[r.Rank()], c.words[r.Rank()], func(w string) { said = append(said, w) }); got != c.want {
					t.Errorf("rank %d ends with %d, want %d", r.Rank(), got, c.want)
				}
				if r.Rank() == 0 && !slices.Equal(said, c.said) || r.Rank() != 0 && said != nil {
					t.Errorf("rank %d says %q", r.Rank(), said)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// A rank that fails while the others are elsewhere ends them, and says why.
func TestEndOfOneAborts(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the time of grace")
	}
	_ = together(2, func(c Comm) error {
		if c.Rank() == 0 {
			_, _, err := c.Receive(t.Context(), 1, 1)
			var aborted *AbortError
			if !errors.As(err, &aborted) || aborted.Code != 3 {
				t.Errorf("rank 0 goes on: %v", err)
			}
			return nil
		}
		var said []string
		if code := End(c, 3, "no file", func(w string) { said = append(said, w) }); code != 3 || strings.Join(said, "") != "no file" {
			t.Errorf("rank 1 ends with %d and says %q", code, said)
		}
		return nil
	})
}

func TestLaunched(t *testing.T) {
	for name, c := range map[string]struct {
		env   map[string]string
		ranks int
	}{
		"by hand":             {nil, 1},
		"Open MPI":            {map[string]string{"OMPI_COMM_WORLD_SIZE": "4"}, 4},
		"one rank":            {map[string]string{"OMPI_COMM_WORLD_SIZE": "1"}, 1},
		"MPICH":               {map[string]string{"PMI_SIZE": "3", "PMI_RANK": "0"}, 3},
		"srun":                {map[string]string{"SLURM_STEP_NUM_TASKS": "8", "SLURM_NTASKS": "8"}, 8},
		"a batch script":      {map[string]string{"SLURM_NTASKS": "8", "SLURM_PROCID": "0"}, 1},
		"nonsense is no rank": {map[string]string{"PMI_SIZE": "many"}, 1},
	} {
		if got := launched(func(key string) string { return c.env[key] }); got.Ranks != c.ranks || (got.Variable == "") != (c.ranks == 1) {
			t.Errorf("%s: %+v, want %d ranks", name, got, c.ranks)
		}
	}
}
