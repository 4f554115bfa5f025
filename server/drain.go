package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"google.golang.org/grpc"
)

// Serve serves until ctx is done, and then until what is under way has finished, at most for
// the time that the options say. It returns nil then, and else why a socket failed.
func (s *Server) Serve(ctx context.Context) error {
	failed := make(chan error, len(s.listens))
	for _, l := range s.listens {
		go func() {
			err := l.serve(l.on)
			if !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, grpc.ErrServerStopped) {
				failed <- fmt.Errorf("%s: %w", l.name, err)
			}
		}()
	}
	if s.options.Reload == ReloadPoll {
		go s.poll(ctx)
	}
	select {
	case <-ctx.Done():
		s.drain()
		return nil
	case err := <-failed:
		s.closeAll()
		return err
	}
}

func (s *Server) poll(ctx context.Context) {
	ticks := time.NewTicker(s.options.Poll)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			s.Reload()
		case <-ctx.Done():
			return
		}
	}
}

// lingers is how long new requests are still answered at the end, and then those who came last.
const lingers = time.Second

// lastTraces is how long a collector may take for the last traces.
const lastTraces = 5 * time.Second

// linger answers on until no connection is left, for a while at most, then lets nobody in any more,
// and answers those who came last. What looks idle may have a request on its way, which would be
// lost if its connection were closed now: from the time that the service drains, every answer says
// that its connection ends. [http.Server.Shutdown] does neither, and drops requests that it reads
// from then on.
func (s *Server) linger() {
	most := min(lingers, s.options.Drain/3)
	s.settle(most)
	for _, l := range s.listens {
		if l.name == "rest" {
			l.gate.end(most)
		}
	}
	s.settle(most)
}

// settle waits until no connection is left, for a time at most.
func (s *Server) settle(most time.Duration) {
	for until := time.Now().Add(most); s.open.Load() > 0 && time.Now().Before(until); {
		time.Sleep(5 * time.Millisecond)
	}
}

// drain lets what is under way finish.
func (s *Server) drain() {
	s.service.Drain()
	s.options.Log.Info("draining")
	ctx, cancel := context.WithTimeout(context.Background(), s.options.Drain)
	defer cancel()
	var all sync.WaitGroup
	if s.rest != nil {
		all.Go(func() {
			s.linger()
			if s.rest.Shutdown(ctx) != nil {
				s.rest.Close()
			}
		})
	}
	if s.grpc != nil {
		all.Go(func() {
			stopped := make(chan struct{})
			go func() { s.grpc.GracefulStop(); close(stopped) }()
			select {
			case <-stopped:
			case <-ctx.Done():
				s.grpc.Stop()
			}
		})
	}
	all.Wait()
	if s.tracer != nil {
		short, cancel := context.WithTimeout(ctx, lastTraces)
		defer cancel()
		_ = s.tracer.Close(short) // the log is told
	}
	s.closeAll()
}

func (s *Server) closeAll() {
	if s.watched != nil {
		_ = s.watched.Close()
	}
	for _, l := range s.listens {
		_ = l.on.Close()
	}
}
