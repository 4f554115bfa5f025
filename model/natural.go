package model

import (
	"fmt"

	"beziergp/box"
	"beziergp/likelihood"
)

// Natural returns the natural parameter of a likelihood other than a Gaussian as a model of
// its own, of a number without noise: the logit of truth values, the logarithm of the mean of
// counts and amounts without their exposure, and of several classes that of one, of a code, to
// which those of the others compare. What is known of functions, attributions and effects say,
// is known of it. It fails where the target is a number with errors, or has no such class.
func (m *Model) Natural(class int) (*Model, error) {
	o := m.outputs[0]
	law := likelihood.Describe(o.Likelihood)
	latents := likelihood.Latents(o.Likelihood)
	switch {
	case len(law.Base) != latents || law.Name == "":
		return nil, fmt.Errorf("the target %q is a number, which has no natural parameter but itself", o.Target.Name)
	case class < 0 || class >= latents:
		return nil, fmt.Errorf("class %d of %d processes", class, latents)
	}
	name := "natural parameter of " + o.Target.Name
	if latents > 1 {
		name += "=" + o.names()[class]
	}
	const noise = 1e-12 // there is none
	natural := Output{
		Target: box.Target{Name: name, Mean: law.Base[class], SD: 1}, Noise: noise,
		Epistemic: o.Epistemic, VarianceScale: o.VarianceScale, Limits: o.Limits,
	}
	if latents > 1 { // only differences of the classes' functions have limits
		natural.Limits = nil
	}
	training := m.training
	training.OutOfFold, training.Classes, training.Residuals = nil, nil, nil
	return New(Parts{
		Posterior: m.posterior.Output(class), Inputs: m.box.Inputs, Neighbours: m.tables, Outputs: []Output{natural},
		Policy: m.policy, Training: training, Seen: m.seen, Profile: m.profile, Missing: m.missing,
	})
}

// CheckFunction returns an error unless the model has one function, which [Model.Natural] makes
// of others.
func (m *Model) CheckFunction() error {
	if n := m.posterior.Outputs(); n > 1 {
		return fmt.Errorf("the target %q has a function for each of %d classes: take that of one, by Natural", m.outputs[0].Target.Name, n)
	}
	return nil
}
