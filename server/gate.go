package server

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// gate is a socket that can be closed without losing a client who has come already. Closing
// the socket itself would cut off those whom the system has let in and nobody has met yet.
type gate struct {
	*net.TCPListener
	ending atomic.Bool
	ended  chan struct{}
}

func newGate(address string) (*gate, error) {
	var plain net.ListenConfig
	plain.SetMultipathTCP(false) // whose sockets take no filter
	on, err := plain.Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	return &gate{TCPListener: on.(*net.TCPListener), ended: make(chan struct{})}, nil
}

// quiet is how long nobody must have come for a gate to close.
const quiet = 2 * time.Millisecond

// Accept returns the next client, and after end an error when none is left.
func (g *gate) Accept() (net.Conn, error) {
	for {
		began, ending := time.Now(), g.ending.Load()
		if ending {
			_ = g.SetDeadline(began.Add(quiet))
		}
		c, err := g.TCPListener.Accept()
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return c, err
		}
		if ending && time.Since(began) >= quiet { // and it was not end that woke this
			close(g.ended)
			_ = g.Close()
			return nil, net.ErrClosed
		}
	}
}

// end has the gate close when all who have come are met, and waits for that, for a time at
// most: one with as many clients as it may have meets nobody.
func (g *gate) end(most time.Duration) {
	g.unwelcome()
	g.ending.Store(true)
	_ = g.SetDeadline(time.Now())
	select {
	case <-g.ended:
	case <-time.After(most):
	}
}
