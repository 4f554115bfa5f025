package model

import (
	"encoding/json"
	"errors"
	"fmt"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/dataset/seen"
	"beziergp/internal/safetensors"
	"beziergp/likelihood"
	"beziergp/model/modelfile"
	"beziergp/table/cell"
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
	LogNoise  *auxiliaryHead `json:"noise_surface,omitempty"`
	Epistemic *auxiliaryHead `json:"variance_process,omitempty"`
	Scale     float64        `json:"variance_scale,omitempty"`
	Limits    *Limits        `json:"limits,omitempty"`
	// Half of a conformal interval in deviations, in files of format 2.
	Conformal float64 `json:"conformal,omitempty"`
	// Sets are those of the output, of a target with classes.
	Sets []float64 `json:"sets,omitempty"`
	// The rest is not in files of format 2.
	Tails        float64        `json:"degrees_of_freedom,omitempty"`
	DensityRatio *auxiliaryHead `json:"tilt,omitempty"`
	// The rest is not in files of format 3.
	Seen *seen.Head `json:"trained_on,omitempty"`
	// Likelihood is the name of the target's law; empty for a Gaussian.
	Likelihood string `json:"likelihood,omitempty"`
	// Law is what that law has learned; nil where there is nothing.
	Law *likelihood.Description `json:"law,omitempty"`
	// Offset is where the offsets of rows come from; nil for none.
	Offset *box.OffsetColumn `json:"offset,omitempty"`
	// Missing are the words for a missing value; absent for the default ones.
	Missing *cell.Words `json:"missing_words,omitempty"`
	// Profile is absent from older files, and where inputs are very many.
	Profile json.RawMessage `json:"profile,omitempty"`
	// Neighbours are in files of format 5 alone.
	Neighbours []neighboursHead `json:"neighbours,omitempty"`
}

// auxiliaryHead describes an auxiliary surface; its role says which of these it has.
type auxiliaryHead struct {
	// Inputs are scalings, one for every input of the model, whose names and levels they
	// have too in files before format 4 only.
	Inputs    json.RawMessage  `json:"inputs,omitempty"`
	Groups    groupHeads       `json:"groups"`
	Predicted *modelfile.Input `json:"predicted,omitempty"`
	Lo        *float64         `json:"lo,omitempty"` // of its value
	Hi        *float64         `json:"hi,omitempty"`
}

// describe returns the head and the tensors of a model.
func (m *Model) describe() (head, map[string]safetensors.Tensor, error) {
	w, o := newGroupWriter(), &m.outputs[0]
	h := head{
		Format: m.format(), Target: o.Target, Noise: o.Noise,
		Policy: m.policy, Training: m.training, Scale: o.VarianceScale, Limits: o.Limits, Conformal: o.Conformal, Tails: o.Tails, Sets: o.Sets,
		Missing: m.missing, Offset: m.offset,
	}
	if law := likelihood.Describe(o.Likelihood); law.Name != "" {
		h.Likelihood = law.Name
		if law.Base != nil || law.Parameters != nil {
			h.Law = &law
		}
	}
	var err error
	if h.Inputs, err = modelfile.WriteInputs(m.box.Inputs, &w.numbers); err != nil {
		return h, nil, err
	}
	h.Neighbours = describeNeighbours(m.tables, &w.numbers)
	h.Groups = w.describe(m.posterior, "")
	if h.LogNoise, err = w.auxiliary(o.LogNoise, logNoise); err != nil {
		return h, nil, err
	}
	if h.Epistemic, err = w.auxiliary(o.Epistemic, epistemic); err != nil {
		return h, nil, err
	}
	if h.DensityRatio, err = w.auxiliary(o.DensityRatio, densityRatio); err != nil {
		return h, nil, err
	}
	if m.seen != nil {
		h.Seen = m.seen.Describe(w.tensors)
	}
	if h.Profile, err = m.profile.Describe(); err != nil {
		return h, nil, err
	}
	h.Bases = w.bases()
	w.tensors[modelfile.Tensor] = w.numbers.Tensor()
	return h, w.tensors, nil
}

// auxiliary returns the head of a surface, nil where there is none.
func (w *groupWriter) auxiliary(a *Auxiliary, r role) (*auxiliaryHead, error) {
	if a == nil {
		return nil, nil
	}
	h := &auxiliaryHead{Groups: w.describe(a.Surface, r.prefix)}
	if a.Inputs != nil {
		scalings := make([]box.Input, len(a.Inputs))
		for i, in := range a.Inputs {
			scalings[i] = unscaled(in, box.Input{})
		}
		var err error
		if h.Inputs, err = modelfile.WriteInputs(scalings, &w.numbers); err != nil {
			return nil, err
		}
	}
	if a.Predicted != nil {
		predicted := modelfile.Describe(*a.Predicted, &w.numbers)
		h.Predicted = &predicted
	}
	if r.ranged {
		h.Lo, h.Hi = &a.Limits.Lo, &a.Limits.Hi
	}
	return h, nil
}

// model puts a model together, whose target has a law.
func (h *head) model(f *safetensors.File, law likelihood.Likelihood) (*Model, error) {
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
	p := Parts{Seen: trained, Policy: h.Policy, Training: h.Training, Missing: h.Missing, Offset: h.Offset}
	o := Output{Target: h.Target, Likelihood: law, Noise: h.Noise, VarianceScale: h.Scale, Limits: h.Limits, Tails: h.Tails, Conformal: h.Conformal, Sets: h.Sets}
	// An input has a weight at least.
	if p.Inputs, err = modelfile.ReadInputs(h.Inputs, lists, r.weights, true); err != nil {
		return nil, err
	}
	if (h.Neighbours != nil) != (h.Format >= firstOfNeighbours) {
		return nil, fmt.Errorf("%d neighbour inputs in a file of format %d", len(h.Neighbours), h.Format)
	}
	if p.Neighbours, err = restoreNeighbours(h.Neighbours, lists); err != nil {
		return nil, err
	}
	all, err := withNeighbours(p.Inputs, p.Neighbours)
	if err != nil {
		return nil, err
	}
	if p.Profile, err = profile.Restore(h.Profile, p.Inputs, 1); err != nil {
		return nil, err
	}
	if p.Posterior, err = r.posterior(h.Groups, len(all), ""); err != nil {
		return nil, err
	}
	if o.LogNoise, err = r.auxiliary(h.LogNoise, logNoise, all); err != nil {
		return nil, err
	}
	if o.Epistemic, err = r.auxiliary(h.Epistemic, epistemic, all); err != nil {
		return nil, err
	}
	if o.DensityRatio, err = r.auxiliary(h.DensityRatio, densityRatio, all); err != nil {
		return nil, err
	}
	if r.left() {
		return nil, errors.New("it holds weights that its head does not tell of")
	}
	p.Outputs = []Output{o}
	return New(p)
}

// auxiliary returns the surface of a head, nil where there is none, for a model of these
// inputs. What it does not check, [New] does.
func (r *groupReader) auxiliary(h *auxiliaryHead, role role, inputs []box.Input) (a *Auxiliary, err error) {
	if h == nil {
		return nil, nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", role.name, err)
		}
	}()
	a = &Auxiliary{U: role.like.U, Variance: role.like.Variance, Limits: role.like.Limits}
	if h.Inputs != nil {
		if a.Inputs, err = modelfile.ReadInputs(h.Inputs, r.lists, len(inputs), false); err != nil {
			return nil, err
		}
		for i, in := range a.Inputs {
			if in.Name == "" {
				a.Inputs[i] = unscaled(in, inputs[i])
			}
		}
	}
	if h.Predicted != nil {
		in, err := h.Predicted.Restore(r.lists)
		if err != nil {
			return nil, err
		}
		a.Predicted = &in
	}
	if h.Lo != nil && h.Hi != nil {
		a.Limits = &Limits{Lo: *h.Lo, Hi: *h.Hi}
	}
	a.Surface, err = r.posterior(h.Groups, len(inputs)+role.taken(), role.prefix)
	return a, err
}
