//go:build unix

package server_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"beziergp/server/rpc/inference"
)

// caller is a connection that is kept alive.
type caller struct {
	net.Conn
	in *bufio.Reader
}

func callAt(address string) (*caller, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	return &caller{c, bufio.NewReader(c)}, nil
}

// ask sends a request and reads the whole answer; last tells whether the server ends the
// connection.
func (c *caller) ask(method, path, body string) (code int, last bool, err error) {
	if _, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", method, path, len(body), body); err != nil {
		return 0, false, err
	}
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return 0, false, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Close, err
}

// At SIGTERM every request that was sent is answered, over connections that are kept alive, new
// ones and gRPC; the server says that it is not ready, and ends soon.
func TestSIGTERMUnderLoad(t *testing.T) {
	a := launch(t, settings{Lanes: 1})
	address := strings.TrimPrefix(a.url, "http://")
	const path, rows = "/v2/models/format4/infer", tensors + `}`
	var answered, closings, refused, calls atomic.Int64
	var load sync.WaitGroup
	for i := range 8 {
		load.Go(func() {
			c, err := callAt(address)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { c.Close() }()
			for {
				code, last, err := c.ask("POST", path, rows)
				if err != nil || code != 200 {
					t.Errorf("a request is lost after %d: %d %v", answered.Load(), code, err)
					return
				}
				answered.Add(1)
				if !last {
					continue
				}
				closings.Add(1)
				if i%2 == 0 {
					return
				}
				c.Close() // and once more, as one who does not know does
				if c, err = callAt(address); err != nil {
					if !errors.Is(err, syscall.ECONNREFUSED) {
						t.Error(err)
					}
					refused.Add(1)
					c = &caller{Conn: &net.TCPConn{}}
					return
				}
			}
		})
	}
	g, err := grpc.NewClient(a.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for range 4 {
		load.Go(func() {
			for {
				_, err := inference.NewGRPCInferenceServiceClient(g).ModelInfer(t.Context(), call(true))
				if err != nil {
					if !strings.Contains(err.Error(), "connection refused") {
						t.Errorf("a call is lost after %d: %v", calls.Load(), err)
					}
					return
				}
				calls.Add(1)
			}
		})
	}
	idle, err := callAt(address) // which asks one thing, and again at the end
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	if code, last, err := idle.ask("GET", "/v2/health/ready", ""); code != 200 || last || err != nil {
		t.Errorf("before: %d %v %v", code, last, err)
	}
	for answered.Load() < 200 || calls.Load() < 50 {
		time.Sleep(time.Millisecond)
	}
	ended := make(chan struct{})
	go func() {
		if err, took := a.terminate(); err != nil || took > 20*time.Second {
			t.Errorf("the process ends with %v after %v", err, took)
		} else {
			t.Logf("%v after SIGTERM; %d requests, %d calls, %d told of the end, %d refused", took, answered.Load(), calls.Load(), closings.Load(), refused.Load())
		}
		close(ended)
	}()
	load.Wait()
	if code, last, err := idle.ask("GET", "/v2/health/ready", ""); err == nil && (code != 503 || !last) {
		t.Errorf("at the end: %d %v", code, last)
	}
	<-ended
	if closings.Load() < 8 {
		t.Errorf("%d connections were told that they end", closings.Load())
	}
}

// A connection that seems idle, and on which a request comes when the server has begun to end,
// gets its answer, which is its last.
func TestKeptConnectionsEndWithAnAnswer(t *testing.T) {
	a := launch(t, settings{})
	var all []*caller
	for range 20 {
		c, err := callAt(strings.TrimPrefix(a.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if code, last, err := c.ask("POST", "/v2/models/format4/infer", tensors+"}"); code != 200 || last || err != nil {
			t.Fatal(code, last, err)
		}
		all = append(all, c)
	}
	done := make(chan error, 1)
	go func() {
		err, _ := a.terminate()
		done <- err
	}()
	began := time.Now()
	for { // until it is not ready
		code, _, err := all[0].ask("GET", "/v2/health/ready", "")
		if err != nil {
			t.Fatal(err)
		}
		if code == 503 {
			break
		}
	}
	for _, c := range all[1:] {
		code, last, err := c.ask("POST", "/v2/models/format4/infer", tensors+"}")
		if time.Since(began) > time.Second {
			t.Skip("this machine is too slow to ask in the time that a server waits")
		}
		if code != 200 || !last || err != nil {
			t.Errorf("%d %v %v", code, last, err)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
