package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"beziergp/internal/atomicfile"
	"beziergp/internal/printable"
	"beziergp/internal/safetensors"
	"beziergp/model/modelfile"
)

// Bundle is the models of several targets, one each, that go to one file. What they share of a
// process was shared in training: each is a model of its own. It is immutable.
type Bundle struct{ models []*Model }

// NewBundle returns the bundle of models of two targets or more.
func NewBundle(models ...*Model) (*Bundle, error) {
	if len(models) < 2 {
		return nil, fmt.Errorf("%d models: a bundle has those of two targets at least", len(models))
	}
	b := &Bundle{slices.Clone(models)}
	names := b.Targets()
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return nil, fmt.Errorf("two models of the target %q in one bundle", name)
		}
	}
	return b, nil
}

// Models returns the models, in the order of the targets. They must not be changed.
func (b *Bundle) Models() []*Model { return b.models }

// Targets returns the targets' names.
func (b *Bundle) Targets() (names []string) {
	for _, m := range b.models {
		names = append(names, m.Target().Name)
	}
	return names
}

// Output returns the model of a target, or an error that names those that there are.
func (b *Bundle) Output(target string) (*Model, error) {
	if i := slices.Index(b.Targets(), target); i >= 0 {
		return b.models[i], nil
	}
	return nil, fmt.Errorf("there is no output %q; there are %s", target, quoted(b.Targets()))
}

// SeveralError reports a file of models of several targets where one model is needed.
type SeveralError struct{ Targets []string }

func (e *SeveralError) Error() string {
	return fmt.Sprintf("it holds models of %d targets, %s, and one is needed: name one of them", len(e.Targets), quoted(e.Targets))
}

// quoted lists names.
func quoted(names []string) string {
	const most = 10
	var text []string
	for _, name := range names[:min(most, len(names))] {
		text = append(text, printable.Quoted(name))
	}
	if more := len(names) - most; more > 0 {
		text = append(text, fmt.Sprintf("%d more", more))
	}
	return strings.Join(text, ", ")
}

const (
	// bundleKey is the metadata entry that holds the head of a file of several models.
	bundleKey = "beziergp.outputs"
	// bundleFormat is raised whenever a program of before would read such a file wrongly.
	bundleFormat = 1
)

// bundleHead is what the file of a bundle says of it.
type bundleHead struct {
	Format int `json:"format"`
	// Outputs are the heads of the models, as files of one have them. A model has the tensors
	// whose names begin with its number, counted from 0, and a slash, and of those that it lacks
	// the first model's, where it names them in Same.
	Outputs []json.RawMessage `json:"outputs"`
	Same    [][]string        `json:"same"`
}

// Save writes the bundle to a file, whole or not at all.
func (b *Bundle) Save(path string) error { return atomicfile.WriteFile(path, b.Write) }

// Write writes the bundle as a safetensors file: what [Model.Write] writes of every model, but
// for tensors that equal the first model's, which stand there once.
func (b *Bundle) Write(w io.Writer) error {
	all, h := map[string]safetensors.Tensor{}, bundleHead{Format: bundleFormat}
	var first map[string]safetensors.Tensor
	for k, m := range b.models {
		own, tensors, err := m.describe()
		if err != nil {
			return err
		}
		text, err := json.Marshal(own)
		if err != nil {
			return err
		}
		same := []string{}
		for name, t := range tensors {
			if known, ok := first[name]; ok && reflect.DeepEqual(known, t) {
				same = append(same, name)
				continue
			}
			all[tensorOf(k, name)] = t
		}
		slices.Sort(same)
		h.Outputs, h.Same = append(h.Outputs, text), append(h.Same, same)
		if k == 0 {
			first = tensors
		}
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return safetensors.Write(w, all, map[string]string{bundleKey: string(text)})
}

func tensorOf(model int, name string) string { return strconv.Itoa(model) + "/" + name }

// HoldsBundle tells whether the metadata of a file are those of a bundle.
func HoldsBundle(metadata map[string]string) bool {
	_, ok := metadata[bundleKey]
	return ok
}

// DecodeBundle is the [Decoder] of a bundle.
func DecodeBundle(f *safetensors.File) (*Bundle, error) {
	h, err := bundleHeadOf(f)
	if err != nil {
		return nil, err
	}
	left := len(f.Tensors)
	var models []*Model
	for k, text := range h.Outputs {
		own := &safetensors.File{Tensors: map[string]safetensors.Tensor{}, Metadata: map[string]string{formatKey: string(text)}, Sealed: f.Sealed, Digest: f.Digest}
		for name, t := range f.Tensors {
			if rest, ok := strings.CutPrefix(name, tensorOf(k, "")); ok {
				own.Tensors[rest] = t
				left--
			}
		}
		for _, name := range h.Same[k] {
			t, ok := f.Tensors[tensorOf(0, name)]
			if _, twice := own.Tensors[name]; !ok || twice {
				return nil, fmt.Errorf("damaged: output %d has no tensor %.40q of the first, or one of its own", k+1, name)
			}
			own.Tensors[name] = t
		}
		m, err := Decode(own)
		if err != nil {
			return nil, fmt.Errorf("output %d: %w", k+1, err)
		}
		models = append(models, m)
	}
	if left != 0 {
		return nil, errors.New("damaged: it holds weights of no output")
	}
	b, err := NewBundle(models...)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return b, nil
}

// mostOutputs bounds the models of a file: a head of few bytes must not ask for much.
const mostOutputs = 1000

func bundleHeadOf(f *safetensors.File) (h bundleHead, err error) {
	text := []byte(f.Metadata[bundleKey])
	if err := modelfile.Unmarshal(text, &h); err != nil {
		return h, fmt.Errorf("damaged: %w", err)
	}
	switch {
	case h.Format != bundleFormat:
		return h, fmt.Errorf("models of several targets written in format %d; this version reads format %d: train them again, or use the version that wrote them", h.Format, bundleFormat)
	case len(h.Outputs) < 2 || len(h.Outputs) > mostOutputs || len(h.Same) != len(h.Outputs):
		return h, fmt.Errorf("damaged: %d outputs, and tensors of %d", len(h.Outputs), len(h.Same))
	}
	return h, nil
}

// severalError returns the error about a bundle in the place of a model.
func severalError(f *safetensors.File) error {
	b, err := DecodeBundle(f)
	if err != nil {
		return err
	}
	return &SeveralError{b.Targets()}
}

// ReadBundle reads a bundle. All its errors are [FileError]s.
func ReadBundle(r io.Reader) (*Bundle, error) { return ReadAs(r, onlyBundle) }

// LoadBundle reads a bundle from a file. Errors about its content are [FileError]s.
func LoadBundle(path string) (*Bundle, error) { return LoadAs(path, onlyBundle) }

func onlyBundle(f *safetensors.File) (*Bundle, error) {
	if !HoldsBundle(f.Metadata) {
		return nil, errors.New("it holds no models of several targets; load it as one model")
	}
	return DecodeBundle(f)
}
