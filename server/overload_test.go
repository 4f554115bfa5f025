//go:build unix

package server_test

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// batch is a request of some rows, with quantiles, which take longer than reading it.
func batch(rows int) string {
	return fmt.Sprintf(`{"inputs": [{"name": "all", "datatype": "FP64", "shape": [%d, 4], "data": [%s]}], "parameters": {"out_of_box": "clip", "quantiles": [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95]}, "outputs": [{"name": "mean"}]}`,
		rows, strings.TrimSuffix(strings.Repeat("0.5,0.5,null,null,", rows), ","))
}

// watch asks for health again and again, until the function is called that it returns, which
// returns how long answers took, in order.
func (a *alone) watch() func() []time.Duration {
	stop, asked := make(chan struct{}), make(chan []time.Duration)
	go func() {
		var all []time.Duration
		defer func() { asked <- all }()
		c, err := callAt(strings.TrimPrefix(a.url, "http://"))
		if err != nil {
			a.t.Error(err)
			return
		}
		defer c.Close()
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			_ = c.SetDeadline(time.Now().Add(time.Minute))
			began := time.Now()
			if code, _, err := c.ask("GET", "/v2/health/ready", ""); code != 200 || err != nil {
				a.t.Errorf("health: %d %v", code, err)
				return
			}
			all = append(all, time.Since(began))
		}
	}()
	return func() []time.Duration {
		close(stop)
		all := <-asked
		if slices.Sort(all); len(all) == 0 {
			a.t.Fatal("health was not asked")
		}
		return all
	}
}

// Offered ten times what it can do, the server sheds, says that it lives, keeps its memory, and
// is itself within a second afterwards.
func TestOverload(t *testing.T) {
	const rows = 500
	a := launch(t, settings{QueueRows: 20000, QueueTasks: 64})
	url, body, span := a.url+"/v2/models/format4/infer", batch(rows), 2*time.Second
	if long() {
		span = time.Minute
	}
	// What it can do, for eight clients who wait for their answers.
	var done atomic.Int64
	var load sync.WaitGroup
	until := time.Now().Add(max(span/10, time.Second))
	began := time.Now()
	for range 8 {
		load.Go(func() {
			for time.Now().Before(until) {
				switch code, _, text := a.ask("POST", "/v2/models/format4/infer", body); code {
				case 200:
					done.Add(1)
				case 429: // on a slow machine eight are too many
					time.Sleep(100 * time.Millisecond)
				default:
					t.Errorf("%d %s", code, text)
					return
				}
			}
		})
	}
	load.Wait()
	if done.Load() == 0 {
		t.Fatal("nothing is answered")
	}
	can := float64(done.Load()) / time.Since(began).Seconds()
	time.Sleep(200 * time.Millisecond)
	idle, _ := a.memory()

	calm := a.watch()
	time.Sleep(span / 2)
	quiet := calm()
	under := a.watch() // all the while, over a connection of its own
	came := offerApart(t, offer{url, body, 10 * can, span})
	by, unwell := came.By, came.Unwell
	health := under()
	after := time.Now()
	for {
		code, _, text := a.ask("POST", "/v2/models/format4/infer", body)
		if code == 200 {
			break
		}
		if code != 429 || time.Since(after) > 10*time.Second {
			t.Fatalf("afterwards: %d %s", code, text)
		}
	}
	recovered := time.Since(after)
	_, most := a.memory()
	// What waits is a request's text, its numbers read and the answer's, and the collector of
	// garbage lets as much again lie.
	queue := int64(2 * 64 * (3*len(body) + 8*rows*(4+17)))
	t.Logf("%.0f requests a second are possible; of 10 times as many in %v, %d are answered and %d shed; health p50 %v, p99 %v, at most %v (p99 %v when idle); memory %d MiB idle, %d MiB at most, queue %d MiB; normal %v afterwards",
		can, span, by[200], by[429], health[len(health)/2], health[len(health)*99/100], health[len(health)-1], quiet[len(quiet)*99/100], idle>>20, most>>20, queue>>20, recovered)
	if by[200] == 0 || by[429] == 0 || len(unwell) > 0 {
		t.Errorf("%v, %q", by, unwell)
	}
	if recovered > time.Second && (long() || recovered > 10*time.Second) {
		t.Errorf("%v until it answers again", recovered)
	}
	limit := 2 * time.Second
	if long() {
		limit = 100*time.Millisecond + quiet[len(quiet)*99/100] // which is the machine's
	}
	if worst := health[len(health)*99/100]; worst > limit {
		t.Errorf("health takes %v", worst)
	}
	if most > idle*3/2+queue {
		t.Errorf("%d bytes of memory, of which %d when idle and %d of the queue", most, idle, queue)
	}
}

// Clients that send nothing, or little by little, do not stop others.
func TestSlowClients(t *testing.T) {
	a := launch(t, settings{})
	n := 500
	var may syscall.Rlimit
	if long() {
		n = 10000
		if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &may); err == nil {
			n = int(min(uint64(n), uint64(may.Cur)*9/10))
		}
	}
	var all []net.Conn
	for i := range n {
		c, err := net.Dial("tcp", strings.TrimPrefix(a.url, "http://"))
		if err != nil {
			t.Fatalf("client %d: %v", i, err)
		}
		defer c.Close()
		switch i % 3 {
		case 0:
			fmt.Fprintf(c, "POST /v2/models/format4/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n{")
		case 1:
			fmt.Fprint(c, "GET /v2 HT")
		}
		all = append(all, c)
	}
	now, _ := a.memory()
	began := time.Now()
	for range 20 {
		if code, _, text := a.ask("POST", "/v2/models/format4/infer", tensors+`}`); code != 200 {
			t.Errorf("%d %s", code, text)
		}
		for _, c := range all[:min(len(all), 100)] { // a byte more
			fmt.Fprint(c, " ")
		}
	}
	t.Logf("with %d slow clients: 20 requests in %v, %d MiB", n, time.Since(began), now>>20)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("20 requests take %v", took)
	}
}
