//go:build linux

package server

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Who has been let in when a gate closes is met, however many keep coming.
func TestGateMeetsAllWhoCame(t *testing.T) {
	for range 3 {
		g, err := newGate("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan struct{})
		go func() {
			defer close(served)
			for {
				c, err := g.Accept()
				if err != nil {
					return
				}
				go func() {
					var b [1]byte
					_, _ = c.Read(b[:])
					_, _ = c.Write(b[:])
					c.Close()
				}()
			}
		}()
		var clients sync.WaitGroup
		var answered, lost, refused atomic.Int64
		for range 4 {
			clients.Go(func() {
				for {
					c, err := net.Dial("tcp", g.Addr().String())
					if err != nil {
						refused.Add(1)
						return
					}
					_ = c.SetDeadline(time.Now().Add(10 * time.Second))
					_, err = c.Write([]byte("x"))
					if err == nil {
						_, err = c.Read(make([]byte, 1))
					}
					c.Close()
					if err != nil {
						lost.Add(1)
						t.Log(err)
						return
					}
					answered.Add(1)
				}
			})
		}
		for answered.Load() < 100 {
			time.Sleep(time.Millisecond)
		}
		began := time.Now()
		if g.end(10 * time.Second); time.Since(began) > 5*time.Second {
			t.Error("it does not close")
		}
		<-served
		clients.Wait()
		if lost.Load() > 0 || refused.Load() != 4 {
			t.Errorf("%d answered, %d lost, %d refused", answered.Load(), lost.Load(), refused.Load())
		}
	}
}
