package comm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Group returns so many ranks in this process, each for a goroutine of its own. Abort makes
// all that the ranks do from then on fail with an [AbortError].
func Group(size int) []Comm {
	g := &group{boxes: make([][]letter, size), changed: make(chan struct{})}
	ranks := make([]Comm, size)
	for i := range ranks {
		ranks[i] = &member{group: g, rank: i}
	}
	return ranks
}

type group struct {
	mu      sync.Mutex
	boxes   [][]letter    // that have not been received, by rank
	changed chan struct{} // closed when a letter or the end comes
	aborted error
}

type letter struct {
	from, tag int
	message   []byte
}

// member is a rank of a group. Collective functions are letters with tags below zero.
type member struct {
	*group
	rank  int
	calls int // of collective functions
	cut   bool
}

func (m *member) Rank() int { return m.rank }

func (m *member) Size() int { return len(m.boxes) }

func (m *member) Send(ctx context.Context, to, tag int, message []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.aborted != nil {
		return m.aborted
	}
	m.boxes[to] = append(m.boxes[to], letter{m.rank, tag, slices.Clone(message)})
	m.wake()
	return nil
}

// wake wakes those who wait. The caller holds the lock.
func (g *group) wake() {
	close(g.changed)
	g.changed = make(chan struct{})
}

func (m *member) Receive(ctx context.Context, from, tag int) (int, []byte, error) {
	for {
		l, changed, err := m.take(from, tag)
		if err != nil {
			return 0, nil, err
		}
		if changed == nil {
			return l.from, l.message, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, nil, ctx.Err()
		}
	}
}

// take returns the first letter that fits, or what is closed when there may be one.
func (m *member) take(from, tag int) (l letter, changed chan struct{}, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.aborted != nil {
		return l, nil, m.aborted
	}
	box := &m.boxes[m.rank]
	at := slices.IndexFunc(*box, func(l letter) bool { return l.tag == tag && (from == Any || l.from == from) })
	if at < 0 {
		return l, m.changed, nil
	}
	l = (*box)[at]
	*box = slices.Delete(*box, at, at+1)
	return l, nil, nil
}

// exchange sends messages to ranks and receives from others; nil stands for neither.
func (m *member) exchange(ctx context.Context, to func(rank int) ([]byte, bool), from func(rank int) bool) ([][]byte, error) {
	m.calls++
	received, tag := make([][]byte, m.Size()), -m.calls
	for r := range received {
		if message, ok := to(r); ok {
			if err := m.Send(ctx, r, tag, message); err != nil {
				return nil, m.cutOff(err)
			}
		}
	}
	for r := range received {
		if from(r) {
			var err error
			if _, received[r], err = m.Receive(ctx, r, tag); err != nil {
				return nil, m.cutOff(err)
			}
		}
	}
	return received, nil
}

func (m *member) cutOff(err error) error {
	m.cut = true
	return err
}

func every(int) bool { return true }

func (m *member) Broadcast(ctx context.Context, root int, message []byte) ([]byte, error) {
	all, err := m.exchange(ctx, func(int) ([]byte, bool) { return message, m.rank == root }, func(r int) bool { return r == root })
	if err != nil {
		return nil, err
	}
	return all[root], nil
}

func (m *member) Gather(ctx context.Context, root int, message []byte) ([][]byte, error) {
	all, err := m.exchange(ctx, func(r int) ([]byte, bool) { return message, r == root }, func(int) bool { return m.rank == root })
	if m.rank != root {
		return nil, err
	}
	return all, err
}

func (m *member) AllGather(ctx context.Context, message []byte) ([][]byte, error) {
	return m.exchange(ctx, func(int) ([]byte, bool) { return message, true }, every)
}

func (m *member) AllToAll(ctx context.Context, messages [][]byte) ([][]byte, error) {
	if len(messages) != m.Size() {
		panic(errParts)
	}
	return m.exchange(ctx, func(r int) ([]byte, bool) { return messages[r], true }, every)
}

func (m *member) Barrier(ctx context.Context) error {
	_, err := m.AllGather(ctx, nil)
	return err
}

func (m *member) Abort(code int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.aborted == nil {
		m.aborted = &AbortError{code}
		m.wake()
	}
}

func (m *member) Close() error {
	if m.cut {
		return errCut
	}
	return nil
}

var errCut = errors.New("the ranks cannot part in order: an operation was cut off")

// remote says on which rank an error came up.
func remote(rank int, err error) error { return fmt.Errorf("rank %d: %w", rank, err) }
