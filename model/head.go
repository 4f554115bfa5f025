package model

import (
	"encoding/json"
	"errors"
	"fmt"

	"beziergp/box"
	"beziergp/dataset/seen"
	"beziergp/internal/process/surface"
	"beziergp/internal/safetensors"
	"beziergp/model/modelfile"
)

// head is everything of a model but its weights and its lists of numbers.
type head struct {
	Format   int             `json:"format"`
	Inputs   json.RawMessage `json:"inputs"`
	Target   box.Target      `json:"target"`
	Noise    float64         `json:"noise"`
	Policy   box.Policy      `json:"out_of_box"`
	Bases    *basesHead      `json:"bases,omitempty"` // of all groups; not in files before format 4
	Groups   groupHeads      `json:"groups"`
	Training Training        `json:"training"`
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
	Groups    groupHeads      `json:"groups"`
	Predicted modelfile.Input `json:"predicted"`
}

type doubtHead struct {
	// Inputs are scalings, one for every input of the model, whose names and levels they
	// have too in files before format 4 only.
	Inputs json.RawMessage `json:"inputs"`
	Groups groupHeads      `json:"groups"`
}

type noiseHead struct {
	Groups    groupHeads      `json:"groups"`
	Predicted modelfile.Input `json:"predicted"`
	Lo        float64         `json:"lo"`
	Hi        float64         `json:"hi"`
}

// Beginnings of the names of tensors that are not of the mean.
const (
	noisePrefix = "noise."
	doubtPrefix = "variance."
	tiltPrefix  = "tilt."
)

// describe returns the head and the tensors of a model.
func (m *Model) describe() (head, map[string]safetensors.Tensor, error) {
	w := newGroupWriter()
	h := head{
		Format: FormatVersion, Target: m.target, Noise: m.noise,
		Policy: m.policy, Training: m.training, Scale: m.scale, Limits: m.limits, Conformal: m.conformal, Tails: m.family.Tails(),
	}
	var err error
	if h.Inputs, err = modelfile.WriteInputs(m.box.Inputs, &w.numbers); err != nil {
		return h, nil, err
	}
	h.Groups = w.describe(m.posterior, "")
	if n := m.varying; n != nil {
		h.Varying = &noiseHead{w.describe(n.Surface, noisePrefix), modelfile.Describe(n.Predicted, &w.numbers), n.Lo, n.Hi}
	}
	if d := m.doubt; d != nil {
		scalings := make([]box.Input, len(d.Inputs))
		for i, in := range d.Inputs {
			scalings[i] = unscaled(in, box.Input{})
		}
		h.Doubt = &doubtHead{Groups: w.describe(d.Surface, doubtPrefix)}
		if h.Doubt.Inputs, err = modelfile.WriteInputs(scalings, &w.numbers); err != nil {
			return h, nil, err
		}
	}
	if t := m.tilt; t != nil {
		h.Tilt = &tiltHead{w.describe(t.Surface, tiltPrefix), modelfile.Describe(t.Predicted, &w.numbers)}
	}
	if m.seen != nil {
		h.Seen = m.seen.Describe(w.tensors)
	}
	h.Bases = w.bases()
	w.tensors[modelfile.Tensor] = w.numbers.Tensor()
	return h, w.tensors, nil
}

// unscaled returns an input with another's name, column and levels: two scalings of one
// input differ in the rest.
func unscaled(in, other box.Input) box.Input {
	in.Name, in.Column, in.Kind, in.Part = other.Name, other.Column, other.Kind, other.Part
	in.Levels, in.Pooled, in.Missing = other.Levels, other.Pooled, other.Missing
	return in
}

// model puts a model together.
func (h *head) model(f *safetensors.File) (*Model, error) {
	if (h.Bases != nil) != (h.Format >= firstListed) {
		return nil, fmt.Errorf("its bases are not described as format %d does", h.Format)
	}
	lists, err := modelfile.ReadLists(f)
	if err != nil {
		return nil, err
	}
	trained, err := h.Seen.Restore(f.Tensors)
	if err != nil {
		return nil, err
	}
	r, err := newGroupReader(h, f.Tensors, lists)
	if err != nil {
		return nil, err
	}
	p := Parts{Seen: trained, Target: h.Target, Noise: h.Noise, VarianceScale: h.Scale, Limits: h.Limits, Tails: h.Tails, Conformal: h.Conformal, Policy: h.Policy, Training: h.Training}
	// An input has a weight at least.
	if p.Inputs, err = modelfile.ReadInputs(h.Inputs, lists, r.weights, true); err != nil {
		return nil, err
	}
	inputs := len(p.Inputs)
	if p.Posterior, err = r.posterior(h.Groups, inputs, ""); err != nil {
		return nil, err
	}
	if n := h.Varying; n != nil {
		p.Varying = &Noise{Lo: n.Lo, Hi: n.Hi}
		p.Varying.Predicted, p.Varying.Surface, err = r.ofMean(n.Predicted, n.Groups, inputs+1, noisePrefix)
		if err != nil {
			return nil, fmt.Errorf("noise: %w", err)
		}
	}
	if d := h.Doubt; d != nil {
		p.Doubt = &Doubt{}
		if p.Doubt.Inputs, err = d.inputs(p.Inputs, lists); err != nil {
			return nil, fmt.Errorf("variance: %w", err)
		}
		if p.Doubt.Surface, err = r.posterior(d.Groups, inputs, doubtPrefix); err != nil {
			return nil, fmt.Errorf("variance: %w", err)
		}
	}
	if t := h.Tilt; t != nil {
		p.Tilt = &Tilt{}
		p.Tilt.Predicted, p.Tilt.Surface, err = r.ofMean(t.Predicted, t.Groups, inputs+2, tiltPrefix)
		if err != nil {
			return nil, fmt.Errorf("tilt: %w", err)
		}
	}
	if r.left() {
		return nil, errors.New("it holds weights that its head does not tell of")
	}
	return New(p)
}

// ofMean reads what a process whose inputs are the model's and further ones consists of.
func (r *groupReader) ofMean(predicted modelfile.Input, groups groupHeads, inputs int, prefix string) (box.Input, *surface.Posterior, error) {
	in, err := predicted.Restore(r.lists)
	if err != nil {
		return in, nil, err
	}
	q, err := r.posterior(groups, inputs, prefix)
	return in, q, err
}

// inputs returns the scalings of the variance, those of the model being inputs.
func (d *doubtHead) inputs(inputs []box.Input, lists modelfile.Lists) ([]box.Input, error) {
	own, err := modelfile.ReadInputs(d.Inputs, lists, len(inputs), false)
	for i, in := range own {
		if in.Name == "" {
			own[i] = unscaled(in, inputs[i])
		}
	}
	return own, err
}
