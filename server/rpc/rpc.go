// Package rpc is a service over gRPC, by the Open Inference Protocol, version 2.
package rpc

import (
	"context"
	"log/slog"
	"math"
	"path"
	"runtime/debug"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	_ "google.golang.org/grpc/encoding/gzip" // clients may pack what they send
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"beziergp/server/guard"
	"beziergp/server/infer"
	"beziergp/server/oip"
	"beziergp/server/rest"
	"beziergp/server/rpc/inference"
)

// Options are how calls are answered.
type Options struct {
	Tokens *guard.Tokens
	// Credentials are of TLS; nil for none.
	Credentials credentials.TransportCredentials
	// Message is how many bytes a message may have, unpacked, by default 64 MiB.
	Message int
	// Connections is how many calls a client may have under way at a time, by default 256.
	Streams uint32
	// Served, if not nil, is told of every call that was answered.
	Served func(rest.Served, codes.Code)
	// Around, if not nil, is around every call.
	Around grpc.UnaryServerInterceptor
	Log    *slog.Logger
	NewID  func() string
	Now    func() time.Time
}

// server answers calls.
type server struct {
	inference.UnimplementedGRPCInferenceServiceServer
	*infer.Service
	options Options
}

// New returns a server of a service, which is yet to serve.
func New(s *infer.Service, o Options) *grpc.Server {
	if o.Message == 0 {
		o.Message = 64 << 20
	}
	if o.Streams == 0 {
		o.Streams = 256
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	own := &server{Service: s, options: o}
	around := []grpc.UnaryServerInterceptor{own.around}
	if o.Around != nil {
		around = []grpc.UnaryServerInterceptor{o.Around, own.around}
	}
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(o.Message), grpc.MaxSendMsgSize(math.MaxInt32), grpc.MaxConcurrentStreams(o.Streams),
		grpc.MaxHeaderListSize(32 << 10), grpc.ConnectionTimeout(10 * time.Second),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: 15 * time.Minute, Time: time.Minute, Timeout: 20 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second, PermitWithoutStream: true}),
		grpc.ChainUnaryInterceptor(around...),
	}
	if o.Credentials != nil {
		options = append(options, grpc.Creds(o.Credentials))
	}
	g := grpc.NewServer(options...)
	inference.RegisterGRPCInferenceServiceServer(g, own)
	return g
}

// needed is the access that a method takes, where it is not [guard.Predict].
var needed = map[string]guard.Access{
	"ServerLive": guard.None, "ServerReady": guard.None,
	"RepositoryModelLoad": guard.Admin, "RepositoryModelUnload": guard.Admin,
}

// around admits a call, has it answered, and tells of it.
func (s *server) around(ctx context.Context, in any, info *grpc.UnaryServerInfo, answer grpc.UnaryHandler) (out any, err error) {
	began, method := s.options.Now(), path.Base(info.FullMethod)
	served := rest.Served{ID: s.id(ctx), Method: "gRPC", Route: method, Model: s.modelOf(in)}
	defer func() {
		if v := recover(); v != nil {
			served.Panicked = true
			if s.options.Log != nil {
				s.options.Log.Error("panic", slog.String("id", served.ID), slog.Any("value", v), slog.String("stack", string(debug.Stack())))
			}
			out, err = nil, oip.Errorf(oip.Internal, "the server failed; its log says why, under the request's id")
		}
		err = s.status(ctx, err)
		if s.options.Served != nil {
			served.Took = s.options.Now().Sub(began)
			s.options.Served(served, status.Code(err))
		}
	}()
	_ = grpc.SetHeader(ctx, metadata.Pairs("x-request-id", served.ID))
	access, special := needed[method]
	if !special {
		access = guard.Predict
	}
	if access > guard.None {
		if err := rest.Admit(s.options.Tokens, first(ctx, "authorization"), access); err != nil {
			return nil, err
		}
	}
	return answer(ctx, in)
}

func (s *server) id(ctx context.Context) string {
	if id := first(ctx, "x-request-id"); id != "" && len(id) <= 128 {
		return strconv.QuoteToASCII(id)[1 : len(strconv.QuoteToASCII(id))-1]
	}
	if s.options.NewID == nil {
		return ""
	}
	return s.options.NewID()
}

// modelOf returns the model that a call is about, where there is one of that name.
func (s *server) modelOf(in any) string {
	name := ""
	switch in := in.(type) {
	case *inference.ModelInferRequest:
		name = in.GetModelName()
	case interface{ GetName() string }:
		name = in.GetName()
	case interface{ GetModelName() string }:
		name = in.GetModelName()
	}
	if _, err := s.Repository.Model(name, ""); err != nil {
		return ""
	}
	return name
}

func first(ctx context.Context, key string) string {
	if all := metadata.ValueFromIncomingContext(ctx, key); len(all) > 0 {
		return all[0]
	}
	return ""
}

// statuses are those of gRPC by the codes of errors.
var statuses = map[oip.Code]codes.Code{
	oip.Internal: codes.Internal, oip.Invalid: codes.InvalidArgument, oip.Unauthenticated: codes.Unauthenticated,
	oip.Forbidden: codes.PermissionDenied, oip.NotFound: codes.NotFound, oip.TooLarge: codes.ResourceExhausted,
	oip.Unsupported: codes.Unimplemented, oip.Busy: codes.ResourceExhausted, oip.Unavailable: codes.Unavailable,
	oip.Late: codes.DeadlineExceeded,
}

// status returns an error as gRPC has it. A busy server says when to come again in a trailer.
func (s *server) status(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if own, ok := err.(*oip.Error); ok {
		if own.Code == oip.Busy {
			_ = grpc.SetTrailer(ctx, metadata.Pairs("retry-after", strconv.Itoa(max(1, int(own.RetryAfter.Seconds())))))
		}
		return status.Error(statuses[own.Code], own.Message)
	}
	if _, ok := status.FromError(err); ok {
		return err
	}
	return status.Error(codes.Internal, "the server failed")
}
