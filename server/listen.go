package server

import (
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
	"google.golang.org/grpc/credentials"

	"beziergp/server/guard"
	"beziergp/server/rest"
	"beziergp/server/rpc"
)

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
		var handler http.Handler = rest.New(s.service, rest.Options{Tokens: o.Tokens, Local: local && !o.Tokens.Needed() && !o.Insecure, Body: o.Body, Served: s.served, Log: o.Log, NewID: NewID})
		if s.tracer != nil {
			handler = s.tracer.HTTP(handler)
		}
		s.rest = &http.Server{
			Handler: handler, TLSConfig: config, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
			ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute + o.Timeout, IdleTimeout: 2 * time.Minute,
			MaxHeaderBytes: 32 << 10, ConnState: s.counted,
		}
		on, err := s.socket("rest", o.REST, s.rest.Serve)
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
		options := rpc.Options{Tokens: o.Tokens, Credentials: creds, Message: int(o.Body), Served: s.called, Log: o.Log, NewID: NewID}
		if s.tracer != nil {
			options.Around = s.tracer.Unary
		}
		s.grpc = rpc.New(s.service, options)
		if _, err := s.socket("grpc", o.GRPC, s.grpc.Serve); err != nil {
			return err
		}
	}
	if o.Metrics != "" {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.metrics.Handler())
		s.watched = &http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 32 << 10}
		if _, err := s.socket("metrics", o.Metrics, s.watched.Serve); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) socket(name, address string, serve func(net.Listener) error) (*listening, error) {
	g, err := newGate(address)
	if err != nil {
		return nil, err
	}
	s.listens = append(s.listens, listening{name, g, netutil.LimitListener(g, s.options.Connections), serve})
	return &s.listens[len(s.listens)-1], nil
}

// counted counts connections.
func (s *Server) counted(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.open.Add(1)
	case http.StateClosed:
		s.open.Add(-1)
	}
}
