package server

import (
	"errors"
	"log/slog"

	"google.golang.org/grpc/codes"

	"beziergp/server/engine"
	"beziergp/server/observe"
	"beziergp/server/oip"
	"beziergp/server/rest"
)

// read counts a file of a model that was read.
func (s *Server) read(name string, err error) { s.metrics.Loaded(name, err == nil) }

func (s *Server) changed(m oip.ModelIndex) {
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
