package model

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"beziergp/basis"
	"beziergp/box"
	"beziergp/buttress"
	"beziergp/internal/aside"
	"beziergp/internal/format"
	"beziergp/internal/safetensors"
	"beziergp/internal/seen"
	"beziergp/surface"
)

const (
	// formatKey is the metadata entry that holds the head of a model file.
	formatKey = "beziergp.model"
	// FormatVersion is raised whenever a program of before would read a file wrongly.
	// Format 1, which knew neither categories nor missing values and has constant
	// noise and whole groups, is still read, and so are format 2, in which all predictions
	// are Gaussian, and format 3, which does not tell of the rows that were trained on.
	FormatVersion = 4
)

// head is everything of a model but its weights.
type head struct {
	Format   int         `json:"format"`
	Inputs   []box.Input `json:"inputs"`
	Target   box.Target  `json:"target"`
	Noise    float64     `json:"noise"`
	Policy   box.Policy  `json:"out_of_box"`
	Groups   []groupHead `json:"groups"`
	Training Training    `json:"training"`
	// The rest is not in files of format 1.
	Varying *noiseHead `json:"noise_surface,omitempty"`
	Doubt   *doubtHead `json:"variance_process,omitempty"`
	Scale   float64    `json:"variance_scale,omitempty"`
	Limits  *Limits    `json:"limits,omitempty"`
	// Half of a conformal interval in deviations, in files of format 2.
	Conformal float64 `json:"conformal,omitempty"`
	// The rest is not in files of format 2.
	Tails float64   `json:"degrees_of_freedom,omitempty"`
	Tilt  *tiltHead `json:"tilt,omitempty"`
	// The rest is not in files of format 3.
	Seen *seen.Head `json:"trained_on,omitempty"`
}

type tiltHead struct {
	Groups    []groupHead `json:"groups"`
	Predicted box.Input   `json:"predicted"`
}

type doubtHead struct {
	Inputs []box.Input `json:"inputs"`
	Groups []groupHead `json:"groups"`
}

type noiseHead struct {
	Groups    []groupHead `json:"groups"`
	Predicted box.Input   `json:"predicted"`
	Lo        float64     `json:"lo"`
	Hi        float64     `json:"hi"`
}

type groupHead struct {
	Bases     []basis.Spec `json:"bases"`     // [d]
	Orderings [][]int      `json:"orderings"` // [r][d]
	Part      surface.Part `json:"part,omitempty"`
}

// FileError reports a model file that cannot be used.
type FileError struct {
	File string // empty where the model came from a stream
	Err  error
}

func (e *FileError) Error() string {
	if e.File == "" {
		return "model: " + e.Err.Error()
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error { return aside.WriteFile(path, m.Write) }

// Write writes the model as a safetensors file. Equal models make equal bytes.
func (m *Model) Write(w io.Writer) error {
	h := head{
		Format: FormatVersion, Inputs: m.box.Inputs, Target: m.target, Noise: m.noise,
		Policy: m.policy, Training: m.training, Scale: m.scale, Limits: m.limits, Conformal: m.conformal, Tails: m.family.Tails(),
	}
	tensors := map[string]safetensors.Tensor{}
	h.Groups = describe(m.posterior, "", tensors)
	if n := m.varying; n != nil {
		h.Varying = &noiseHead{describe(n.Surface, noisePrefix, tensors), n.Predicted, n.Lo, n.Hi}
	}
	if d := m.doubt; d != nil {
		h.Doubt = &doubtHead{d.Inputs, describe(d.Surface, doubtPrefix, tensors)}
	}
	if t := m.tilt; t != nil {
		h.Tilt = &tiltHead{describe(t.Surface, tiltPrefix, tensors), t.Predicted}
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

// Beginnings of the names of tensors that are not of the mean.
const (
	noisePrefix = "noise."
	doubtPrefix = "variance."
	tiltPrefix  = "tilt."
)

var prefixes = []string{noisePrefix, doubtPrefix, tiltPrefix}

// describe returns the groups of a process and adds their weights to tensors.
func describe(q *surface.Posterior, prefix string, tensors map[string]safetensors.Tensor) (heads []groupHead) {
	for g := range q.Groups() {
		group := q.Group(g)
		own := groupHead{Orderings: group.Ensemble.Orderings(), Part: group.Part}
		for _, b := range group.Bases {
			own.Bases = append(own.Bases, b.Spec())
		}
		heads = append(heads, own)
		eachTensor(q.Surface, q.Params(), g, func(name string, weights []float32) {
			tensors[prefix+name] = safetensors.Tensor{Shape: []int{len(weights)}, Data: weights}
		})
	}
	return heads
}

// eachTensor visits the weights of group g buttress by buttress, with the names
// that they have in a file. A tensor holds the layers of one buttress one after
// the other, each [nodes of the layer before, nodes] by rows, 1 before the first.
func eachTensor(s *surface.Surface, params []float32, g int, visit func(name string, weights []float32)) {
	e := s.Group(g).Ensemble
	for k := range e.Buttresses() {
		if w := s.Mean(params, g); w != nil {
			visit(fmt.Sprintf("groups.%d.buttresses.%d.mean", g, k), e.Weights(w, k))
		}
		if v := s.Variance(params, g); v != nil {
			visit(fmt.Sprintf("groups.%d.buttresses.%d.log_variance", g, k), e.Weights(v, k))
		}
	}
}

// Load reads a model from a file. Errors about its content are [FileError]s.
func Load(path string) (*Model, error) { return LoadAs(path, Decode) }

// Read reads a model. It allocates no more than a multiple of the bytes that r
// really has. All its errors are [FileError]s.
func Read(r io.Reader) (*Model, error) { return ReadAs(r, Decode) }

// Decoder makes a model of the tensors and the metadata of a file, or says what is
// wrong with them.
type Decoder[M any] func(tensors map[string]safetensors.Tensor, metadata map[string]string) (M, error)

// LoadAs is Load for models of any kind.
func LoadAs[M any](path string, decode Decoder[M]) (m M, err error) {
	file, err := os.Open(path)
	if err != nil {
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			err = fmt.Errorf("%w; check the path", p.Err) // which FileError says
		}
		return m, &FileError{path, err}
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return m, &FileError{path, errors.New("this is a directory; give the file in it that fit wrote")}
	}
	m, err = ReadAs(file, decode)
	var bad *FileError
	if errors.As(err, &bad) {
		bad.File = path
	}
	return m, err
}

// ReadAs is Read for models of any kind.
func ReadAs[M any](r io.Reader, decode Decoder[M]) (m M, err error) {
	from := bufio.NewReader(r)
	head, err := from.Peek(format.Head)
	if err != nil && err != io.EOF {
		return m, &FileError{Err: err}
	}
	if err := misplaced(head); err != nil {
		return m, &FileError{Err: err}
	}
	tensors, metadata, err := safetensors.Read(from)
	if err != nil {
		return m, &FileError{Err: fmt.Errorf("%w; it is damaged or not a model of this program", err)}
	}
	if m, err = decode(tensors, metadata); err != nil {
		return m, &FileError{Err: err}
	}
	return m, nil
}

// misplaced fails where a file that begins like this was given in the place of a model.
func misplaced(head []byte) error {
	switch what := format.Of(head); what {
	case format.Model, format.Tensors, format.Unknown: // which the reader looks into
		return nil
	case format.Checkpoint:
		return fmt.Errorf("this is %s, not a model: the command that began it goes on from there, and writes one", what)
	default:
		return fmt.Errorf("this is %s, not a model; give the file that fit wrote, and a table after it", what)
	}
}

// Decode is the [Decoder] of a Bézier process.
func Decode(tensors map[string]safetensors.Tensor, metadata map[string]string) (*Model, error) {
	text, ok := metadata[formatKey]
	if !ok {
		return nil, errors.New("a safetensors file, but not a model of this program: its metadata has no " + formatKey)
	}
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal([]byte(text), &version); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if version.Format < 1 || version.Format > FormatVersion {
		return nil, fmt.Errorf("written in format %d; this version reads formats 1 to %d: train the model again, or use the version that wrote it", version.Format, FormatVersion)
	}
	var h head
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	p := Parts{Inputs: h.Inputs, Target: h.Target, Noise: h.Noise, VarianceScale: h.Scale, Limits: h.Limits, Tails: h.Tails, Conformal: h.Conformal, Policy: h.Policy, Training: h.Training}
	var err error
	if p.Seen, err = h.Seen.Restore(tensors); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	parts := split(tensors)
	if p.Posterior, err = assemble(h.Groups, len(h.Inputs), parts[""]); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if n := h.Varying; n != nil {
		p.Varying = &Noise{Predicted: n.Predicted, Lo: n.Lo, Hi: n.Hi}
		if p.Varying.Surface, err = assemble(n.Groups, len(h.Inputs)+1, parts[noisePrefix]); err != nil {
			return nil, fmt.Errorf("damaged: noise: %w", err)
		}
	}
	if d := h.Doubt; d != nil {
		p.Doubt = &Doubt{Inputs: d.Inputs}
		if p.Doubt.Surface, err = assemble(d.Groups, len(h.Inputs), parts[doubtPrefix]); err != nil {
			return nil, fmt.Errorf("damaged: variance: %w", err)
		}
	}
	if t := h.Tilt; t != nil {
		p.Tilt = &Tilt{Predicted: t.Predicted}
		if p.Tilt.Surface, err = assemble(t.Groups, len(h.Inputs)+2, parts[tiltPrefix]); err != nil {
			return nil, fmt.Errorf("damaged: tilt: %w", err)
		}
	}
	if h.Varying == nil && len(parts[noisePrefix]) > 0 || h.Doubt == nil && len(parts[doubtPrefix]) > 0 || h.Tilt == nil && len(parts[tiltPrefix]) > 0 {
		return nil, errors.New("damaged: it holds weights that its head does not tell of")
	}
	m, err := New(p)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return m, nil
}

// split returns the tensors by the prefix of their names.
func split(tensors map[string]safetensors.Tensor) map[string]map[string]safetensors.Tensor {
	parts := map[string]map[string]safetensors.Tensor{"": {}}
	for _, prefix := range prefixes {
		parts[prefix] = map[string]safetensors.Tensor{}
	}
	for name, t := range tensors {
		prefix := ""
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				prefix = p
			}
		}
		parts[prefix][strings.TrimPrefix(name, prefix)] = t
	}
	return parts
}

// assemble puts groups and tensors together. Sizes that the head claims are held
// against the tensors that were read before anything of that size is made.
func assemble(heads []groupHead, inputs int, tensors map[string]safetensors.Tensor) (*surface.Posterior, error) {
	var have int
	for _, t := range tensors {
		have += len(t.Data) + len(t.Wide)
	}
	var groups []surface.Group
	need := 0
	for g, own := range heads {
		if len(own.Bases) != inputs {
			return nil, fmt.Errorf("group %d has %d bases for %d inputs", g, len(own.Bases), inputs)
		}
		group := surface.Group{Part: own.Part}
		widths := make([]int, inputs)
		for i, spec := range own.Bases {
			b, err := basis.New(spec)
			if err == nil && spec.Average == nil { // in format 1
				b, err = basis.NewAveraged(b, b.Mean())
			}
			if err != nil {
				return nil, fmt.Errorf("group %d, input %d: %w", g, i, err)
			}
			group.Bases = append(group.Bases, b)
			widths[i] = b.Nodes()
		}
		e, err := buttress.New(widths, own.Orderings)
		if err != nil {
			return nil, fmt.Errorf("group %d: %w", g, err)
		}
		group.Ensemble = e
		groups = append(groups, group)
		if need += group.Size(); need > have {
			return nil, fmt.Errorf("its groups have more than the %d weights of the file", have)
		}
	}
	if need != have {
		return nil, fmt.Errorf("its groups have %d weights, the file holds %d", need, have)
	}
	s, err := surface.New(groups...)
	if err != nil {
		return nil, err
	}
	params := make([]float32, s.Size())
	for g := range groups {
		eachTensor(s, params, g, func(name string, weights []float32) {
			if t, ok := tensors[name]; !ok || len(t.Data) != len(weights) {
				err = fmt.Errorf("tensor %q has %d elements, want %d", name, len(t.Data), len(weights))
				return
			}
			copy(weights, tensors[name].Data)
		})
	}
	if err != nil {
		return nil, err
	}
	return surface.NewPosterior(s, params)
}
