// Package infer is what a server does, whatever transport asks: it tells of models, and turns
// tensors into rows, and predictions into tensors. Its errors are [oip.Error]s.
package infer

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/server/engine"
	"beziergp/server/oip"
	"beziergp/server/repository"
	"beziergp/table"
)

// Options are how a service works.
type Options struct {
	Version string // of the program
	// Explicit lets clients load and unload models.
	Explicit bool
	// Elements is the number of values that a request may have, by default 2²⁴.
	Elements int
	// Timeout is how long a request may take, by default 30 s. A client may ask for less.
	Timeout time.Duration
	// Failed, if not nil, is told of an error that is none of the client's.
	Failed func(err error)
}

// Service answers. It is safe for concurrent use.
type Service struct {
	Repository *repository.Repository
	Engine     *engine.Engine
	options    Options
	draining   atomic.Bool
}

// New returns a service of models.
func New(r *repository.Repository, e *engine.Engine, o Options) *Service {
	if o.Elements == 0 {
		o.Elements = 1 << 24
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	return &Service{Repository: r, Engine: e, options: o}
}

// Elements is the number of values that a request may have.
func (s *Service) Elements() int { return s.options.Elements }

// Drain has the service say that it is not ready, from now on. It goes on answering.
func (s *Service) Drain() { s.draining.Store(true) }

// Draining tells whether the server ends.
func (s *Service) Draining() bool { return s.draining.Load() }

// Ready tells whether requests should be sent: models answer, and the server does not end.
func (s *Service) Ready() bool { return !s.draining.Load() && len(s.Repository.Models()) > 0 }

// ModelReady tells whether a model answers, and fails where there is none.
func (s *Service) ModelReady(name, version string) (bool, error) {
	_, err := s.Repository.Model(name, version)
	if oip.CodeOf(err) == oip.Unavailable && err != nil {
		return false, nil
	}
	return err == nil && !s.draining.Load(), err
}

// Metadata tells of the server.
func (s *Service) Metadata() oip.ServerMetadata {
	return oip.ServerMetadata{Name: "beziergp", Version: s.options.Version, Extensions: []string{"model_repository", "binary_tensor_data"}}
}

// ModelMetadata tells of a model.
func (s *Service) ModelMetadata(name, version string) (*oip.ModelMetadata, error) {
	m, err := s.Repository.Model(name, version)
	if err != nil {
		return nil, err
	}
	d := &oip.ModelMetadata{Name: m.Name, Versions: []string{m.Version}, Platform: "beziergp"}
	for _, f := range m.Columns() {
		d.Inputs = append(d.Inputs, oip.TensorMetadata{Name: f.Name, Datatype: datatype(f.Kind), Shape: []int64{-1}})
	}
	d.Outputs = outputs(m.Classes())
	return d, nil
}

// datatype is the type in which values of a kind are best sent.
func datatype(k table.Kind) oip.Datatype {
	switch k {
	case table.Boolean:
		return oip.Bool
	case table.Category, table.DateTime:
		return oip.Bytes
	}
	return oip.FP64
}

// Index tells of all versions of models, or of those alone that answer.
func (s *Service) Index(ready bool) []oip.ModelIndex {
	all := []oip.ModelIndex{}
	for _, m := range s.Repository.Index() {
		if !ready || m.State == oip.Ready {
			all = append(all, m)
		}
	}
	return all
}

// Load loads a model, anew where it is loaded.
func (s *Service) Load(name string) error {
	if err := s.explicit(); err != nil {
		return err
	}
	return s.Repository.Load(name)
}

// Unload takes a model away.
func (s *Service) Unload(name string) error {
	if err := s.explicit(); err != nil {
		return err
	}
	return s.Repository.Unload(name)
}

func (s *Service) explicit() error {
	if !s.options.Explicit {
		return oip.Errorf(oip.Forbidden, "models are not loaded and unloaded on request here; the server is to be started with --reload explicit")
	}
	return nil
}

// Check fails where nothing more can wait, before a request is read.
func (s *Service) Check() error {
	if err := s.Engine.Check(); err != nil {
		return s.told(err)
	}
	return nil
}

// Read runs what reads a request's body, as [engine.Engine.Read] does.
func (s *Service) Read(ctx context.Context, read func() error) error {
	return s.told(s.Engine.Read(ctx, read))
}

// Predict predicts rows of a model, [columns] of n values each.
func (s *Service) Predict(ctx context.Context, m *repository.Loaded, columns [][]float64, a *Ask) (*engine.Answer, error) {
	n := len(columns[0])
	if n*a.width() > s.options.Elements {
		return nil, oip.Errorf(oip.TooLarge, "%d rows of %d quantiles, %d probabilities and %d classes are more than %d values; send fewer rows at a time", n, len(a.Quantiles), len(a.Counts), len(a.classes), s.options.Elements)
	}
	ctx, cancel := s.within(ctx, a)
	defer cancel()
	ctx, end := span(ctx, "predict", m, n)
	answer, err := s.Engine.Predict(ctx, m.Model, a.Predict, columns, a.Extra)
	err = s.told(err)
	end(err)
	return answer, err
}

// within bounds the time that a request may take.
func (s *Service) within(ctx context.Context, a *Ask) (context.Context, context.CancelFunc) {
	timeout := s.options.Timeout
	if a.Timeout > 0 {
		timeout = min(timeout, a.Timeout)
	}
	return context.WithTimeout(ctx, timeout)
}

// told returns an error as a client is told of it. What is none of the client's affair goes to
// the log, and the client hears that something failed.
func (s *Service) told(err error) error {
	var own *oip.Error
	var busy *engine.BusyError
	var row *model.RowError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return err
	case errors.As(err, &busy):
		return &oip.Error{Code: oip.Busy, Message: busy.Error(), RetryAfter: busy.After}
	case errors.Is(err, context.DeadlineExceeded):
		return oip.Errorf(oip.Late, "the request took longer than it may")
	case errors.Is(err, context.Canceled):
		return oip.Errorf(oip.Unavailable, "the request was given up")
	case is[box.RowError](err), errors.As(err, &row), is[*limit.OptionError](err), is[*RowError](err), is[*table.UnknownError](err), is[*serve.ValueError](err):
		return &oip.Error{Code: oip.Invalid, Message: err.Error()}
	}
	if s.options.Failed != nil {
		s.options.Failed(err)
	}
	return oip.Errorf(oip.Internal, "the prediction failed; the server's log says why")
}

func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// RowError reports a row of a request that is none of its model.
type RowError struct {
	Row int // counted from 1
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d, %v", e.Row, e.Err) }

// Unwrap returns what is wrong with it.
func (e *RowError) Unwrap() error { return e.Err }
