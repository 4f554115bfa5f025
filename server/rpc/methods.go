package rpc

import (
	"context"

	"beziergp/server/oip"
	"beziergp/server/rpc/inference"
)

// ServerLive tells whether the server runs.
func (s *server) ServerLive(context.Context, *inference.ServerLiveRequest) (*inference.ServerLiveResponse, error) {
	return &inference.ServerLiveResponse{Live: true}, nil
}

// ServerReady tells whether requests should be sent.
func (s *server) ServerReady(context.Context, *inference.ServerReadyRequest) (*inference.ServerReadyResponse, error) {
	return &inference.ServerReadyResponse{Ready: s.Ready()}, nil
}

// ModelReady tells whether a model answers.
func (s *server) ModelReady(_ context.Context, in *inference.ModelReadyRequest) (*inference.ModelReadyResponse, error) {
	ready, err := s.Service.ModelReady(in.GetName(), in.GetVersion())
	if err != nil {
		return nil, err
	}
	return &inference.ModelReadyResponse{Ready: ready}, nil
}

// ServerMetadata tells of the server.
func (s *server) ServerMetadata(context.Context, *inference.ServerMetadataRequest) (*inference.ServerMetadataResponse, error) {
	d := s.Metadata()
	return &inference.ServerMetadataResponse{Name: d.Name, Version: d.Version, Extensions: d.Extensions}, nil
}

// ModelMetadata tells of a model.
func (s *server) ModelMetadata(_ context.Context, in *inference.ModelMetadataRequest) (*inference.ModelMetadataResponse, error) {
	d, err := s.Service.ModelMetadata(in.GetName(), in.GetVersion())
	if err != nil {
		return nil, err
	}
	out := &inference.ModelMetadataResponse{Name: d.Name, Versions: d.Versions, Platform: d.Platform}
	for _, t := range d.Inputs {
		out.Inputs = append(out.Inputs, tensorMetadata(t))
	}
	for _, t := range d.Outputs {
		out.Outputs = append(out.Outputs, tensorMetadata(t))
	}
	return out, nil
}

func tensorMetadata(t oip.TensorMetadata) *inference.ModelMetadataResponse_TensorMetadata {
	return &inference.ModelMetadataResponse_TensorMetadata{Name: t.Name, Datatype: string(t.Datatype), Shape: t.Shape}
}

// ModelInfer predicts.
func (s *server) ModelInfer(ctx context.Context, in *inference.ModelInferRequest) (*inference.ModelInferResponse, error) {
	var r *oip.InferRequest
	err := s.Read(ctx, func() (err error) {
		r, err = request(in, s.Elements())
		return err
	})
	if err != nil {
		return nil, err
	}
	out, err := s.Infer(ctx, in.GetModelName(), in.GetModelVersion(), r)
	if err != nil {
		return nil, err
	}
	return response(out, len(in.GetRawInputContents()) > 0), nil
}

// RepositoryIndex tells of all versions of models.
func (s *server) RepositoryIndex(_ context.Context, in *inference.RepositoryIndexRequest) (*inference.RepositoryIndexResponse, error) {
	out := &inference.RepositoryIndexResponse{}
	for _, m := range s.Index(in.GetReady()) {
		out.Models = append(out.Models, &inference.RepositoryIndexResponse_ModelIndex{Name: m.Name, Version: m.Version, State: string(m.State), Reason: m.Reason})
	}
	return out, nil
}

// RepositoryModelLoad loads a model.
func (s *server) RepositoryModelLoad(_ context.Context, in *inference.RepositoryModelLoadRequest) (*inference.RepositoryModelLoadResponse, error) {
	if err := noParameters(in.GetParameters()); err != nil {
		return nil, err
	}
	if err := s.Load(in.GetModelName()); err != nil {
		return nil, err
	}
	return &inference.RepositoryModelLoadResponse{}, nil
}

// RepositoryModelUnload takes a model away.
func (s *server) RepositoryModelUnload(_ context.Context, in *inference.RepositoryModelUnloadRequest) (*inference.RepositoryModelUnloadResponse, error) {
	if err := noParameters(in.GetParameters()); err != nil {
		return nil, err
	}
	if err := s.Unload(in.GetModelName()); err != nil {
		return nil, err
	}
	return &inference.RepositoryModelUnloadResponse{}, nil
}

func noParameters(p map[string]*inference.ModelRepositoryParameter) error {
	for name := range p {
		if name != "unload_dependents" { // of which models here have none
			return oip.Errorf(oip.Invalid, "parameter %q is not supported: a model is what its file holds", name)
		}
	}
	return nil
}
