// Package server puts a service on the network: over HTTP and gRPC, with metrics beside, until
// it is to end, and then lets what is under way finish.
package server

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/netutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"

	"beziergp/box"
	"beziergp/model"
	"beziergp/server/engine"
	"beziergp/server/guard"
	"beziergp/server/infer"
	"beziergp/server/observe"
	"beziergp/server/oip"
	"beziergp/server/repository"
	"beziergp/server/rest"
	"beziergp/server/rpc"
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
}

// listening is a socket, and what serves it.
type listening struct {
	name  string
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
	r, err = repository.Open(repository.Options{Paths: o.Paths, Predict: model.PredictOptions{Policy: box.Clip}, Observer: s.metrics.Observer, Changed: s.changed})
	if err != nil {
		return nil, err
	}
	s.service = infer.New(r, e, infer.Options{Version: o.Version, Explicit: o.Reload == ReloadExplicit, Elements: o.Elements, Timeout: o.Timeout, Failed: s.failed})
	defer func() {
		if err != nil {
			s.closeAll()
		}
	}()
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

// NewID returns a random name for a request.
func NewID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // which never fails
	return hex.EncodeToString(b[:])
}

func (s *Server) listen() error {
	o := &s.options
	secure := func(protocols ...string) (*tls.Config, error) {
		if o.TLS.Certificate == "" {
			return nil, nil
		}
		return o.TLS.Config(time.Now, protocols...)
	}
	if o.REST != "" {
		config, err := secure("h2", "http/1.1")
		if err != nil {
			return err
		}
		local, _ := guard.Loopback(o.REST)
		handler := rest.New(s.service, rest.Options{Tokens: o.Tokens, Local: local && !o.Tokens.Needed() && !o.Insecure, Body: o.Body, Served: s.served, Log: o.Log, NewID: NewID})
		s.rest = &http.Server{
			Handler: handler, TLSConfig: config, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
			ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute + o.Timeout, IdleTimeout: 2 * time.Minute,
			MaxHeaderBytes: 32 << 10,
		}
		on, err := s.open("rest", o.REST, s.rest.Serve)
		if err != nil {
			return err
		}
		if config != nil {
			on.serve = func(l net.Listener) error { return s.rest.ServeTLS(l, "", "") }
		}
	}
	if o.GRPC != "" {
		config, err := secure("h2")
		if err != nil {
			return err
		}
		var creds credentials.TransportCredentials
		if config != nil {
			creds = credentials.NewTLS(config)
		}
		s.grpc = rpc.New(s.service, rpc.Options{Tokens: o.Tokens, Credentials: creds, Message: int(o.Body), Served: s.called, Log: o.Log, NewID: NewID})
		if _, err := s.open("grpc", o.GRPC, s.grpc.Serve); err != nil {
			return err
		}
	}
	if o.Metrics != "" {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.metrics.Handler())
		s.watched = &http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 32 << 10}
		if _, err := s.open("metrics", o.Metrics, s.watched.Serve); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) open(name, address string, serve func(net.Listener) error) (*listening, error) {
	on, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s.listens = append(s.listens, listening{name, netutil.LimitListener(on, s.options.Connections), serve})
	return &s.listens[len(s.listens)-1], nil
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

// drain lets what is under way finish.
func (s *Server) drain() {
	s.service.Drain()
	s.options.Log.Info("draining")
	ctx, cancel := context.WithTimeout(context.Background(), s.options.Drain)
	defer cancel()
	var all sync.WaitGroup
	if s.rest != nil {
		all.Go(func() {
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

func (s *Server) changed(m oip.ModelIndex) {
	s.metrics.Loaded(m.Name, m.State == oip.Ready)
	fields := []any{slog.String("model", m.Name), slog.String("version", m.Version), slog.String("state", string(m.State))}
	if m.Reason != "" {
		s.options.Log.Warn("model", append(fields, slog.String("reason", m.Reason))...)
		return
	}
	s.options.Log.Info("model", fields...)
}

// failed logs what a client is not told of.
func (s *Server) failed(err error) {
	var panicked *engine.PanicError
	if errors.As(err, &panicked) {
		s.metrics.Panicked()
		s.options.Log.Error("panic", slog.Any("value", panicked.Value), slog.String("stack", string(panicked.Stack)))
		return
	}
	s.options.Log.Error("a prediction failed", slog.String("error", err.Error()))
}

func (s *Server) served(r rest.Served) { s.tell(r, observe.Status(r.Status), r.Status >= 500) }

func (s *Server) called(r rest.Served, code codes.Code) {
	s.tell(r, code.String(), code == codes.Internal || code == codes.Unknown)
}

// tell counts and logs a request.
func (s *Server) tell(r rest.Served, code string, bad bool) {
	s.metrics.Served(r.Route, r.Model, code, r.Took, r.Panicked)
	if s.options.Access || bad {
		s.options.Log.Info("request", slog.String("id", r.ID), slog.String("method", r.Method), slog.String("route", r.Route),
			slog.String("model", r.Model), slog.String("code", code), slog.Float64("seconds", r.Took.Seconds()))
	}
}
