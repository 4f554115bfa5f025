//go:build mpi && cgo

package comm

/*
#cgo !mpich pkg-config: ompi
#cgo mpich pkg-config: mpich
#include <mpi.h>
#include <stdlib.h>

// Constants of MPI are macros, which Go cannot take.
static int start(void) {
	int granted;
	int rc = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &granted);
	if (rc != MPI_SUCCESS) return rc;
	if (granted < MPI_THREAD_SERIALIZED) return MPI_ERR_OTHER;
	return MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}
static void own(int *rank, int *size) { MPI_Comm_rank(MPI_COMM_WORLD, rank); MPI_Comm_size(MPI_COMM_WORLD, size); }
static int send(void *p, int n, int to, int tag, MPI_Request *r) { return MPI_Isend(p, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, r); }
static int probe(int from, int tag, int *found, int *sender, int *n, MPI_Message *m) {
	MPI_Status s;
	int rc = MPI_Improbe(from < 0 ? MPI_ANY_SOURCE : from, tag, MPI_COMM_WORLD, found, m, &s);
	if (rc != MPI_SUCCESS || !*found) return rc;
	*sender = s.MPI_SOURCE;
	return MPI_Get_count(&s, MPI_BYTE, n);
}
static int receive(void *p, int n, MPI_Message *m, MPI_Request *r) { return MPI_Imrecv(p, n, MPI_BYTE, m, r); }
static int broadcast(void *p, int n, int root, MPI_Request *r) { return MPI_Ibcast(p, n, MPI_BYTE, root, MPI_COMM_WORLD, r); }
static int gather(void *p, int n, void *to, int *counts, int *at, int root, MPI_Request *r) {
	return MPI_Igatherv(p, n, MPI_BYTE, to, counts, at, MPI_BYTE, root, MPI_COMM_WORLD, r);
}
static int all_gather(void *p, int n, void *to, int *counts, int *at, MPI_Request *r) {
	return MPI_Iallgatherv(p, n, MPI_BYTE, to, counts, at, MPI_BYTE, MPI_COMM_WORLD, r);
}
static int all_to_all(void *p, int *ns, int *from, void *to, int *counts, int *at, MPI_Request *r) {
	return MPI_Ialltoallv(p, ns, from, MPI_BYTE, to, counts, at, MPI_BYTE, MPI_COMM_WORLD, r);
}
static int lengths(int *ns, int *counts, MPI_Request *r) { return MPI_Ialltoall(ns, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD, r); }
static int barrier(MPI_Request *r) { return MPI_Ibarrier(MPI_COMM_WORLD, r); }
static int test(MPI_Request *r, int *done) { return MPI_Test(r, done, MPI_STATUS_IGNORE); }
static void leave(int code) { MPI_Abort(MPI_COMM_WORLD, code); }
static int failed(int rc) { return rc != MPI_SUCCESS; }
static const char *problem(int rc) {
	static char text[MPI_MAX_ERROR_STRING + 1];
	int n;
	if (MPI_Error_string(rc, text, &n) != MPI_SUCCESS) return "unknown error";
	return text;
}
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"
)

// Built tells whether this program can be one of several ranks.
const Built = true

// World returns this process as a rank of its run. MPI begins with the first call, where a
// launcher has started several ranks.
func World() (Comm, error) {
	if Launched().Ranks < 2 {
		return Alone(), nil
	}
	return begin()
}

var begin = sync.OnceValues(func() (Comm, error) {
	l := Launched()
	if rc := C.start(); C.failed(rc) != 0 {
		return nil, errors.New("MPI does not begin: " + C.GoString(C.problem(rc)))
	}
	var rank, size C.int
	C.own(&rank, &size)
	if int(size) != l.Ranks {
		return nil, fmt.Errorf("%s has started %d ranks (%s), and the MPI that this program is built with sees %d: start it by the launcher of that MPI, under Slurm by srun --mpi=pmix", l.By, l.Ranks, l.Variable, int(size))
	}
	return &world{rank: int(rank), size: int(size)}, nil
})

// world is a rank of MPI_COMM_WORLD. All calls of MPI are made under the lock, none waits in
// it, and who waits for one sleeps between two questions: a rank that waits leaves its
// processor to those who compute, and ends when its context does.
type world struct {
	rank, size int
	mu         sync.Mutex
	cut        bool
}

func (w *world) Rank() int { return w.rank }

func (w *world) Size() int { return w.size }

// mostBytes is what MPI takes at once: it counts in int.
const mostBytes = math.MaxInt32

// spareThread gives the process a thread more than it has processors until done is called. Who answers
// the others would wait among goroutines that compute for the end of a time slice of Go's scheduler,
// ten milliseconds, and a rank with it.
func (w *world) spareThread() (done func()) {
	threads := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(threads + 1)
	return func() { runtime.GOMAXPROCS(threads) }
}

// call makes one call of MPI, which returns a code.
func (w *world) call(name string, f func() C.int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if rc := f(); C.failed(rc) != 0 {
		return fmt.Errorf("%s: %s", name, C.GoString(C.problem(rc)))
	}
	return nil
}

// run begins an operation and waits for its end. What it is given stays where it is until
// then; after an operation that was cut off, for good.
func (w *world) run(ctx context.Context, name string, begin func(*C.MPI_Request) C.int, memory ...any) error {
	var pinned runtime.Pinner
	for _, m := range memory {
		switch m := m.(type) {
		case []byte:
			if len(m) > 0 {
				pinned.Pin(&m[0])
			}
		case []C.int:
			pinned.Pin(&m[0])
		}
	}
	request := new(C.MPI_Request)
	err := w.call(name, func() C.int { return begin(request) })
	if err == nil {
		err = w.until(ctx, func() (bool, error) {
			var done C.int
			err := w.call(name, func() C.int { return C.test(request, &done) })
			return done != 0, err
		})
	}
	if err != nil {
		w.mu.Lock()
		w.cut = true
		w.mu.Unlock()
		return err
	}
	pinned.Unpin()
	return nil
}

// until asks until the answer is yes, at once for a while and then less and less often.
func (w *world) until(ctx context.Context, done func() (bool, error)) error {
	const spins, longest = 200, time.Millisecond
	pause := 5 * time.Microsecond
	for asked := 0; ; asked++ {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if asked < spins {
			runtime.Gosched()
			continue
		}
		time.Sleep(pause)
		pause = min(longest, pause+pause/4)
	}
}

func at(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

func (w *world) Send(ctx context.Context, to, tag int, message []byte) error {
	if len(message) > mostBytes {
		return tooLong(len(message))
	}
	return w.run(ctx, "MPI_Isend", func(r *C.MPI_Request) C.int {
		return C.send(at(message), C.int(len(message)), C.int(to), C.int(tag), r)
	}, message)
}

func tooLong(n int) error {
	return fmt.Errorf("%d bytes at once are more than the %d that MPI takes", n, mostBytes)
}

func (w *world) Receive(ctx context.Context, from, tag int) (int, []byte, error) {
	var found, sender, n C.int
	letter := new(C.MPI_Message)
	err := w.until(ctx, func() (bool, error) {
		err := w.call("MPI_Improbe", func() C.int { return C.probe(C.int(from), C.int(tag), &found, &sender, &n, letter) })
		return found != 0, err
	})
	if err != nil {
		return 0, nil, err
	}
	message := make([]byte, n)
	err = w.run(ctx, "MPI_Imrecv", func(r *C.MPI_Request) C.int { return C.receive(at(message), n, letter, r) }, message)
	return int(sender), message, err
}

func (w *world) Broadcast(ctx context.Context, root int, message []byte) ([]byte, error) {
	length := make([]byte, 8)
	if w.rank == root {
		*(*int64)(at(length)) = int64(len(message))
	}
	part := func(b []byte) error {
		return w.run(ctx, "MPI_Ibcast", func(r *C.MPI_Request) C.int { return C.broadcast(at(b), C.int(len(b)), C.int(root), r) }, b)
	}
	if err := part(length); err != nil {
		return nil, err
	}
	own := make([]byte, *(*int64)(at(length)))
	if w.rank == root {
		copy(own, message)
	}
	const most = 1 << 30
	for from := 0; from < len(own); from += most {
		if err := part(own[from:min(from+most, len(own))]); err != nil {
			return nil, err
		}
	}
	return own, nil
}

// layout is where messages of different lengths lie one after the other.
type layout struct {
	counts, at []C.int
	bytes      []byte
}

func (w *world) layoutOf(counts []C.int) (layout, error) {
	l, sum := layout{counts: counts, at: make([]C.int, w.size)}, 0
	for i, n := range counts {
		if sum+int(n) > mostBytes {
			return l, tooLong(sum + int(n))
		}
		l.at[i] = C.int(sum)
		sum += int(n)
	}
	// No two layouts begin at the same place, as empty slices would: MPI takes equal buffers to
	// send and to receive for its operations in place, of which others then wait for more.
	l.bytes = make([]byte, sum, sum+1)
	return l, nil
}

// messages returns them each by itself.
func (l layout) messages() [][]byte {
	all := make([][]byte, len(l.counts))
	for i, n := range l.counts {
		all[i] = l.bytes[l.at[i]:][:n:n]
	}
	return all
}

// expect tells every rank how long the message for it is, and returns where those for this
// one will lie.
func (w *world) expect(ctx context.Context, lengths []C.int) (layout, error) {
	counts := make([]C.int, w.size)
	if err := w.run(ctx, "MPI_Ialltoall", func(r *C.MPI_Request) C.int { return C.lengths(&lengths[0], &counts[0], r) }, lengths, counts); err != nil {
		return layout{}, err
	}
	return w.layoutOf(counts)
}

// repeated is the length of a message for ranks that it goes to.
func (w *world) repeated(message []byte, goes func(rank int) bool) ([]C.int, error) {
	if len(message) > mostBytes {
		return nil, tooLong(len(message))
	}
	lengths := make([]C.int, w.size)
	for r := range lengths {
		if goes(r) {
			lengths[r] = C.int(len(message))
		}
	}
	return lengths, nil
}

func (w *world) Gather(ctx context.Context, root int, message []byte) ([][]byte, error) {
	lengths, err := w.repeated(message, func(r int) bool { return r == root })
	if err != nil {
		return nil, err
	}
	l, err := w.expect(ctx, lengths)
	if err != nil {
		return nil, err
	}
	err = w.run(ctx, "MPI_Igatherv", func(r *C.MPI_Request) C.int {
		return C.gather(at(message), C.int(len(message)), at(l.bytes), &l.counts[0], &l.at[0], C.int(root), r)
	}, message, l.bytes, l.counts, l.at)
	if err != nil || w.rank != root {
		return nil, err
	}
	return l.messages(), nil
}

// headBytes is what the ranks tell each other first of an AllGather: the length of a message and its
// beginning, which is all of a short one, so that a vote takes one operation.
const headBytes = 64

func (w *world) AllGather(ctx context.Context, message []byte) ([][]byte, error) {
	if len(message) > mostBytes {
		return nil, tooLong(len(message))
	}
	head := make([]byte, headBytes)
	*(*int64)(at(head)) = int64(len(message))
	copy(head[8:], message)
	heads, err := w.allGather(ctx, head, slices.Repeat([]C.int{headBytes}, w.size))
	if err != nil {
		return nil, err
	}
	short, lengths := true, make([]C.int, w.size)
	for r, head := range heads {
		n := *(*int64)(at(head))
		lengths[r], short = C.int(n), short && n <= headBytes-8
		heads[r] = head[8:][:min(n, headBytes-8):min(n, headBytes-8)]
	}
	if short {
		return heads, nil
	}
	return w.allGather(ctx, message, lengths)
}

// allGather is AllGather of messages whose lengths all ranks know.
func (w *world) allGather(ctx context.Context, message []byte, lengths []C.int) ([][]byte, error) {
	l, err := w.layoutOf(lengths)
	if err != nil {
		return nil, err
	}
	err = w.run(ctx, "MPI_Iallgatherv", func(r *C.MPI_Request) C.int {
		return C.all_gather(at(message), C.int(len(message)), at(l.bytes), &l.counts[0], &l.at[0], r)
	}, message, l.bytes, l.counts, l.at)
	return l.messages(), err
}

func (w *world) AllToAll(ctx context.Context, messages [][]byte) ([][]byte, error) {
	if len(messages) != w.size {
		panic(errParts)
	}
	lengths := make([]C.int, w.size)
	for r, m := range messages {
		if len(m) > mostBytes {
			return nil, tooLong(len(m))
		}
		lengths[r] = C.int(len(m))
	}
	out, err := w.layoutOf(lengths)
	if err != nil {
		return nil, err
	}
	for r, m := range messages {
		copy(out.bytes[out.at[r]:], m)
	}
	l, err := w.expect(ctx, lengths)
	if err != nil {
		return nil, err
	}
	err = w.run(ctx, "MPI_Ialltoallv", func(r *C.MPI_Request) C.int {
		return C.all_to_all(at(out.bytes), &out.counts[0], &out.at[0], at(l.bytes), &l.counts[0], &l.at[0], r)
	}, out.bytes, out.counts, out.at, l.bytes, l.counts, l.at)
	return l.messages(), err
}

func (w *world) Barrier(ctx context.Context) error {
	return w.run(ctx, "MPI_Ibarrier", func(r *C.MPI_Request) C.int { return C.barrier(r) })
}

func (w *world) Abort(code int) {
	w.mu.Lock()
	C.leave(C.int(code))
	os.Exit(code) // where MPI is broken
}

func (w *world) Close() error {
	w.mu.Lock()
	cut := w.cut
	w.mu.Unlock()
	if cut {
		return errCut
	}
	return w.call("MPI_Finalize", func() C.int { return C.MPI_Finalize() })
}
