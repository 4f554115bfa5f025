// Package server puts a service on the network: over HTTP and gRPC, with metrics beside, until
// it is to end, and then lets what is under way finish.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"

	"beziergp/box"
	"beziergp/model"
	"beziergp/server/engine"
	"beziergp/server/guard"
	"beziergp/server/infer"
	"beziergp/server/observe"
	"beziergp/server/repository"
	"beziergp/server/traces"
)

// Reload is when models are read again.
type Reload string

// The choices.
const (
	ReloadNone     Reload = "none"     // when asked to by [Server.Reload] alone
	ReloadExplicit Reload = "explicit" // when a client asks, too
	ReloadPoll     Reload = "poll"     // every so often, too
)

// Options are how a server works. Zero values are the documented defaults.
type Options struct {
	Paths []string // of models and repositories
	// REST, GRPC and Metrics are the addresses to listen at, HOST:PORT; empty for none.
	REST, GRPC, Metrics string
	// Insecure lets others than this machine in without a certificate and a token.
	Insecure bool
	TLS      guard.TLS // no certificate for none
	Tokens   *guard.Tokens
	Reload   Reload
	Poll     time.Duration // by default 10 s
	Engine   engine.Options
	// Body is how many bytes a request may have, unpacked, by default 64 MiB; Elements how many
	// values, by default 2²⁴; Connections how many there may be at a time, by default 16384.
	Body        int64
	Elements    int
	Connections int
	// Timeout is how long a request may take once it is read, by default 30 s; Drain how long
	// what is under way may take at the end, by default 30 s.
	Timeout, Drain time.Duration
	// Collector is where traces of OpenTelemetry go, http://HOST:4318; empty for where the
	// environment says, and for nowhere where it says nothing.
	Collector string
	// Access has every request logged.
	Access  bool
	Version string // of the program
	Log     *slog.Logger
}

// Server is a server that listens.
type Server struct {
	options Options
	service *infer.Service
	metrics *observe.Metrics
	rest    *http.Server
	grpc    *grpc.Server
	watched *http.Server
	listens []listening
	open    atomic.Int64   // connections over HTTP
	tracer  *traces.Tracer // nil for none
}

// listening is a socket, and what serves it.
type listening struct {
	name  string
	gate  *gate
	on    net.Listener
	serve func(net.Listener) error
}

// OptionError reports options that do not go together.
type OptionError struct{ Problem string }

func (e *OptionError) Error() string { return e.Problem }

// New reads the models and opens the sockets. It fails with an [OptionError], a
// [model.FileError], or what the system says.
func New(o Options) (_ *Server, err error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	e, err := engine.New(o.Engine)
	if err != nil {
		return nil, err
	}
	s := &Server{options: o}
	var r *repository.Repository
	s.metrics = observe.New(e.Waiting, func() int {
		if r == nil {
			return 0
		}
		return len(r.Models())
	})
	r, err = repository.Open(repository.Options{Paths: o.Paths, Predict: model.PredictOptions{Policy: box.Clip}, Observer: s.metrics.Observer, Read: s.read, Changed: s.changed})
	if err != nil {
		return nil, err
	}
	s.service = infer.New(r, e, infer.Options{Version: o.Version, Explicit: o.Reload == ReloadExplicit, Elements: o.Elements, Timeout: o.Timeout, Failed: s.failed})
	defer func() {
		if err != nil {
			s.closeAll()
		}
	}()
	if o.Collector != "" || traces.Wanted() {
		s.tracer, err = traces.Start(context.Background(), o.Collector, o.Version, func(err error) {
			o.Log.Warn("traces", slog.String("error", err.Error()))
		})
		if err != nil {
			return nil, &OptionError{err.Error()}
		}
	}
	return s, s.listen()
}

func (o Options) withDefaults() Options {
	if o.Tokens == nil {
		o.Tokens = &guard.Tokens{}
	}
	if o.Reload == "" {
		o.Reload = ReloadNone
	}
	if o.Poll == 0 {
		o.Poll = 10 * time.Second
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Drain == 0 {
		o.Drain = 30 * time.Second
	}
	if o.Body == 0 {
		o.Body = 64 << 20
	}
	if o.Connections == 0 {
		o.Connections = 16384
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// check refuses what would let strangers in.
func (o *Options) check() error {
	if o.REST == "" && o.GRPC == "" {
		return &OptionError{"there is no address to listen at; give one for REST or for gRPC"}
	}
	if o.TLS.Certificate == "" && o.TLS.ClientCA != "" {
		return &OptionError{"certificates of clients are checked by a server that has one of its own: give a certificate and its key"}
	}
	if o.Reload == ReloadExplicit && !o.Tokens.HasAdmin() {
		return &OptionError{"models are loaded on request by those who show a token for it: give the file of an administrator's token"}
	}
	for _, address := range []string{o.REST, o.GRPC, o.Metrics} {
		if address == "" {
			continue
		}
		local, err := guard.Loopback(address)
		if err != nil {
			return &OptionError{err.Error()}
		}
		if address != o.Metrics && !local && !o.Insecure && (o.TLS.Certificate == "" || !o.Tokens.Needed() && o.TLS.ClientCA == "") {
			return &OptionError{fmt.Sprintf("others than this machine reach %s: give a certificate, and a token or an authority of clients' certificates, or say that it is to be insecure", address)}
		}
	}
	return nil
}

// Address returns where one of rest, grpc and metrics is listened at; empty for nowhere.
func (s *Server) Address(name string) string {
	for _, l := range s.listens {
		if l.name == name {
			return l.on.Addr().String()
		}
	}
	return ""
}

// Service is what the server puts on the network.
func (s *Server) Service() *infer.Service { return s.service }

// Reload reads models that have changed.
func (s *Server) Reload() { s.service.Repository.Reload() }
