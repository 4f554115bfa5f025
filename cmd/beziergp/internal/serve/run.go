package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/version"
	"beziergp/server"
	"beziergp/server/engine"
	"beziergp/server/guard"
)

// Run serves models until ctx is done.
func Run(ctx context.Context, s streams.Streams, paths []string, o *Options) error {
	options, err := o.server(s, paths)
	if err != nil {
		return err
	}
	options.Engine.Lanes = server.Spare(o.Lanes)
	own, err := server.New(*options)
	var wrong *server.OptionError
	switch {
	case errors.As(err, &wrong):
		return exit.Usagef("%w; see --listen, --tls-cert, --token-file and --insecure", err)
	case errors.Is(err, os.ErrNotExist):
		return exit.Dataf("%w", err)
	case err != nil:
		return err
	}
	// What the program does on SIGHUP otherwise is end.
	s.Hangup.Take(func() {
		options.Log.Info("reloading")
		own.Reload()
	})
	defer s.Hangup.Take(nil)
	o.announce(s, own)
	if err := own.Serve(ctx); err != nil {
		return err
	}
	s.Console.Note("stopped", slog.String("event", "stopped"))
	return nil
}

// announce says where the server is.
func (o *Options) announce(s streams.Streams, own *server.Server) {
	scheme := "http"
	if o.Certificate != "" {
		scheme = "https"
	}
	var names []string
	for _, m := range own.Service().Repository.Models() {
		names = append(names, m.Name)
	}
	rest, rpc, metrics := own.Address("rest"), own.Address("grpc"), own.Address("metrics")
	where := ""
	if rest != "" {
		where += fmt.Sprintf(" at %s://%s", scheme, rest)
	}
	if rpc != "" {
		where += ", gRPC at " + rpc
	}
	if metrics != "" {
		where += fmt.Sprintf(", metrics at http://%s/metrics", metrics)
	}
	s.Console.Note(fmt.Sprintf("serving %v%s", names, where), slog.String("event", "serving"), slog.Any("models", names),
		slog.String("rest", rest), slog.String("grpc", rpc), slog.String("metrics", metrics))
	if o.Insecure {
		s.Console.Warn("--insecure: who reaches the addresses may ask, and read what is said", slog.String("event", "insecure"))
	}
}

// server returns the options of a server.
func (o *Options) server(s streams.Streams, paths []string) (*server.Options, error) {
	if (o.Certificate == "") != (o.Key == "") {
		return nil, exit.Usagef("--tls-cert and --tls-key go together")
	}
	if o.Poll < 100*time.Millisecond {
		return nil, exit.Usagef("--poll-every %v: files are looked at every 100ms at most", o.Poll)
	}
	tokens, err := o.tokens()
	if err != nil {
		return nil, exit.Usagef("%w", err)
	}
	address := func(text string) string {
		if text == off {
			return ""
		}
		return cmp.Or(text, "an empty address")
	}
	return &server.Options{
		Paths: paths, REST: address(o.Listen), GRPC: address(o.GRPC), Metrics: address(o.Metrics), Insecure: o.Insecure,
		TLS: guard.TLS{Certificate: o.Certificate, Key: o.Key, ClientCA: o.CA}, Tokens: tokens, Reload: o.Reload, Poll: o.Poll,
		Engine: engine.Options{Lanes: o.Lanes, QueueRows: o.QueueRows, QueueTime: o.QueueTime}, Body: o.Body, Elements: o.Elements, Connections: o.Connections,
		Timeout: o.Timeout, Drain: o.Drain, Access: o.AccessLog, Collector: o.Collector, Version: version.Short(), Log: s.Console.Logger(),
	}, nil
}

// tokens returns those of files, or of the environment.
func (o *Options) tokens() (*guard.Tokens, error) {
	if o.Token != "" || o.AdminToken != "" {
		return guard.ReadTokens(o.Token, o.AdminToken)
	}
	t, err := guard.NewTokens(os.Getenv("BEZIERGP_TOKEN"), os.Getenv("BEZIERGP_ADMIN_TOKEN"))
	if err != nil {
		return nil, fmt.Errorf("BEZIERGP_TOKEN, BEZIERGP_ADMIN_TOKEN: %w", err)
	}
	return t, nil
}
