package rival

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/dataset/seen"
	"beziergp/internal/atomicfile"
	"beziergp/internal/safetensors"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/model/modelfile"
	"beziergp/rival/method"
	"beziergp/table/cell"
)

const (
	// formatKey is the metadata entry that holds the head of a file.
	formatKey = "beziergp.rival"
	// FormatVersion is raised whenever a program of before would read a file wrongly.
	// Format 1, which has names of rare levels, its numbers in the head and no digest,
	// and does not tell of the rows that were trained on, is still read. Models of a Gaussian
	// likelihood are written in format 2, which knows no other.
	FormatVersion = 3
	// firstOfLaws is the first whose files have likelihoods.
	firstOfLaws = 3
	// firstSealed is the first format whose files have a digest.
	firstSealed = 2
)

// format returns that of the model's file.
func (m *Model) format() int {
	if likelihood.IsGaussian(m.law) {
		return firstOfLaws - 1
	}
	return FormatVersion
}

// head is everything of a model but its tensors.
type head struct {
	Format   int              `json:"format"`
	Method   string           `json:"method"`
	Inputs   json.RawMessage  `json:"inputs"`
	MeansAt  *modelfile.Place `json:"means_of_inputs,omitempty"`
	ScaledAt *modelfile.Place `json:"scaling_of_numbers,omitempty"` // shift and scale, the target's last
	Target   box.Target       `json:"target"`
	Policy   box.Policy       `json:"out_of_box"`
	Training Training         `json:"training"`
	Learned  json.RawMessage  `json:"learned"`
	Seen     *seen.Head       `json:"trained_on,omitempty"` // not in format 1
	// Missing are the words for a missing value; absent for the default ones.
	Missing *cell.Words     `json:"missing_words,omitempty"`
	Profile json.RawMessage `json:"profile,omitempty"` // as that of a [model.Model]
	// Likelihood is the name of the law of the target and Law what it has learned, as those of a
	// [model.Model], and Offset where the offsets of rows come from; absent where there are none.
	Likelihood string                  `json:"likelihood,omitempty"`
	Law        *likelihood.Description `json:"law,omitempty"`
	Offset     *box.OffsetColumn       `json:"offset,omitempty"`
	// What format 1 has in the place of lists of numbers.
	Means   []float64       `json:"means,omitempty"`
	Scaling *method.Scaling `json:"scaling,omitempty"`
}

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error { return atomicfile.WriteFile(path, m.Write) }

// Write writes the model as a safetensors file with a digest of all its bytes. Equal
// models make equal bytes. What the file tells of the training rows is what
// [model.Model.Write] says, without the quantiles; that of a method that keeps rows
// ([Method.KeepsRows]) holds them.
func (m *Model) Write(w io.Writer) error {
	state, err := m.regressor.State()
	if err != nil {
		return err
	}
	tensors := map[string]safetensors.Tensor{}
	for name, t := range state.Tensors {
		tensors[name] = safetensors.Tensor{Shape: t.Shape, Wide: t.Data}
	}
	if _, taken := tensors[modelfile.Tensor]; taken {
		return fmt.Errorf("%s: the tensor %q is not the method's", state.Method, modelfile.Tensor)
	}
	var n modelfile.Numbers
	h := head{
		Format: m.format(), Method: state.Method,
		Target: m.target, Policy: m.policy, Training: m.training, Learned: state.Learned, Missing: m.missing, Offset: m.offset,
	}
	if law := likelihood.Describe(m.law); law.Name != "" {
		h.Likelihood, h.Law = law.Name, &law
	}
	if h.Inputs, err = modelfile.WriteInputs(m.box.Inputs, &n); err != nil {
		return err
	}
	means, scaled := n.Add(m.means), n.Add(flatten(state.Scaling))
	h.MeansAt, h.ScaledAt = &means, &scaled
	if m.seen != nil {
		h.Seen = m.seen.Describe(tensors)
	}
	if h.Profile, err = m.profile.Describe(); err != nil {
		return err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	tensors[modelfile.Tensor] = n.Tensor()
	return safetensors.Write(w, tensors, map[string]string{formatKey: string(text)})
}

// flatten returns the shift and the scale of every number, those of the target last.
func flatten(s *method.Scaling) (list []float64) {
	for _, a := range append(slices.Clone(s.Inputs), s.Target) {
		list = append(list, a.Shift, a.Scale)
	}
	return list
}

// unflatten is the inverse of flatten.
func unflatten(list []float64) (*method.Scaling, error) {
	if len(list) < 4 || len(list)%2 != 0 {
		return nil, fmt.Errorf("a scaling of %d numbers", len(list))
	}
	s := &method.Scaling{}
	for pair := range slices.Chunk(list, 2) {
		s.Inputs = append(s.Inputs, method.Affine{Shift: pair[0], Scale: pair[1]})
	}
	last := len(s.Inputs) - 1
	s.Inputs, s.Target = s.Inputs[:last], s.Inputs[last]
	return s, nil
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
func Decode(f *safetensors.File) (*Model, error) {
	if !Holds(f.Metadata) {
		return nil, errors.New("a safetensors file, but not a rival's of this program: its metadata has no " + formatKey)
	}
	text := []byte(f.Metadata[formatKey])
	var version struct {
		Format int `json:"format"`
	}
	if err := modelfile.Unmarshal(text, &version); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	format := version.Format
	switch {
	case format < 1 || format > FormatVersion:
		return nil, fmt.Errorf("a rival in format %d; this version reads formats 1 to %d: fit it again, or use the version that wrote it", format, FormatVersion)
	case format >= firstSealed && !f.Sealed:
		return nil, fmt.Errorf("damaged: a file of format %d has a digest, and this one has none", format)
	}
	var h head
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	m, err := h.model(f)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	m.missing, m.origin = h.Missing, model.Origin{Format: format, Sealed: f.Sealed}
	return m, nil
}

// model puts a model together.
func (h *head) model(f *safetensors.File) (*Model, error) {
	lists, err := modelfile.ReadLists(f)
	if err != nil {
		return nil, err
	}
	trained, err := h.Seen.Restore(f.Tensors)
	if err != nil {
		return nil, err
	}
	if h.MeansAt != nil && h.ScaledAt != nil {
		if h.Means, err = lists.At(*h.MeansAt); err != nil {
			return nil, fmt.Errorf("means: %w", err)
		}
		scaled, err := lists.At(*h.ScaledAt)
		if err != nil {
			return nil, fmt.Errorf("scaling: %w", err)
		}
		if h.Scaling, err = unflatten(scaled); err != nil {
			return nil, err
		}
	}
	inputs, err := modelfile.ReadInputs(h.Inputs, lists, len(h.Means), true)
	if err != nil {
		return nil, err
	}
	looks, err := profile.Restore(h.Profile, inputs, 1)
	if err != nil {
		return nil, err
	}
	law, err := h.law()
	if err != nil {
		return nil, fmt.Errorf("likelihood %w", err)
	}
	state := method.State{Law: law, Method: h.Method, Scaling: h.Scaling, Learned: h.Learned, Tensors: map[string]method.Tensor{}}
	for name, t := range f.Tensors {
		if t.Wide == nil {
			return nil, fmt.Errorf("tensor %.40q has type F32, want F64", name)
		}
		if name != modelfile.Tensor {
			state.Tensors[name] = method.Tensor{Shape: t.Shape, Data: t.Wide}
		}
	}
	m, err := assemble(newEncoding(box.New(inputs), h.Means), nil, state, h.Target, h.Policy, h.Training, trained, looks)
	if err != nil {
		return nil, err
	}
	return m, m.setOffset(h.Offset)
}

// law returns that of the head as methods see it, nil for a Gaussian.
func (h *head) law() (method.Law, error) {
	described := likelihood.Description{}
	if h.Law != nil {
		described = *h.Law
	}
	described.Name = h.Likelihood
	l, err := likelihood.Restore(described)
	if err != nil {
		return nil, err
	}
	return NewLaw(l)
}
