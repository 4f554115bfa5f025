package rival

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"beziergp/baseline"
	"beziergp/box"
	"beziergp/internal/aside"
	"beziergp/internal/safetensors"
	"beziergp/internal/seen"
	"beziergp/model"
)

const (
	// formatKey is the metadata entry that holds the head of a file.
	formatKey = "beziergp.rival"
	// FormatVersion is raised whenever a program of before would read a file wrongly.
	// Format 1, which does not tell of the rows that were trained on, is still read.
	FormatVersion = 2
)

// head is everything of a model but its tensors.
type head struct {
	Format   int               `json:"format"`
	Method   string            `json:"method"`
	Inputs   []box.Input       `json:"inputs"`
	Means    []float64         `json:"means"`
	Target   box.Target        `json:"target"`
	Policy   box.Policy        `json:"out_of_box"`
	Training Training          `json:"training"`
	Scaling  *baseline.Scaling `json:"scaling"`
	Learned  json.RawMessage   `json:"learned"`
	Seen     *seen.Head        `json:"trained_on,omitempty"` // not in format 1
}

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error { return aside.WriteFile(path, m.Write) }

// Write writes the model as a safetensors file. Equal models make equal bytes.
func (m *Model) Write(w io.Writer) error {
	state, err := m.regressor.State()
	if err != nil {
		return err
	}
	tensors := map[string]safetensors.Tensor{}
	for name, t := range state.Tensors {
		tensors[name] = safetensors.Tensor{Shape: t.Shape, Wide: t.Data}
	}
	h := head{
		FormatVersion, state.Method, m.box.Inputs, m.means, m.target, m.policy, m.training, state.Scaling, state.Learned, nil,
	}
	if m.seen != nil {
		h.Seen = m.seen.Describe(tensors)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return safetensors.Write(w, tensors, map[string]string{formatKey: string(text)})
}

// Load reads a model from a file. Errors about its content are [model.FileError]s.
func Load(path string) (*Model, error) { return model.LoadAs(path, Decode) }

// Read reads a model. It allocates no more than a multiple of the bytes that r
// really has. All its errors are [model.FileError]s.
func Read(r io.Reader) (*Model, error) { return model.ReadAs(r, Decode) }

// Holds tells whether the metadata of a file are those of a model of this package.
func Holds(metadata map[string]string) bool {
	_, ok := metadata[formatKey]
	return ok
}

// Decode is the [model.Decoder] of a rival.
func Decode(tensors map[string]safetensors.Tensor, metadata map[string]string) (*Model, error) {
	if !Holds(metadata) {
		return nil, errors.New("a safetensors file, but not a rival's of this program: its metadata has no " + formatKey)
	}
	text := []byte(metadata[formatKey])
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if version.Format < 1 || version.Format > FormatVersion {
		return nil, fmt.Errorf("a rival in format %d; this version reads formats 1 to %d: fit it again, or use the version that wrote it", version.Format, FormatVersion)
	}
	var h head
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	rows, err := h.Seen.Restore(tensors)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	state := baseline.State{Method: h.Method, Scaling: h.Scaling, Learned: h.Learned, Tensors: map[string]baseline.Tensor{}}
	for name, t := range tensors {
		if t.Wide == nil {
			return nil, fmt.Errorf("damaged: tensor %.40q has type F32, want F64", name)
		}
		state.Tensors[name] = baseline.Tensor{Shape: t.Shape, Data: t.Wide}
	}
	m, err := assemble(newEncoding(box.New(h.Inputs), h.Means), nil, state, h.Target, h.Policy, h.Training, rows)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return m, nil
}
