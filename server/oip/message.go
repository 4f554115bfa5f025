package oip

// InferRequest asks for predictions.
type InferRequest struct {
	ID         string
	Parameters Parameters
	Inputs     []Tensor
	Outputs    []RequestedOutput // none for the usual ones
}

// RequestedOutput is an output that a request names.
type RequestedOutput struct {
	Name       string
	Parameters Parameters
}

// InferResponse is what a request is answered with. Outputs are FP64, BOOL or BYTES.
type InferResponse struct {
	Model, Version, ID string
	Parameters         Parameters
	Outputs            []Tensor
}

// ServerMetadata tells of a server.
type ServerMetadata struct {
	Name       string   `json:"name"`
	Version    string   `json:"version"`
	Extensions []string `json:"extensions"`
}

// ModelMetadata tells of a model.
type ModelMetadata struct {
	Name     string           `json:"name"`
	Versions []string         `json:"versions"`
	Platform string           `json:"platform"`
	Inputs   []TensorMetadata `json:"inputs"`
	Outputs  []TensorMetadata `json:"outputs"`
}

// TensorMetadata tells of an input or an output; an extent of −1 is any.
type TensorMetadata struct {
	Name     string   `json:"name"`
	Datatype Datatype `json:"datatype"`
	Shape    []int64  `json:"shape"`
	// Parameters of an output: "classes", the names that its columns stand for.
	Parameters Parameters `json:"parameters,omitempty"`
}

// State is whether a version of a model answers.
type State string

// The states.
const (
	Ready      State = "READY"
	NotReady   State = "UNAVAILABLE"
	LoadsNow   State = "LOADING"
	UnloadsNow State = "UNLOADING"
)

// ModelIndex is a version of a model in a repository.
type ModelIndex struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	State   State  `json:"state"`
	Reason  string `json:"reason"` // why it is not ready; empty where it is
}
